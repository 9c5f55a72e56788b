import { createCatalogue } from "../server/content/catalogue.ts";
import { suggestTopics, topics } from "../server/content/suggestions.ts";
import { createLog } from "../server/log.ts";
import { strain } from "./latency.ts";
import { measure, type Effort } from "./measure.ts";
import { everydayPages, type Page } from "./pages.ts";
import { amountRow, compareRow, type Row } from "./report.ts";
import { readLongestHold } from "./servers.ts";
import type { App, Stage } from "./stage.ts";
import { p99Row } from "./strain-rows.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** A page of results, made as a request makes it. */
const RESULTS = 24;
const ROUNDS = 20;

/** Terms as people type them: topics, phrases, misspellings, words of the texts, and nothing that is anywhere. */
const terms = [
  ...topics.slice(0, 40),
  ..."snorring;menopuase;can't sleep;waking in the night;quiet rain;pillow;slow warm lamp;qqqqzzzz;(a+)+$".split(";"),
];

/** P6: one search with its page of results, in milliseconds; the slowest of twenty. */
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
        const { list, toResult } = catalogue.search({ term, order: "best" });
        list("watch", 0, RESULTS).map(toResult);
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
  const suggesting = percentile(() => timeEach(typed, (text) => void suggestTopics(text, topics)));
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
/** How much of the long test of endurance each round takes. */
const ROUND_SHARE = 1 / 20;

/** P2 and P6: the search page over HTTP beside the list of as many cards, with a hundred items and ten thousand. */
export async function searchPageRows({ everyday, tenThousand }: Stage, effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { app, count } of [
    { app: everyday, count: "100" },
    { app: tenThousand, count: "10,000" },
  ]) {
    const { search, list } = everydayPages;
    const what = `search page of ${count} items`;
    const cost = await measure({ search: { ...app, ...search }, list: { ...app, ...list } }, effort);
    rows.push(
      compareRow({
        id: "P2",
        what: `${what}, beside the list of as many cards`,
        rounds: cost.search,
        beside: cost.list,
        maxRatio: 1.5,
      }),
    );
    const load = (page: Page, connections = CONNECTIONS) =>
      strain(() => stepTo(app, page), { connections, forMs: effort.strainInMs * ROUND_SHARE });
    const quiet = [];
    const busy = [];
    for (let round = 0; round < LOAD_ROUNDS; round += 1) {
      quiet.push(await load(list));
      busy.push(await load(search));
    }
    // One at a time: requests that arrive together are begun together, whatever they are for.
    await readLongestHold(app.server);
    await load(search, 1);
    const longestHold = await readLongestHold(app.server);
    const faults = [...quiet, ...busy].reduce((sum, each) => sum + each.faults, 0);
    rows.push(
      p99Row(`${what}, p99 at ${CONNECTIONS} connections beside the list's`, {
        id: "P6",
        busy,
        quiet,
        maxRatio: 2,
        faults,
      }),
      amountRow(
        { id: "P6", what: `${what}, longest hold of the event loop, asked for one at a time` },
        { amount: longestHold, max: 50, unit: "ms" },
      ),
    );
  }
  return rows;
}

function stepTo({ server, cookie }: App, { path }: Page) {
  return { url: server.origin + path, headers: { Cookie: cookie }, status: 200 };
}

function timeEach(inputs: string[], work: (input: string) => void): number[] {
  return inputs.map((input) => {
    const start = performance.now();
    work(input);
    return performance.now() - start;
  });
}

/** The 95th percentile of some rounds, after one that warms up. */
function percentile(round: () => number[]): number {
  round();
  const times = Array.from({ length: ROUNDS }, round)
    .flat()
    .toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}
