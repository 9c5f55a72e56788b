import { expect, test } from "vitest";

import { CHART_HEIGHT, CHART_WIDTH, drawArea, drawLine, findMarks } from "./line-shape.ts";

test("without a value nothing is drawn", () => {
  expect(drawLine([], 2)).toBe("");
  expect(drawLine([undefined, undefined], 2)).toBe("");
  expect(drawArea([undefined, 3, undefined], 4)).toBe("");
});

test("one value is a dot in the middle, and one between gaps a dot in its place", () => {
  expect(drawLine([7], 14)).toBe("M300 60h0");
  expect(drawLine([undefined, 0, undefined], 2)).toBe("M300 120h0");
});

test("values go from edge to edge, from zero up to the top", () => {
  expect(drawLine([0, 5, 10], 10)).toBe(`M0 ${CHART_HEIGHT}L300 60L${CHART_WIDTH} 0`);
  expect(drawArea([0, 5, 10], 10)).toBe("M0 120L0 120L300 60L600 0L600 120z");
});

test("a gap breaks the line, which a day with nothing does not", () => {
  expect(drawLine([4, 0, undefined, 2, 4], 4)).toBe("M0 0L150 120M450 60L600 0");
});

test.each([
  [0, 1, [0, 1, 2]],
  [1, 1, [0, 1, 2]],
  [3, 1, [0, 2, 4]],
  [38, 1, [0, 20, 40]],
  [41, 1, [0, 25, 50]],
  [5586, 1, [0, 3000, 6000]],
  [0, 100, [0, 100, 200]],
  [21_000, 100, [0, 15_000, 30_000]],
  [30, 5, [0, 15, 30]],
])("the scale for %i in multiples of %i is %j", (largest, least, marks) => {
  expect(findMarks(largest, least)).toEqual(marks);
});
