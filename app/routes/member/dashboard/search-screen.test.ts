import { expect, test } from "vitest";

import { createCatalogue } from "../../../../server/content/catalogue/catalogue.ts";
import { article, setting } from "../../../../tests/helpers/article-source.ts";
import { createFixedContent } from "../../../../tests/helpers/fixed-content.ts";
import { createQuietLog } from "../../../../tests/helpers/quiet-log.ts";
import { findSearch } from "./search-screen.ts";
import type { SearchView } from "./view.ts";

const source = createFixedContent([{ ...article, date: "2025-05-31T09:00:00" }]);
const catalogue = createCatalogue({ source, setting, log: createQuietLog(), cardsPerPage: 24 });
await catalogue.refresh();

const view: SearchView = {
  name: "search",
  term: "worry list",
  section: undefined,
  order: "best",
  page: 1,
  isLiteral: false,
  isPastHelp: false,
};

// London is an hour ahead of UTC in summer: its days begin at 23:00 there.
test.each([
  ["2025-05-30T22:59:59Z", "31 May"],
  ["2025-05-30T23:00:00Z", "Today"],
  ["2025-05-31T22:59:59Z", "Today"],
  ["2025-05-31T23:00:00Z", "1 day ago"],
  ["2025-06-07T22:59:59Z", "7 days ago"],
  ["2025-06-07T23:00:00Z", "31 May"],
  ["2026-06-07T23:00:00Z", "31 May 2025"],
])("at %s an article of 31 May is said to be of %j, by the days of London", (now, age) => {
  const found = findSearch(catalogue, view, new Date(now));
  expect(found?.results.map((result) => result.age)).toEqual([age]);
});
