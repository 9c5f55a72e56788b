import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestDatabase } from "../../tests/helpers/databases.ts";
import { area, BLUE, isNear, lookAt, pngChunk, png, deflatedZeros, RED, svg } from "../../tests/helpers/pictures.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createAvatars, type Avatars } from "./avatars.ts";

let avatars: Avatars;
let folder: string;
let server: Server;
/** What was asked of the server that drawings refer to. */
const asked: string[] = [];
/** Where a red picture lies, as a drawing could name it. */
const places = { file: "", folder: "", http: "" };
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase("sqlite");
  closeDatabase = database.close;
  avatars = createAvatars({ db: database.db, clock: createTestClock() });
  folder = await mkdtemp(join(tmpdir(), "dormouse-drawings-"));
  const red = await area(80, 40, RED).png().toBuffer();
  await writeFile(join(folder, "red.png"), red);
  await writeFile(join(folder, "red.svg"), svg('<rect id="a" width="80" height="40" fill="#dc141e"/>'));
  await writeFile(join(folder, "secret.txt"), "secret");
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "Content-Type": "image/png" }).end(red);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  places.http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  places.folder = folder;
  places.file = pathToFileURL(folder).href;
});

afterAll(async () => {
  server.close();
  await closeDatabase();
  await rm(folder, { recursive: true, force: true });
});

/** A blue ground, on which anything that was loaded would be red. */
const ground = '<rect width="80" height="40" fill="#1428c8"/>';
const DATA_RED = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

const references: [string, (place: string) => string][] = [
  ["a picture", (place) => svg(`${ground}<image href="${place}/red.png" width="80" height="40"/>`).toString()],
  [
    "a picture, as xlink",
    (place) => svg(`${ground}<image xlink:href="${place}/red.png" width="80" height="40"/>`).toString(),
  ],
  ["a drawing", (place) => svg(`${ground}<image href="${place}/red.svg" width="80" height="40"/>`).toString()],
  ["an element of another drawing", (place) => svg(`${ground}<use xlink:href="${place}/red.svg#a"/>`).toString()],
  [
    "a style sheet by @import",
    (place) => svg(`<style>@import url("${place}/red.css"); rect { fill: #1428c8 }</style>${ground}`).toString(),
  ],
  [
    "a style sheet before the drawing",
    (place) =>
      `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${place}/red.css"?>${svg(ground).toString()}`,
  ],
  [
    "a style sheet by a link",
    (place) =>
      svg(`<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="${place}/red.css"/>${ground}`).toString(),
  ],
  [
    "a filling",
    (place) => svg(`${ground}<rect width="80" height="40" fill="url(${place}/red.svg#a) none"/>`).toString(),
  ],
  ["a background", (place) => svg(`${ground}<g style="background: url(${place}/red.png)"/>`).toString()],
  [
    "a picture in a filter",
    (place) =>
      svg(
        `<filter id="f"><feImage xlink:href="${place}/red.png"/></filter>${ground}<rect width="1" height="1" filter="url(#f)"/>`,
      ).toString(),
  ],
  [
    "a mask and a clip",
    (place) =>
      svg(
        `${ground}<rect width="80" height="40" fill="none" mask="url(${place}/red.svg#a)" clip-path="url(${place}/red.svg#a)"/>`,
      ).toString(),
  ],
  [
    "a font",
    (place) =>
      svg(
        `<style>@font-face { font-family: far; src: url("${place}/red.woff") }</style>${ground}<text font-family="far" fill="#1428c8" y="20">a</text>`,
      ).toString(),
  ],
  [
    "a page inside",
    (place) =>
      svg(
        `${ground}<foreignObject width="80" height="40"><img xmlns="http://www.w3.org/1999/xhtml" src="${place}/red.png"/><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}/red.png"/></foreignObject>`,
      ).toString(),
  ],
  [
    "a script",
    (place) => svg(`${ground}<script href="${place}/red.js"/><script>fetch("${place}/red.js")</script>`).toString(),
  ],
  [
    "handlers",
    (place) =>
      svg(
        `${ground}<rect onload="fetch('${place}/red.js')"/>`,
        `width="80" height="40" onload="fetch('${place}/red.js')"`,
      ).toString(),
  ],
  [
    "an included file",
    (place) =>
      svg(`${ground}<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${place}/red.svg"/>`).toString(),
  ],
  [
    "a base and a name",
    (place) =>
      svg(
        `${ground}<image href="red.png" width="80" height="40"/>`,
        `width="80" height="40" xml:base="${place}/"`,
      ).toString(),
  ],
  ["a document type elsewhere", (place) => `<!DOCTYPE svg SYSTEM "${place}/red.dtd">${svg(ground).toString()}`],
  [
    "a part of a document type",
    (place) => `<!DOCTYPE svg [<!ENTITY % a SYSTEM "${place}/red.dtd"> %a;]>${svg(ground).toString()}`,
  ],
  ["an entity", (place) => `<!DOCTYPE svg [<!ENTITY a SYSTEM "${place}/red.svg">]>${svg(`${ground}&a;`).toString()}`],
];

describe("a drawing loads nothing and runs nothing", () => {
  test.each(references)("%s", async (_name, refer) => {
    for (const place of [
      places.file,
      places.folder,
      `file://localhost${places.folder}`,
      places.http.slice(0, -1),
      ".",
    ]) {
      const result = await avatars.draw(Buffer.from(refer(place)));
      // What is not drawn at all has loaded nothing either.
      if (!result.ok) {
        expect(result.reason).toBe("unreadable");
        continue;
      }
      const { at } = await lookAt(result.picture.bytes);
      for (const x of [0.05, 0.5, 0.95]) expect(isNear(at(x, 0.5), BLUE), `${place}: ${at(x, 0.5).join()}`).toBe(true);
    }
    expect(asked).toEqual([]);
  });

  test("what the references would show, if they were followed, is seen when it is really there", async () => {
    const red = (await area(80, 40, RED).png().toBuffer()).toString("base64");
    const result = await avatars.draw(
      svg(`${ground}<image href="data:image/png;base64,${red}" width="80" height="40"/>`),
    );
    if (!result.ok) throw new Error(result.reason);
    expect(isNear((await lookAt(result.picture.bytes)).at(0.5, 0.5), RED)).toBe(true);
  });

  test("a file is no text of a drawing", async () => {
    const text = (entity: string) =>
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a ${entity}>]>${svg(`${ground}<text y="30" fill="#fff">&a;</text>`).toString()}`,
      );
    const [own, nothing, theirs] = await Promise.all([
      avatars.draw(text('"secret"')),
      avatars.draw(text('""')),
      avatars.draw(text(`SYSTEM "${places.file}/secret.txt"`)),
    ]);
    // An entity of the drawing itself is text like any other: what is looked for can be seen.
    if (!own.ok || !nothing.ok) throw new Error("not drawn");
    if (theirs.ok) expect(theirs.picture.hash).toBe(nothing.picture.hash);
    else expect(theirs.reason).toBe("unreadable");
  });

  test("of a script, a page and an animation not a word is left", async () => {
    const bare = await avatars.draw(svg(ground));
    const body = `${ground}<script>alert("EVIL")</script><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml">EVIL</body></foreignObject><metadata>EVIL</metadata><desc>EVIL</desc>`;
    expect(await avatars.draw(svg(body))).toEqual(bare);
    expect(
      await avatars.draw(svg(`${ground}<a href="javascript:alert(1)"><set attributeName="fill" to="red"/></a>`)),
    ).toEqual(bare);
  });
});

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
