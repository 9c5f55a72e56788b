import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { suffixes } from "../server/platform/http/compression.ts";

/** Compressed bytes of a screen before any interaction, and with its largest later part. */
export type Budgets = Record<"script" | "scriptOfForms" | "scriptWithLargestImport" | "style", number>;

/**
 * React and the router take 92 to 100 kB of script, Conform 7 kB: that leaves some 20 kB for a reading page, and 13 kB
 * more for forms. Style may grow a little.
 */
export const budgets: Budgets = {
  script: 122_000,
  scriptOfForms: 135_000,
  scriptWithLargestImport: 135_000,
  style: 10_700,
};

const QUIET_SCRIPT = "app/player/quiet-script.ts";
const QUIET_SCRIPT_BUDGET = 4000;

/** Conform and our form layer are a group of `vite.config.ts`: a screen that imports it has forms. */
const formLayer = /^forms-[\w-]+\.js$/;

/** How to make a screen lighter, by exceeded budget. */
const advice: Record<keyof Budgets, string> = {
  script:
    "Load what is not needed at once by `import()`, as My Account is. A screen that imports `app/forms` may weigh as much as `scriptOfForms`.",
  scriptOfForms: "Load what is not needed at once by `import()`, as the card fields are.",
  scriptWithLargestImport: "Divide the chunk that the screen fetches by `import()`, or make the screen itself lighter.",
  style: "Move rules that this screen does not need to the style sheet of the component that does.",
};

type Chunk = {
  parentId?: string;
  module: string;
  imports: string[];
  css: string[];
  clientActionModule?: string;
  hasDefaultExport?: boolean;
};
type Weighed = { name: string; bytes: number };
type Manifest = { entry: Chunk; routes: Record<string, Chunk>; url: string };

/**
 * One text for each screen over a budget, with its heaviest files and advice.
 * @param folder of the client build with its compressed files, such as `build/client`.
 */
export function findOverweight(folder: string, limits: Budgets): string[] {
  const assets = join(folder, "assets");
  const manifest = readManifest(assets);
  const weigh = (names: string[]) => names.map((name) => ({ name, bytes: weighFile(assets, name) }));
  const screens = Object.entries(manifest.routes).filter(([, { hasDefaultExport }]) => hasDefaultExport);
  return screens.flatMap(([id, route]) => {
    const scripts = listNames([...listChunks(manifest, route).flatMap(listScripts), manifest.url]);
    const styles = listNames(listChunks(manifest, route).flatMap(({ css }) => css));
    const later = weigh(scripts.flatMap((name) => findLaterChunks(assets, name))).toSorted((a, b) => b.bytes - a.bytes);
    const weighed = weigh(scripts);
    const judge = (budget: keyof Budgets, what: string, files: Weighed[]) =>
      explainExcess(files, { screen: id, budget, what, limit: limits[budget] });
    return [
      judge(scripts.some((name) => formLayer.test(name)) ? "scriptOfForms" : "script", "script", weighed),
      judge("scriptWithLargestImport", "script with what it fetches later", [...weighed, ...later.slice(0, 1)]),
      judge("style", "style", weigh(styles)),
    ].filter((text) => text !== undefined);
  });
}

/** The entry, the layouts around the route, and the route's own chunk. */
function listChunks(manifest: Manifest, route: Chunk): Chunk[] {
  const parent = route.parentId === undefined ? undefined : manifest.routes[route.parentId];
  return [...(parent ? listChunks(manifest, parent) : [manifest.entry]), route];
}

function listScripts({ module, imports, clientActionModule }: Chunk): string[] {
  return [module, ...imports, ...(clientActionModule ? [clientActionModule] : [])];
}

function listNames(addresses: string[]): string[] {
  return [...new Set(addresses.map((address) => basename(address.replace(/#.*/, ""))))];
}

/** The framework's list of each route's files, which is a script itself. */
function readManifest(assets: string): Manifest {
  const name = readdirSync(assets).find((file) => /^manifest-\w+\.js$/.test(file));
  if (!name) throw new Error(`There is no manifest in ${assets}`);
  const [, json = ""] =
    /^window\.__reactRouterManifest=([^]*?);?\s*$/.exec(readFileSync(join(assets, name), "utf8")) ?? [];
  return JSON.parse(json) as Manifest;
}

/** The files that a script imports only on demand. */
function findLaterChunks(assets: string, name: string): string[] {
  const text = readFileSync(join(assets, name), "utf8");
  return [...text.matchAll(/\bimport\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)/g)].map(([, part = ""]) => part);
}

function weighFile(assets: string, name: string): number {
  return readFileSync(join(assets, name + suffixes.br)).byteLength;
}

type Judged = { screen: string; budget: keyof Budgets; what: string; limit: number };

function explainExcess(files: Weighed[], { screen, budget, what, limit }: Judged): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= limit) return undefined;
  const largest = files
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 5)
    .map((file) => `${file.name} ${formatBytes(file.bytes)}`);
  return [
    `${screen}: ${formatBytes(bytes)} bytes of ${what}, ${formatBytes(bytes - limit)} over the limit of ${formatBytes(limit)}.`,
    `  Largest: ${largest.join(", ")}.`,
    `  ${advice[budget]} If what it adds is worth its weight to members, raise \`${budget}\` in tools/budgets.ts and give the reason in the commit.`,
  ].join("\n");
}

function formatBytes(bytes: number): string {
  return bytes.toLocaleString("en-GB");
}

// The budgets are of a build for the root: an operator's path is in every address, and as long as they like.
if (import.meta.main && (process.env.BASE_PATH || "/") === "/") {
  const { bundleScript } = await import("./bundle-script.ts");
  const quietBytes = brotliCompressSync((await bundleScript(QUIET_SCRIPT)).code).byteLength;
  const texts = findOverweight(join(process.env.BUILD_DIR || "build", "client"), budgets);
  if (quietBytes > QUIET_SCRIPT_BUDGET)
    texts.push(
      `${QUIET_SCRIPT}: ${formatBytes(quietBytes)} bytes, over the limit of ${formatBytes(QUIET_SCRIPT_BUDGET)}. Keep in app/player/core what both players need.`,
    );
  for (const text of texts) process.stderr.write(`${text}\n`);
  if (texts.length > 0) process.exitCode = 1;
}
