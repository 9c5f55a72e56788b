import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestDatabase } from "../../tests/helpers/databases.ts";
import { area, BLUE, isNear, lookAt, RED, svg } from "../../tests/helpers/pictures.ts";
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
