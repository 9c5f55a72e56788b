import { expect, test } from "vitest";

import { drawBars, PLOT_HEIGHT, PLOT_WIDTH } from "./shown-figure.ts";

/** Left edge, width and height of each bar. */
function readBars(path: string) {
  return [...path.matchAll(/M([\d.]+) 120v(-[\d.]+)h([\d.]+)v([\d.]+)z/g)].map(([, left, up, width, down]) => {
    expect(-Number(up)).toBe(Number(down));
    return { left: Number(left), width: Number(width), height: Number(down) };
  });
}

test("without a value nothing is drawn", () => {
  expect(drawBars([])).toBe("");
  expect(drawBars([undefined, undefined])).toBe("");
});

test("one value is one bar in the middle, as high as the plot", () => {
  expect(readBars(drawBars([7]))).toEqual([{ left: 75, width: 450, height: PLOT_HEIGHT }]);
});

test("many values are bars beside one another, each as high as its share of the largest", () => {
  const bars = readBars(drawBars(Array.from({ length: 90 }, (_, index) => index + 1)));
  expect(bars).toHaveLength(90);
  for (const [index, bar] of bars.entries()) {
    expect(bar.left).toBeGreaterThan(index === 0 ? 0 : (bars[index - 1]?.left ?? 0) + bar.width);
    expect(bar.height).toBeCloseTo(Math.max(3, ((index + 1) / 90) * PLOT_HEIGHT), 1);
  }
  expect((bars.at(-1)?.left ?? 0) + (bars.at(-1)?.width ?? 0)).toBeLessThan(PLOT_WIDTH);
});

test("a gap is an empty place, which a day with nothing is not", () => {
  const bars = readBars(drawBars([4, undefined, 0, 2]));
  expect(bars.map(({ height }) => height)).toEqual([120, 1, 60]);
  expect(bars.map(({ left }) => Math.floor(left / 150))).toEqual([0, 2, 3]);
});

test("days with nothing alone, and little beside much, can be seen", () => {
  expect(readBars(drawBars([0, 0])).map(({ height }) => height)).toEqual([1, 1]);
  expect(readBars(drawBars([1, 100_000])).map(({ height }) => height)).toEqual([3, 120]);
});
