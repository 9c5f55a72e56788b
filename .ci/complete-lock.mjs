// Adds to package-lock.json the platform packages that `npm install` left out because its registry does
// not serve them. Without them `npm ci` refuses the lock file ("Missing: … from lock file").
// Run after every `npm install`: node .ci/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
const added = [];

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[hoisted]) continue;
    lock.packages[hoisted] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    added.push(`${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? "The lock file is complete." : `Added ${added.length}: ${added.join(", ")}`);

/** `os`, `cpu` and `libc` as platform packages spell them in their names, so that npm skips the wrong ones. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"].find((word) => words.includes(word));
  const cpu = ["arm64", "x64", "arm", "ia32", "ppc64", "riscv64", "s390x", "loong64", "mips64el"].find((word) =>
    words.includes(word),
  );
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : undefined;
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}
