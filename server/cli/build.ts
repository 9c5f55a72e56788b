import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../config.ts";

const root = join(import.meta.dirname, "..", "..");

type BuildSetting = Pick<Config, "buildDir" | "basePath">;

/** Pages import much of the server, so any change of it builds all. */
const sources = [
  "app",
  "public",
  "server",
  "package.json",
  "react-router.config.ts",
  "tools/bundle-programs.ts",
  "tools/bundle-script.ts",
  "tools/precompress.ts",
  "vite.config.ts",
];

/** Builds what is missing, older than a source, or for another base path. @throws when the build fails. */
export function ensureBuild(setting: BuildSetting): void {
  const { buildDir, basePath } = setting;
  if (isNewer(toEntry(buildDir), sources) && isMadeFor(buildDir, basePath)) return;
  console.log("Building …");
  const env = { ...process.env, BASE_PATH: basePath, BUILD_DIR: buildDir, NODE_ENV: "production" };
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`);
}

/** `other-path`: the build is not for this base path. */
export function findBuildFault({ buildDir, basePath }: BuildSetting): "missing" | "other-path" | undefined {
  if (modifiedAt(toEntry(buildDir)) === undefined) return "missing";
  return isMadeFor(buildDir, basePath) ? undefined : "other-path";
}

function toEntry(buildDir: string): string {
  return join(buildDir, "server", "index.js");
}

function isMadeFor(buildDir: string, basePath: string): boolean {
  return readFileSync(toEntry(buildDir), "utf8").includes(` basename = ${JSON.stringify(basePath)};`);
}

function isNewer(built: string, from: string[]): boolean {
  const builtAt = modifiedAt(built);
  return builtAt !== undefined && from.every((source) => newestIn(join(root, source)) <= builtAt);
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function newestIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
