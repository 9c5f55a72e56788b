import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type App, openApp } from "../../../tests/helpers/app.ts";
import { listen, type Loopback } from "../../../tests/helpers/loopback.ts";
import { area, BLUE, isNear, lookAt, RED, svg } from "../../../tests/helpers/pictures.ts";
import { createRateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import { type Avatars, createAvatars } from "./avatars.ts";

let avatars: Avatars;
/** Limits a drawing to six times what an ordinary one takes on a slow machine. */
let hasty: Avatars;
const CPU_IN_MS = 1500;
let folder: string;
let server: Loopback;
const requests: string[] = [];
/** Addresses of red pictures, in each form that a drawing could use. */
let places: string[];
let app: App;

beforeAll(async () => {
  app = await openApp();
  ({ avatars } = app.services);
  const rateLimiter = createRateLimiter(app.ctx);
  hasty = createAvatars({ ...app.ctx, rateLimiter, drawing: { cpuInMs: CPU_IN_MS } });
  folder = await mkdtemp(join(tmpdir(), "dormouse-drawings-"));
  const red = await area(80, 40, RED).png().toBuffer();
  await writeFile(join(folder, "red.png"), red);
  await writeFile(join(folder, "red.svg"), svg('<rect id="a" width="80" height="40" fill="#dc141e"/>'));
  await writeFile(join(folder, "secret.txt"), "secret");
  server = await listen(
    createServer((request, response) => {
      requests.push(request.url ?? "");
      response.writeHead(200, { "Content-Type": "image/png" }).end(red);
    }),
  );
  places = [pathToFileURL(folder).href, folder, `file://localhost${folder}`, server.url, "."];
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A blue ground, on which anything that was loaded would be red. */
const ground = '<rect width="80" height="40" fill="#1428c8"/>';

const references: [string, (places: string[]) => string][] = [
  ["a picture", onGround((place) => `<image href="${place}/red.png" width="80" height="40"/>`)],
  ["a picture, as xlink", onGround((place) => `<image xlink:href="${place}/red.png" width="80" height="40"/>`)],
  ["a drawing", onGround((place) => `<image href="${place}/red.svg" width="80" height="40"/>`)],
  ["an element of another drawing", onGround((place) => `<use xlink:href="${place}/red.svg#a"/>`)],
  [
    "a style sheet by @import",
    (all) =>
      svg(
        `<style>${all.map((place) => `@import url("${place}/red.css");`).join(" ")} rect { fill: #1428c8 }</style>${ground}`,
      ).toString(),
  ],
  [
    "a style sheet before the drawing",
    (all) =>
      `<?xml version="1.0"?>${all.map((place) => `<?xml-stylesheet type="text/css" href="${place}/red.css"?>`).join("")}${svg(ground).toString()}`,
  ],
  [
    "a picture in a filter",
    onGround(
      (place, index) =>
        `<filter id="f${index}"><feImage xlink:href="${place}/red.png"/></filter><rect width="1" height="1" filter="url(#f${index})"/>`,
    ),
  ],
  [
    "a mask and a clip",
    onGround(
      (place) =>
        `<rect width="80" height="40" fill="none" mask="url(${place}/red.svg#a)" clip-path="url(${place}/red.svg#a)"/>`,
    ),
  ],
  [
    "a font",
    onGround(
      (place, index) =>
        `<style>@font-face { font-family: far${index}; src: url("${place}/red.woff") }</style><text font-family="far${index}" fill="#1428c8" y="20">a</text>`,
    ),
  ],
  [
    "a page inside",
    onGround(
      (place) =>
        `<foreignObject width="80" height="40"><img xmlns="http://www.w3.org/1999/xhtml" src="${place}/red.png"/><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}/red.png"/></foreignObject>`,
    ),
  ],
  ["a script", onGround((place) => `<script href="${place}/red.js"/><script>fetch("${place}/red.js")</script>`)],
  [
    "handlers",
    (all) => {
      const fetches = all.map((place) => `fetch('${place}/red.js')`).join(";");
      return svg(`${ground}<rect onload="${fetches}"/>`, `width="80" height="40" onload="${fetches}"`).toString();
    },
  ],
  [
    "an included file",
    onGround((place) => `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${place}/red.svg"/>`),
  ],
  [
    "a base and a name",
    onGround((place) => `<g xml:base="${place}/"><image href="red.png" width="80" height="40"/></g>`),
  ],
  [
    "a part of a document type",
    (all) =>
      `<!DOCTYPE svg [${all.map((place, index) => `<!ENTITY % a${index} SYSTEM "${place}/red.dtd"> %a${index};`).join(" ")}]>${svg(ground).toString()}`,
  ],
  [
    "an entity",
    (all) =>
      `<!DOCTYPE svg [${all.map((place, index) => `<!ENTITY a${index} SYSTEM "${place}/red.svg">`).join(" ")}]>${svg(`${ground}${all.map((_, index) => `&a${index};`).join("")}`).toString()}`,
  ],
];

const wholes: [string, (place: string) => string][] = [
  [
    "a base of the whole and a name",
    (place) =>
      svg(
        `${ground}<image href="red.png" width="80" height="40"/>`,
        `width="80" height="40" xml:base="${place}/"`,
      ).toString(),
  ],
  ["a document type elsewhere", (place) => `<!DOCTYPE svg SYSTEM "${place}/red.dtd">${svg(ground).toString()}`],
];

/** The ground below a reference to each place. */
function onGround(refer: (place: string, index: number) => string): (places: string[]) => string {
  return (all) => svg(`${ground}${all.map(refer).join("")}`).toString();
}

async function expectGround(drawing: string): Promise<{ ok: boolean }> {
  const result = await avatars.draw(Buffer.from(drawing));
  if (!result.ok) {
    expect(result.reason).toBe("unreadable");
    return result;
  }
  const { at } = await lookAt(result.picture.bytes);
  for (const x of [0.05, 0.5, 0.95]) expect(isNear(at(x, 0.5), BLUE), `${drawing}: ${at(x, 0.5).join()}`).toBe(true);
  return result;
}

describe("a drawing loads nothing and runs nothing", () => {
  test.each(references)("%s", async (_name, refer) => {
    const { ok } = await expectGround(refer(places));
    // One of the places may make it unreadable.
    if (!ok) for (const place of places) await expectGround(refer([place]));
    expect(requests).toEqual([]);
  });

  test.each(wholes)("%s", async (_name, refer) => {
    for (const place of places) await expectGround(refer(place));
    expect(requests).toEqual([]);
  });

  test("the test would see a reference that was followed", async () => {
    const red = (await area(80, 40, RED).png().toBuffer()).toString("base64");
    const result = await avatars.draw(
      svg(`${ground}<image href="data:image/png;base64,${red}" width="80" height="40"/>`),
    );
    if (!result.ok) throw new Error(result.reason);
    expect(isNear((await lookAt(result.picture.bytes)).at(0.5, 0.5), RED)).toBe(true);
  });

  test("the content of a file does not appear as text", async () => {
    const text = (entity: string) =>
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a ${entity}>]>${svg(`${ground}<text y="30" fill="#fff">&a;</text>`).toString()}`,
      );
    const [own, nothing, theirs] = await Promise.all([
      avatars.draw(text('"secret"')),
      avatars.draw(text('""')),
      avatars.draw(text(`SYSTEM "${pathToFileURL(folder).href}/secret.txt"`)),
    ]);
    // An entity of the drawing itself is ordinary text, so a hit would be visible.
    if (!own.ok || !nothing.ok) throw new Error("not drawn");
    if (theirs.ok) expect(theirs.picture.hash).toBe(nothing.picture.hash);
    else expect(theirs.reason).toBe("unreadable");
  });

  test("scripts, embedded pages and animations are removed", async () => {
    const bare = await avatars.draw(svg(ground));
    const body = `${ground}<script>alert("EVIL")</script><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml">EVIL</body></foreignObject><metadata>EVIL</metadata><desc>EVIL</desc>`;
    expect(await avatars.draw(svg(body))).toEqual(bare);
    expect(
      await avatars.draw(svg(`${ground}<a href="javascript:alert(1)"><set attributeName="fill" to="red"/></a>`)),
    ).toEqual(bare);
  });
});

/** Each level repeats the one before ten times. */
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
  ["40,000 by 40,000", "too-many-pixels", () => svg(ground, 'width="40000" height="40000"')],
  ["another root", "unreadable", () => `<svg xmlns="http://www.w3.org/1999/xhtml">${ground}</svg>`],
  [
    "another encoding than it says",
    "unreadable",
    () => Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${svg(ground).toString()}`),
  ],
];

describe("malformed and hostile drawings", () => {
  test.each(bombs)("%s: %s", { timeout: 120_000 }, async (_name, reason, make) => {
    const result = await hasty.draw(Buffer.from(make()));
    expect(result.ok ? "drawn" : result.reason).toBe(reason);
  });

  test.each<[string, () => Buffer | string]>([
    ["what is not a number", () => svg(ground, 'width="NaN" height="Infinity"')],
    ["an element that shows itself", () => svg(`${ground}<g id="a"><use xlink:href="#a"/></g>`)],
    [
      "a filter of itself",
      () =>
        svg(
          `${ground}<filter id="f"><feImage xlink:href="#a"/></filter><rect id="a" width="9" height="9" filter="url(#f)"/>`,
        ),
    ],
    ["five megabytes of a path", () => svg(`<path d="M0 0${"l1 1-1-1".repeat(600_000)}"/>`)],
  ])("%s ends, one way or the other", { timeout: 120_000 }, async (_name, make) => {
    const result = await hasty.draw(Buffer.from(make()));
    if (!result.ok) return expect(result.reason).toBe("unreadable");
    const { format, width, height } = await lookAt(result.picture.bytes);
    expect(format).toBe("webp");
    expect(width <= 800 && height <= 400).toBe(true);
  });

  test("bombs do not block other pictures for long, and free their memory", { timeout: 240_000 }, async () => {
    const [, , make] = bombs.find(([name]) => name === "hours of filtering") ?? [];
    const before = process.memoryUsage.rss();
    const results = await Promise.all([
      ...Array.from({ length: 2 }, () => hasty.draw(Buffer.from(make?.() ?? ""))),
      hasty.draw(svg(ground)),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });
});
