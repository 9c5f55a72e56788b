import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The commit of the last release; each release updates this file. */
const commit = readFileSync(join(import.meta.dirname, "last-release"), "utf8").trim();

/**
 * Builds the last release; returns its folder among the temporary files, which later runs find again. @throws when git
 * lacks its commit, or the build fails.
 */
export function buildRelease(): string {
  const folder = join(tmpdir(), `dormouse-release-${commit}`);
  if (existsSync(folder)) return folder;
  if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status !== 0)
    throw new Error(`git does not have the last release, ${commit} (bench/last-release): fetch it, with its history`);

  console.log(`Building the last release, ${commit.slice(0, 7)} …`);
  const making = mkdtempSync(`${folder}-`);
  const files = execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 30 });
  execFileSync("tar", ["x"], { cwd: making, input: files });
  if (hasSamePackages(making)) cpSync("node_modules", join(making, "node_modules"), { recursive: true });
  else run(making, ["ci", "--no-audit", "--no-fund"]);
  run(making, ["run", "build"]);
  // Renamed last, so that a folder of this name is always complete.
  renameSync(making, folder);
  return folder;
}

function hasSamePackages(folder: string): boolean {
  const [theirs, ours] = [folder, "."].map((each) => {
    const { packages } = JSON.parse(readFileSync(join(each, "package-lock.json"), "utf8")) as { packages: object };
    // The first entry is the product, whose version differs.
    return JSON.stringify({ ...packages, "": undefined });
  });
  return theirs === ours;
}

function run(cwd: string, args: string[]): void {
  const env = { ...process.env, BASE_PATH: "/", BUILD_DIR: "build" };
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} fails in the last release:\n${stdout}${stderr}`);
}
