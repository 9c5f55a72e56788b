import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openAvatarApp, type AvatarApp } from "../../tests/helpers/avatar-app.ts";
import { deflatedZeros, lookAt, png, pngChunk, svg } from "../../tests/helpers/pictures.ts";

let avatars: AvatarApp["avatars"];
let close: AvatarApp["close"];

/** Six times what an ordinary drawing takes on a slow machine. */
const CPU_IN_MS = 1500;

beforeAll(async () => {
  ({ avatars, close } = await openAvatarApp({ cpuInMs: CPU_IN_MS }));
});

afterAll(() => close());

const ground = '<rect width="80" height="40" fill="#1428c8"/>';
const DATA_RED = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** Each level holds the one before ten times. */
function nest(levels: number, level: (name: string, inner: string) => string): string {
  return Array.from({ length: levels }, (_, index) => level(`a${index + 1}`, `a${index}`)).join("");
}

const bombs: [string, string, () => Buffer | string][] = [
  [
    "a billion laughs",
    "unreadable",
    () =>
      `<!DOCTYPE svg [<!ENTITY a0 "ha">${nest(12, (name, inner) => `<!ENTITY ${name} "${`&${inner};`.repeat(10)}">`)}]>${svg("<text>&a12;</text>").toString()}`,
  ],
  [
    "one long entity many times",
    "unreadable",
    () =>
      `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(50_000)}">]>${svg(`<text>${"&a;".repeat(100_000)}</text>`).toString()}`,
  ],
  [
    "an entity of itself",
    "unreadable",
    () => `<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>${svg("<text>&a;</text>").toString()}`,
  ],
  ["elements 100,000 deep", "unreadable", () => svg("<g>".repeat(100_000) + "</g>".repeat(100_000))],
  [
    "ten to the thirtieth copies",
    "unreadable",
    () =>
      svg(
        `<defs><g id="a0"><rect width="1" height="1"/></g>${nest(30, (name, inner) => `<g id="${name}">${`<use xlink:href="#${inner}"/>`.repeat(10)}</g>`)}</defs><use xlink:href="#a30"/>`,
      ),
  ],
  [
    "hours of filtering",
    "unreadable",
    () =>
      svg(
        `<filter id="f" x="0" y="0" width="1" height="1">${'<feMorphology operator="dilate" radius="400"/>'.repeat(2000)}</filter><rect width="800" height="400" filter="url(#f)"/>`,
        'width="800" height="400"',
      ),
  ],
  [
    "gigabytes of filtering",
    "unreadable",
    () =>
      svg(
        `<filter id="f" x="0" y="0" width="1" height="1">${Array.from({ length: 20_000 }, (_, index) => `<feFlood result="r${index}"/>`).join("")}</filter><rect width="800" height="400" filter="url(#f)"/>`,
        'width="800" height="400"',
      ),
  ],
  ["no size at all", "unreadable", () => svg("", "")],
  ["no height", "unreadable", () => svg(ground, 'width="80" height="0"')],
  ["40,000 by 40,000", "too-many-pixels", () => svg(ground, 'width="40000" height="40000"')],
  ["40,000 by 40,000 by its frame", "too-many-pixels", () => svg(ground, 'viewBox="0 0 40000 40000"')],
  ["another root", "unreadable", () => `<svg xmlns="http://www.w3.org/1999/xhtml">${ground}</svg>`],
  [
    "UTF-16",
    "unsupported",
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg(ground).toString(), "utf16le")]),
  ],
  ["a zipped drawing", "unsupported", () => gzipSync(svg(ground))],
  [
    "another encoding than it says",
    "unreadable",
    () => Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${svg(ground).toString()}`),
  ],
];

describe("what is a drawing only by name", () => {
  test.each(bombs)("%s: %s", { timeout: 120_000 }, async (_name, reason, make) => {
    const result = await avatars.draw(Buffer.from(make()));
    expect(result.ok ? "drawn" : result.reason).toBe(reason);
  });

  test.each<[string, () => Buffer | string]>([
    ["less than nothing", () => svg(ground, 'width="-80" height="-40"')],
    ["what is not a number", () => svg(ground, 'width="NaN" height="Infinity"')],
    ["kilometres", () => svg(ground, 'width="1e30km" height="1e30in"')],
    ["an element that shows itself", () => svg(`${ground}<g id="a"><use xlink:href="#a"/></g>`)],
    [
      "patterns that fill each other",
      () =>
        svg(
          `<pattern id="a" width="9" height="9"><rect width="9" height="9" fill="url(#b)"/></pattern><pattern id="b" width="9" height="9"><rect width="9" height="9" fill="url(#a)"/></pattern><rect width="80" height="40" fill="url(#a)"/>`,
        ),
    ],
    [
      "a filter of itself",
      () =>
        svg(
          `${ground}<filter id="f"><feImage xlink:href="#a"/></filter><rect id="a" width="9" height="9" filter="url(#f)"/>`,
        ),
    ],
    [
      "a picture of 40,000 by 40,000 inside",
      () =>
        svg(
          `${ground}<image width="9" height="9" href="data:image/png;base64,${png({ width: 40_000, height: 40_000 }, pngChunk("IDAT", deflatedZeros(1_000_000))).toString("base64")}"/>`,
        ),
    ],
    ["a drawing inside a drawing", () => svg(`${ground}<image width="9" height="9" href="${DATA_RED}"/>`)],
    ["five megabytes of a path", () => svg(`<path d="M0 0${"l1 1-1-1".repeat(600_000)}"/>`)],
    ["two thousand words", () => svg(`<text y="9">${"zzz ".repeat(2000)}</text>`)],
    [
      "places beyond counting",
      () => svg('<rect x="1e38" y="-1e38" width="1e38" height="1e38"/><path d="M1e300 1e300L-1e300 0"/>'),
    ],
    ["a thousand words for a colour", () => svg(`<rect style="${"fill:red;".repeat(100_000)}"/>`)],
  ])("%s ends, one way or the other", { timeout: 120_000 }, async (_name, make) => {
    const result = await avatars.draw(Buffer.from(make()));
    if (!result.ok) return expect(result.reason).toBe("unreadable");
    const { format, width, height } = await lookAt(result.picture.bytes);
    expect(format).toBe("webp");
    expect(width <= 800 && height <= 400).toBe(true);
  });

  test("bombs hold up nobody for long, and leave nothing behind", { timeout: 240_000 }, async () => {
    const [, , make] = bombs.find(([name]) => name === "hours of filtering") ?? [];
    const before = process.memoryUsage.rss();
    const results = await Promise.all([
      ...Array.from({ length: 2 }, () => avatars.draw(Buffer.from(make?.() ?? ""))),
      avatars.draw(svg(ground)),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });
});
