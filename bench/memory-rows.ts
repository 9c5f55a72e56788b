import type { Effort } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import { amountRow, type Row } from "./report.ts";
import { askMany } from "./requests.ts";
import { toPaths, variedSearches } from "./searches.ts";
import { readMemory } from "./servers.ts";
import type { App, Stage } from "./stage.ts";

const MEGABYTE = 1_000_000;
const BATCH = 160;
const SEARCH_ROUNDS = 5;

/** P8: the memory of a process with a CMS at rest, after many searches, and after load. */
export async function memoryRows({ cms, largeCms }: Stage, { loadInMs }: Effort): Promise<Row[]> {
  const rows = await Promise.all([
    rowsFor("100 items", cms, { loadInMs, max: { atRest: 200, afterSearches: 220, afterLoad: 200 } }),
    rowsFor("10,000 items", largeCms, { loadInMs, max: { atRest: 300, afterSearches: 450, afterLoad: 450 } }),
  ]);
  return rows.flat();
}

type Bars = { atRest: number; afterSearches: number; afterLoad: number };

async function rowsFor(what: string, app: App, { loadInMs, max }: { loadInMs: number; max: Bars }): Promise<Row[]> {
  const read = async (when: string, bar: number) => {
    const amount = (await readMemory(app.server)) / MEGABYTE;
    return amountRow({ id: "P8", what: `memory with ${what} of a CMS, ${when}` }, { amount, max: bar, unit: "MB" });
  };
  const atRest = await read("at rest", max.atRest);
  const path = toPaths(variedSearches);
  await askMany({ ...app, path, words: "" }, SEARCH_ROUNDS * path.length);
  const afterSearches = await read(`after ${SEARCH_ROUNDS * path.length} varied searches`, max.afterSearches);
  await askForAll(app, loadInMs);
  return [atRest, afterSearches, await read("after a minute's load", max.afterLoad)];
}

async function askForAll(app: App, forMs: number): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < forMs) {
    for (const page of Object.values(everydayPages)) await askMany({ ...app, ...page }, BATCH);
  }
}
