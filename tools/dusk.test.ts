import { expect, test } from "vitest";

import { toDusk } from "./dusk.ts";

const brightness = (colour: string) =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0) / 3;

const fillOf = (svg: string) => /fill="(#\w{6})"/.exec(svg)?.[1] ?? "";

test.each(["#0d1420", "#111a22", "#172530", "#24424a", "#2a221b"])("%s is no longer dark at dusk", (colour) =>
  expect(brightness(fillOf(toDusk(`<path fill="${colour}"/>`)))).toBeGreaterThan(brightness(colour) + 40),
);

test.each(["#ece2c4", "#ffd98a"])("the light %s stays as it is", (colour) => {
  const now = fillOf(toDusk(`<path fill="${colour}"/>`));
  expect(Math.abs(brightness(now) - brightness(colour))).toBeLessThan(3);
});

test("a sky turns from lavender above to peach at the horizon, whatever the night's was", () => {
  const night = `<linearGradient id="sky" x1="0"><stop offset="0" stop-color="#0d1420"/><stop offset="1" stop-color="#2a4a50"/></linearGradient>`;
  expect(toDusk(night)).toBe(night.replace("#0d1420", "#8d99bf").replace("#2a4a50", "#fbdfb4"));
});

test("clouds have the light of the horizon, and corners lose most of their shadow", () => {
  expect(toDusk('<path fill="#2a4854" opacity="0.4" filter="url(#cld)"/>')).toBe(
    '<path fill="#f6cfc0" opacity="0.4" filter="url(#cld)"/>',
  );
  const corners =
    '<radialGradient id="vig"><stop offset="1" stop-color="#060a12" stop-opacity="0.6"/></radialGradient>';
  expect(toDusk(corners)).toContain('stop-opacity="0.180"');
});
