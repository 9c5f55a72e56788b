import { expect, test } from "vitest";

import type { DayFigure } from "../../../../server/operations/figures/figures.ts";
import { toLargeFigure, toShownFigure } from "./shown-figure.ts";

const WEEKS = { unit: "week", count: 2 } as const;

function show(
  measure: "sign-ups" | "members" | "income",
  pairs: [value?: number | undefined, before?: number | undefined][],
) {
  const days: DayFigure[] = pairs.map(([value, before], index) => ({
    day: `2026-11-${16 + 7 * index}`,
    value,
    before,
  }));
  const figure = { measure, days, today: undefined };
  return { ...toShownFigure(figure, WEEKS), large: toLargeFigure(figure, WEEKS) };
}

test.each<[string, Parameters<typeof show>[1], string | undefined]>([
  [
    "more",
    [
      [4, 3],
      [8, 7],
    ],
    "Up 20% on the 2 weeks before",
  ],
  [
    "less",
    [
      [4, 10],
      [5, 10],
    ],
    "Down 55% on the 2 weeks before",
  ],
  [
    "a little more",
    [
      [1000, 1000],
      [1001, 1000],
    ],
    "Up less than 1% on the 2 weeks before",
  ],
  [
    "the same",
    [
      [2, 1],
      [3, 4],
    ],
    "No change on the 2 weeks before",
  ],
  [
    "none before",
    [
      [2, 0],
      [3, 0],
    ],
    "Up from none on the 2 weeks before",
  ],
  [
    "a week without one before it",
    [
      [2, undefined],
      [3, 1],
    ],
    undefined,
  ],
  [
    "a week that was not counted",
    [
      [undefined, undefined],
      [3, 2],
    ],
    "Up 50% on the 2 weeks before",
  ],
  ["nothing", [[], []], undefined],
])("sums are compared with the time before: %s", (_name, pairs, comparison) => {
  expect(show("sign-ups", pairs).comparison).toBe(comparison);
});

test("a level is compared by its last value alone", () => {
  const { comparison, sum } = show("members", [
    [10, undefined],
    [30, 20],
  ]);
  expect([sum, comparison]).toEqual(["30", "Up 50% in 2 weeks"]);
});

test("each point of the large one is read in words, with the one before it, and a gap says so", () => {
  const { large } = show("income", [
    [undefined, undefined],
    [300_000, 150_000],
  ]);
  expect(large.points.map(({ words }) => words)).toEqual([
    "Week from 16/11/2026: not counted",
    "Week from 23/11/2026: £3,000.00 · 2 weeks before: £1,500.00",
  ]);
  expect(large.note).toBe("The highest week: £3,000.00, from 23/11/2026. Dashed: the 2 weeks before.");
  expect(large.marks.map(({ words }) => words)).toEqual(["£0", "£1,500", "£3,000"]);
  expect(large.rows).toEqual([{ day: "23/11/2026", value: "£3,000.00", before: "£1,500.00" }]);
});
