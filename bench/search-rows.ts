import { createCatalogue } from "../server/content/catalogue.ts";
import { suggestTopics, topics } from "../server/content/suggestions.ts";
import { createLog } from "../server/log.ts";
import { amountRow, type Row } from "./report.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** A page of results, made as a request makes it. */
const RESULTS = 24;
const ROUNDS = 20;

/** What people type: topics, phrases, misspellings, words of the texts, and nothing that is anywhere. */
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
