import { createCatalogue } from "../server/content/catalogue/catalogue.ts";
import { completeTopics, topics } from "../server/content/search/topics.ts";
import { createLog } from "../server/platform/log.ts";
import { findPercentile, type Latencies, strain } from "./latency.ts";
import { measure, type Effort } from "./measure.ts";
import { EVERYDAY_CARDS, everydayPages } from "./pages.ts";
import { amountRow, compareRow, type Row } from "./report.ts";
import { longWords, singleWords, toPaths, variedSearches } from "./searches.ts";
import { readLongestHold } from "./servers.ts";
import type { App, Stage } from "./stage.ts";
import { p99Row } from "./strain-rows.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** A page of results, made as a request makes it. */
const RESULTS = 24;
const ROUNDS = 20;

/** Members' searches, and terms that find nothing, are half typed or look like code. */
const terms = [...variedSearches, ...topics.slice(0, 40), "qqqqzzzz", "jet la", "menopau stargazin", "(a+)+$"];

/** P6: the slowest of twenty searches with a page of results, in milliseconds. */
export async function searchRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { items, max } of [
    { items: 60, max: 5 },
    { items: 1000, max: 5 },
    { items: 10_000, max: 30 },
  ]) {
    const catalogue = createCatalogue({
      source: createSyntheticContent(items),
      setting: { productName: "Dormouse", basePath: "/" },
      log: createLog("warn"),
      cardsPerPage: RESULTS,
    });
    await catalogue.refresh();
    const slow = percentile(() =>
      timeEach(terms, (term) => {
        const { list, listPerhaps, toResult } = catalogue.search({ term, order: "best" });
        [...list("watch", 0, RESULTS), ...listPerhaps()].map(toResult);
      }),
    );
    rows.push(
      amountRow(
        { id: "P6", what: `search of ${items.toLocaleString("en")} items with its results, p95` },
        { amount: slow, max, unit: "ms", digits: 2 },
      ),
    );
  }
  const typed = topics.flatMap((topic) => [topic.slice(0, 2), topic.slice(0, 4), `${topic.slice(0, 5)}x`]);
  const suggesting = percentile(() => timeEach(typed, (text) => void completeTopics(text)));
  return [
    ...rows,
    amountRow(
      { id: "P6", what: "suggestions for a few letters, p95" },
      { amount: suggesting, max: 1, unit: "ms", digits: 3 },
    ),
  ];
}

const LOAD_ROUNDS = 3;
const CONNECTIONS = 16;
/** The share of the long endurance test that each round takes. */
const ROUND_SHARE = 1 / 20;

/**
 * P2 and P6: the search page over HTTP against a list of as many cards, with a hundred and ten thousand items, and the
 * cost of mistakes.
 */
export async function searchPageRows({ everyday, tenThousand }: Stage, effort: Effort): Promise<Row[]> {
  return [
    ...(await variedRows("100 items", everyday, effort)),
    ...(await variedRows("10,000 items", tenThousand, effort)),
    ...(await misspeltRows(tenThousand, effort)),
  ];
}

async function variedRows(items: string, app: App, effort: Effort): Promise<Row[]> {
  const what = `search page of ${items}, ${variedSearches.length} searches`;
  const { list } = everydayPages;
  const searches = toPaths(variedSearches);
  const cost = await measure(
    { search: { ...app, path: searches, words: "search" }, list: { ...app, ...list } },
    effort,
  );
  const load = (paths: string[]) => strainPaths(app, paths, { connections: CONNECTIONS, effort });
  const quiet = [];
  const busy = [];
  for (let round = 0; round < LOAD_ROUNDS; round += 1) {
    quiet.push(await load([list.path]));
    busy.push(await load(searches));
  }
  const faults = [...quiet, ...busy].reduce((sum, each) => sum + each.faults, 0);
  return [
    compareRow({
      id: "P2",
      what: `${what}, beside the list of ${EVERYDAY_CARDS} cards`,
      rounds: cost.search,
      beside: cost.list,
      maxRatio: 1.5,
    }),
    p99Row(`${what}, p99 at ${CONNECTIONS} connections beside the list's`, {
      id: "P6",
      busy,
      quiet,
      maxRatio: 2,
      faults,
    }),
    await holdRow(what, app, { paths: searches, effort }),
  ];
}

const FEW_CONNECTIONS = 4;
const MOST_HOLD_IN_MS = 50;

/** A search for each misspelt word, against one for a correct word. */
async function misspeltRows(app: App, effort: Effort): Promise<Row[]> {
  const paths = {
    plain: toPaths(singleWords.map(({ right }) => right)),
    one: toPaths(singleWords.map(({ misspelt }) => misspelt)),
    four: toPaths(longWords.map(({ misspelt }) => misspelt)),
  };
  const toSubject = (path: string[]) => ({ ...app, path, words: "search" });
  const cost = await measure(
    { plain: toSubject(paths.plain), one: toSubject(paths.one), four: toSubject(paths.four) },
    effort,
  );
  const rows: Row[] = [];
  for (const [key, what] of [
    ["one", "a misspelt word among 10,000 items"],
    ["four", "four long misspelt words among 10,000 items"],
  ] as const) {
    const strained = await strainPaths(app, paths[key], { connections: FEW_CONNECTIONS, effort });
    rows.push(
      compareRow({
        id: "P2",
        what: `${what}, beside a word without a mistake`,
        rounds: cost[key],
        beside: cost.plain,
        maxRatio: 1.5,
      }),
      amountRow(
        { id: "P6", what: `${what}, p99 at ${FEW_CONNECTIONS} connections` },
        { amount: findPercentile(strained, 99), max: MOST_HOLD_IN_MS, unit: "ms" },
      ),
      await holdRow(what, app, { paths: paths[key], effort }),
    );
  }
  return rows;
}

/** One at a time: requests that arrive together begin together, whatever they are for. */
async function holdRow(what: string, app: App, { paths, effort }: { paths: string[]; effort: Effort }): Promise<Row> {
  await readLongestHold(app.server);
  await strainPaths(app, paths, { connections: 1, effort });
  return amountRow(
    { id: "P6", what: `${what}, longest hold of the event loop, asked for one at a time` },
    { amount: await readLongestHold(app.server), max: MOST_HOLD_IN_MS, unit: "ms" },
  );
}

function strainPaths(
  { server, cookie }: App,
  paths: string[],
  { connections, effort }: { connections: number; effort: Effort },
): Promise<Latencies> {
  const toStep = (count: number) => ({
    url: server.origin + (paths[count % paths.length] ?? ""),
    headers: { Cookie: cookie },
    status: 200,
  });
  return strain(toStep, { connections, forMs: effort.strainInMs * ROUND_SHARE });
}

function timeEach(inputs: string[], work: (input: string) => void): number[] {
  return inputs.map((input) => {
    const start = performance.now();
    work(input);
    return performance.now() - start;
  });
}

/** The 95th percentile of some rounds, after a warm-up. */
function percentile(round: () => number[]): number {
  round();
  const times = Array.from({ length: ROUNDS }, round)
    .flat()
    .toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}
