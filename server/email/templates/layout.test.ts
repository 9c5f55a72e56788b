import { expect, test } from "vitest";

import { all } from "../../../tests/helpers/every-email.ts";

test("every pair of colours can be read: text 7:1, the rest 4.5:1", () => {
  const { html } = all.receipt;
  const light = /\.ground \{ background: (#\w+) !important; color: (#\w+)/.exec(html);
  const lightMuted = /\.muted \{ color: (#\w+)/.exec(html)?.[1];
  const lightButton = /\.button \{ background: (#\w+) !important; color: (#\w+)/.exec(html);
  expect(contrast("#0d1420", "#ece6d8")).toBeGreaterThan(7);
  expect(contrast(light?.[1], light?.[2])).toBeGreaterThan(7);
  expect(contrast(light?.[1], lightMuted)).toBeGreaterThan(4.5);
  expect(contrast(lightButton?.[1], lightButton?.[2])).toBeGreaterThan(4.5);
  expect(contrast(light?.[1], lightButton?.[1])).toBeGreaterThan(4.5);
  const button = /class="button"[^>]+background:(#\w+);color:(#\w+)/.exec(html);
  expect(contrast(button?.[1], button?.[2])).toBeGreaterThan(4.5);
  const muted = /class="muted line"[^>]+[;"]color:(#\w+)/.exec(html)?.[1];
  expect(contrast("#0d1420", muted)).toBeGreaterThan(4.5);
});

/** WCAG 2.2, "contrast ratio". */
function contrast(a = "", b = ""): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = NaN, green = NaN, blue = NaN] = (colour.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => {
    const share = parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
