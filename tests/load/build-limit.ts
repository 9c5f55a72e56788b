import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

import { findScreen } from "../../app/routes/dashboard/screen.ts";
import { parseView } from "../../app/routes/dashboard/view.ts";
import { createCatalogue } from "../../server/content/catalogue.ts";
import { createLog } from "../../server/log.ts";
import type { LimitPages } from "./limit.tsx";
import { createSyntheticContent } from "./synthetic-content.ts";
import type { Link } from "./weight.ts";

/** A page for the limit to make: what the dashboard shows at `path` over a catalogue of so many items. */
export type LimitPage = { path: string; itemCount: number; cardsPerPage: number };

/** Bundles the limit into a folder; answers the script to run. */
export async function buildLimit(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: process.cwd(),
    logLevel: "error",
    // As in `vite.config.ts`, so that pictures are addressed alike.
    build: { ssr: "tests/load/limit.tsx", outDir: folder, assetsInlineLimit: 0, target: "es2022", emptyOutDir: false },
    ssr: { noExternal: true },
  });
  return join(folder, "limit.js");
}

/** Writes what the limit shows: the same screens, under the same `<link>` elements, as our own server. */
export async function writeLimitPages(
  file: string,
  { links, pages }: { links: Link[]; pages: Record<string, LimitPage> },
): Promise<void> {
  const house = {
    productName: "Dormouse",
    agency: { name: "Hedgerow Web Works", url: "https://hedgerow.example" },
    memberName: "Ada Lovell",
  };
  const contents: LimitPages = { links: links.map(toProps), pages: {} };
  for (const [name, page] of Object.entries(pages)) {
    contents.pages[`/${name}`] = { house, screen: await makeScreen(page) };
  }
  await writeFile(file, JSON.stringify(contents));
}

async function makeScreen({ path, itemCount, cardsPerPage }: LimitPage) {
  const catalogue = createCatalogue({
    source: createSyntheticContent(itemCount),
    setting: { productName: "Dormouse", mediaBase: "/media/" },
    log: createLog("warn"),
    cardsPerPage,
  });
  await catalogue.refresh();
  const view = parseView(new URL(path, "http://here.invalid").searchParams);
  const screen = view.name === "bad" ? undefined : findScreen(catalogue, view);
  if (!screen) throw new Error(`There is nothing to show at ${path}`);
  return screen;
}

/** The attributes of a link as React calls them. */
function toProps({ crossorigin, ...link }: Link): LimitPages["links"][number] {
  return crossorigin === undefined ? link : { ...link, crossOrigin: "anonymous" };
}
