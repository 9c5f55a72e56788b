import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { readDocument, readTable } from "../helpers/docs.ts";

/** The table in docs/security.md: what of ASVS 5.0.0 level 2 can be seen from outside, and which tests show it. */
const rows = readTable(readDocument("docs/security.md"), "ASVS").map(([ids = "", holds = "", shown = ""]) => ({
  ids,
  holds,
  shown,
}));

/** The requirements that the product was built for. */
const wanted = `
  1.2.1 1.2.2 1.2.4 1.2.9 1.3.1 1.3.4 1.3.6 1.3.11
  2.2.2 2.3.1 2.3.2 2.3.3 2.3.4 2.4.1
  3.2.1 3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.5.1 3.5.2 3.5.3 3.5.5 3.7.2
  4.1.1 4.1.3 4.2.1
  5.2.1 5.2.2 5.2.6 5.3.2 5.4.1 5.4.2 5.4.3
  6.1.1 6.2.1 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.2.9 6.2.11 6.2.12 6.3.1 6.3.2 6.3.8 6.4.1 6.4.3 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.2 6.6.3
  7.2.1 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.3 7.4.4 7.5.1 7.5.2
  8.2.1 8.2.2 8.2.3 8.3.1 8.4.1
  11.4.2 11.5.1 12.1.1 12.3.2
  13.2.4 13.3.1 13.4.1 13.4.2 13.4.3 13.4.4 13.4.5
  14.2.1 14.2.2 14.3.1 14.3.2 14.3.3
  15.1.2 15.2.1 15.2.2 15.2.3 15.3.1 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7
  16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.5.1 16.5.2 16.5.3
`
  .trim()
  .split(/\s+/);

test("the table has every requirement, once", () => {
  const listed = rows.flatMap(({ ids }) => ids.split(", "));
  expect(listed.toSorted()).toEqual(wanted.toSorted());
});

test("each row says what holds, and every test that it names is there and tests something", () => {
  for (const { ids, holds, shown } of rows) {
    expect(holds, ids).toMatch(/^.{5,}\.$/);
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(files.length, ids).toBeGreaterThan(0);
    for (const file of files) {
      expect(file, ids).toMatch(/\.(?:test|spec|journey)\.tsx?$/);
      expect(existsSync(file) && readFileSync(file, "utf8"), `${ids}: ${file}`).toMatch(
        /\btest[.(]|describe[.(]|check\w+\(/,
      );
    }
  }
});
