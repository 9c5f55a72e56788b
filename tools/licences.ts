import { readFileSync } from "node:fs";
import { join } from "node:path";

type LockedPackage = { license?: string; dev?: boolean };

/** They set no terms for our own code in an image. */
const allowed = new Set(
  "0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 Python-2.0 Unlicense".split(" "),
);

const exceptions: { name: RegExp; licence: string }[] = [
  // Fonts are served as they are.
  { name: /^@fontsource(?:-variable)?\//, licence: "OFL-1.1" },
  // Libvips: sharp loads it as a dynamic library, which may be exchanged.
  { name: /^@img\/sharp-(?:libvips-|wasm32$|win32-)/, licence: "LGPL-3.0-or-later" },
];

/** Production packages of a lock file with a licence that we do not allow. */
export function findRefusedLicences(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { license }]) => ({ name: path.slice(path.lastIndexOf("node_modules/") + 13), license }))
    .filter(({ name, license = "" }) => !isAllowed(name, license))
    .map(({ name, license = "no licence" }) => `${name}: ${license}`);
}

/** SPDX expressions: all of those with AND, one of those with OR. */
function isAllowed(name: string, expression: string): boolean {
  const isFree = (licence: string) =>
    allowed.has(licence) || exceptions.some((each) => each.name.test(name) && each.licence === licence);
  const choices = expression.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((licence) => isFree(licence.trim())));
}

if (import.meta.main) {
  const lock = readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
  const refused = findRefusedLicences(packages);
  for (const each of refused) console.error(`Not among the licences of tools/licences.ts: ${each}`);
  process.exitCode = refused.length === 0 ? 0 : 1;
}
