import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { suffixes } from "../server/http/compression.ts";

/** Compressed bytes: of a screen before any interaction, and of its script with the largest part that it fetches later. */
export type Budgets = { script: number; scriptOfForms: number; scriptWithLargestPart: number; style: number };

/**
 * React and the router alone are 92 kB of script, and Conform is 7 kB; the part of 126 kB is Stripe's card fields. Style has a
 * twentieth to grow.
 */
export const budgets: Budgets = {
  script: 116_000,
  scriptOfForms: 132_000,
  scriptWithLargestPart: 129_500,
  style: 9500,
};

/** The screens that are made of forms, and so bring Conform along. */
const formScreens = /^routes\/(?:login|signup|demo-gateway\/|desk|company)/;

type Part = {
  parentId?: string;
  module: string;
  imports: string[];
  css: string[];
  clientActionModule?: string;
  hasDefaultExport?: boolean;
};
type Manifest = { entry: Part; routes: Record<string, Part>; url: string };

/**
 * The files that are too heavy in a client build with its compressed forms: a sentence for each screen and kind of file.
 * @param folder of the client build, such as `build/client`.
 */
export function findOverweight(
  folder: string,
  { script, scriptOfForms, scriptWithLargestPart, style }: Budgets,
): string[] {
  const assets = join(folder, "assets");
  const manifest = readManifest(assets);
  const weigh = (names: string[]) => names.map((name) => ({ name, bytes: weighFile(assets, name) }));
  const screens = Object.entries(manifest.routes).filter(([, { hasDefaultExport }]) => hasDefaultExport);
  return screens.flatMap(([id, route]) => {
    const scripts = listNames([...listParts(manifest, route).flatMap(listScripts), manifest.url]);
    const styles = listNames(listParts(manifest, route).flatMap(({ css }) => css));
    const later = weigh(scripts.flatMap((name) => findLaterParts(assets, name))).toSorted((a, b) => b.bytes - a.bytes);
    const weighed = weigh(scripts);
    return [
      judge(`The script of ${id}`, weighed, formScreens.test(id) ? scriptOfForms : script),
      judge(
        `The script of ${id} with what it fetches later`,
        [...weighed, ...later.slice(0, 1)],
        scriptWithLargestPart,
      ),
      judge(`The style of ${id}`, weigh(styles), style),
    ].filter((sentence) => sentence !== undefined);
  });
}

/** The parts of a screen: the entry, the routes around it, and its own. */
function listParts(manifest: Manifest, route: Part): Part[] {
  const parent = route.parentId === undefined ? undefined : manifest.routes[route.parentId];
  return [...(parent ? listParts(manifest, parent) : [manifest.entry]), route];
}

function listScripts({ module, imports, clientActionModule }: Part): string[] {
  return [module, ...imports, ...(clientActionModule ? [clientActionModule] : [])];
}

/** The files that addresses name, each once. */
function listNames(addresses: string[]): string[] {
  return [...new Set(addresses.map((address) => basename(address.replace(/#.*/, ""))))];
}

/** The framework's own list of what belongs to which route, which is a script itself. */
function readManifest(assets: string): Manifest {
  const name = readdirSync(assets).find((file) => /^manifest-\w+\.js$/.test(file));
  if (!name) throw new Error(`There is no manifest in ${assets}`);
  const [, json = ""] =
    /^window\.__reactRouterManifest=([^]*?);?\s*$/.exec(readFileSync(join(assets, name), "utf8")) ?? [];
  return JSON.parse(json) as Manifest;
}

/** The files that a script imports only once it needs them. */
function findLaterParts(assets: string, name: string): string[] {
  const text = readFileSync(join(assets, name), "utf8");
  return [...text.matchAll(/\bimport\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)/g)].map(([, part = ""]) => part);
}

function weighFile(assets: string, name: string): number {
  return readFileSync(join(assets, name + suffixes.br)).byteLength;
}

function judge(what: string, files: { name: string; bytes: number }[], budget: number): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= budget) return undefined;
  const heaviest = files
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 4)
    .map((file) => `${file.name} ${toKilobytes(file.bytes)}`);
  return `${what} is ${toKilobytes(bytes)} and may be ${toKilobytes(budget)}: ${heaviest.join(", ")}.`;
}

function toKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (import.meta.main) {
  const sentences = findOverweight(join(process.env.BUILD_DIR || "build", "client"), budgets);
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  if (sentences.length > 0) process.exitCode = 1;
}
