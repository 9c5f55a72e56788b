import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createCatalogue } from "../content/catalogue.ts";
import { itemKinds, toItem, type ItemKind } from "../content/item.ts";
import { sourceItemSchema } from "../content/source-item.ts";
import { createBundledContent } from "./bundled-content.ts";

const folder = join(import.meta.dirname, "..", "content", "bundled");
const setting = { productName: "Dormouse", mediaBase: "/dashboard/media/" };

const content = createBundledContent(folder);
const sources = (await content.listItems()).map((source) => sourceItemSchema.parse(source));
const items = sources.map((source) => toItem(source, setting));
const itemsOf = (kind: ItemKind) => items.filter((item) => item.kind === kind);

/** Every file that a source refers to as `media/NAME`. */
const mediaNames = [
  ...new Set([...JSON.stringify(sources).matchAll(/\bmedia\/([^"\\\s<>]+)/g)].map(([, name]) => name ?? "")),
];

describe("what is bundled", () => {
  test("there are articles, videos and webinars enough to fill a house", () => {
    expect(itemsOf("read").length).toBeGreaterThanOrEqual(18);
    expect(itemsOf("watch").length).toBeGreaterThanOrEqual(14);
    expect(itemsOf("learn").length).toBeGreaterThanOrEqual(9);
  });

  test("four articles or more are featured", () => {
    expect(items.filter(({ isSticky }) => isSticky).length).toBeGreaterThanOrEqual(4);
  });

  test("every number is one item's own", () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  test("every item has a title, a date, topics and a text to quote", () => {
    for (const item of items) {
      expect(item.title, `title of ${item.id}`).not.toBe("Untitled");
      expect(item.date, `date of ${item.id}`).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(item.terms.length, `topics of ${item.id}`).toBeGreaterThan(0);
      expect(item.lead.length, `lead of ${item.id}`).toBeGreaterThan(350);
    }
  });

  test("no Markdown is left over in a text", () => {
    for (const { id, text } of items) expect(text, `text of ${id}`).not.toMatch(/\*\*|\]\(|\[\^|^#|<!--|\| --/);
  });

  test("a body has 300 to 900 words, give or take a few", () => {
    for (const { id, text } of items) {
      expect(text.split(" ").length, `words of ${id}`).toBeGreaterThanOrEqual(280);
      expect(text.split(" ").length, `words of ${id}`).toBeLessThanOrEqual(950);
    }
  });

  test("films come in both orientations, and from a file, YouTube and Vimeo", () => {
    const films = itemsOf("watch").flatMap(({ video }) => video ?? []);
    expect(new Set(films.map(({ orientation }) => orientation))).toEqual(new Set(["landscape", "portrait"]));
    expect(films.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["file", "youtube", "vimeo"]));
  });

  test("six videos or more have a transcript, apart from the body", () => {
    const transcribed = itemsOf("watch").filter(({ transcriptHtml }) => transcriptHtml);
    expect(transcribed.length).toBeGreaterThanOrEqual(6);
    for (const { bodyHtml, transcriptHtml } of transcribed) expect(bodyHtml).not.toContain(transcriptHtml);
  });

  test("four people or more sign by name", () => {
    const named = new Set(items.map(({ author }) => author).filter((author) => author !== "Dormouse Team"));
    expect(named.size).toBeGreaterThanOrEqual(4);
  });

  test("a footnote and its mark lead to each other", () => {
    const noted = items.filter(({ bodyHtml }) => bodyHtml.includes('href="#'));
    expect(noted.length).toBeGreaterThan(0);
    for (const { id, bodyHtml } of noted) {
      const targets = [...bodyHtml.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
      for (const target of targets) expect(bodyHtml, `link of ${id}`).toContain(`id="${target}"`);
    }
  });
});

describe("the odd ones that a CMS has too", () => {
  test("an item has no author", () => {
    expect(sources.some(({ _embedded }) => _embedded?.author === undefined)).toBe(true);
  });

  test("an item is signed by a staff handle, which nobody sees", () => {
    const isByStaff = sources.map(({ _embedded }) => _embedded?.author?.[0]?.name === "dormouse-staff");
    expect(isByStaff).toContain(true);
    expect(items.map(({ author }) => author)).not.toContain("dormouse-staff");
  });

  test("an item has no picture, another has one", () => {
    expect(items.some(({ picture }) => "scene" in picture)).toBe(true);
    expect(items.some(({ picture }) => "src" in picture)).toBe(true);
  });

  test("a title has entities, which are read", () => {
    expect(sources.some(({ title }) => /&(?:#\d+|\w+);/.test(title.rendered))).toBe(true);
    for (const { title } of items) expect(title).not.toMatch(/&(?:#\d+|\w+);/);
  });

  test("a title is very long", () => {
    expect(Math.max(...items.map(({ title }) => title.length))).toBeGreaterThanOrEqual(160);
  });

  test("a video has no video fields", () => {
    const fields = sources.filter(({ type }) => type === "videos").map(({ acf }) => acf);
    expect(fields.some((acf) => !acf?.youtube_url && !acf?.vimeo_url && !acf?.video_url)).toBe(true);
    expect(itemsOf("watch").some(({ video }) => video === undefined)).toBe(true);
  });

  test("a video is on a host that we do not know", () => {
    expect(itemsOf("watch").some(({ video }) => video?.kind === "elsewhere")).toBe(true);
  });
});

test.each(["can't sleep", "waking in the night", "temperature", "snoring", "menopause", "shift work"])(
  "a search for “%s” finds something to watch, to read and to learn",
  async (term) => {
    const catalogue = createCatalogue({ source: content, setting, log: createQuietLog(), cardsPerPage: 12 });
    await catalogue.refresh();
    const { byKind: found } = catalogue.search({ term, order: "best" });
    for (const kind of itemKinds) expect(found[kind].length, `to ${kind}`).toBeGreaterThan(0);
  },
);

test("the whole of it goes into the catalogue without a word in the log", async () => {
  const log = createQuietLog();
  const catalogue = createCatalogue({ source: content, setting, log, cardsPerPage: 100 });
  await catalogue.refresh();
  expect(log.lines).toEqual([]);
  for (const { kind, id } of items) expect(catalogue.findItem(kind, id)).toBeDefined();
});

describe("media", () => {
  const findFile = async (name: string) => {
    const media = await content.findMedia(name);
    return media === "away" ? undefined : media;
  };

  test("items refer to pictures and films", () => {
    expect(mediaNames.some((name) => name.endsWith(".webp"))).toBe(true);
    expect(mediaNames.some((name) => name.endsWith(".mp4"))).toBe(true);
  });

  test.each(mediaNames)("%s is there, and is what its name says", async (name) => {
    const media = await findFile(name);
    expect(media?.contentType).toBe(name.endsWith(".mp4") ? "video/mp4" : "image/webp");
    expect(media?.sizeInBytes).toBeGreaterThan(100);
    const start = Buffer.from((await media?.read(0, 11)) ?? []).toString("latin1");
    expect(start).toMatch(name.endsWith(".mp4") ? /^....ftyp/s : /^RIFF....WEBP$/s);
  });

  test("every picture says its size, so that the page does not jump", () => {
    for (const { id, bodyHtml } of items) {
      for (const [tag] of bodyHtml.matchAll(/<img[^>]*>/g)) {
        expect(tag, `picture of ${id}`).toMatch(/ width="\d+" height="\d+" src="\/dashboard\/media\//);
        expect(tag, `picture of ${id}`).toMatch(/ alt="[^"]{10,}"/);
      }
    }
  });

  test("every cover says its size", () => {
    const covers = sources.flatMap(({ _embedded }) => _embedded?.["wp:featuredmedia"] ?? []);
    expect(covers.length).toBeGreaterThan(0);
    for (const cover of covers) {
      expect(cover?.media_details).toEqual({ width: expect.any(Number), height: expect.any(Number) });
    }
  });

  test("a file is read whole, in parts, and byte by byte", async () => {
    const whole = await readFile(join(folder, "media", "airway.webp"));
    const media = await findFile("airway.webp");
    expect(media?.sizeInBytes).toBe(whole.length);
    expect(Buffer.from((await media?.read(0, whole.length - 1)) ?? [])).toEqual(whole);
    expect(Buffer.from((await media?.read(8, 11)) ?? []).toString()).toBe("WEBP");
    expect(Buffer.from((await media?.read(whole.length - 1, whole.length - 1)) ?? [])).toEqual(whole.subarray(-1));
  });

  test("films and pictures are all that is served, the list of sizes is not", async () => {
    for (const name of await readdir(join(folder, "media"))) {
      expect((await content.findMedia(name)) !== undefined, `serves ${name}`).toBe(/\.(?:webp|mp4)$/.test(name));
    }
  });

  test.each([
    "../media/airway.webp",
    "..",
    "../../../../../../etc/passwd",
    "/etc/passwd",
    "./airway.webp",
    "media/airway.webp",
    "airway.webp/",
    "airway.webp/..",
    "..\\media\\airway.webp",
    "..%2fmedia%2fairway.webp",
    "airway%2ewebp",
    "airway.webp\0",
    "airway.webp\n",
    "airway.webp?x=1",
    "airway.webp ",
    "airway..webp",
    "AIRWAY.WEBP",
    "Airway.webp",
    "airway.WEBP",
    ".webp",
    ".env",
    ".airway.webp",
    "pictures.json",
    "airway",
    "airway.jpg",
    "airway.constructor",
    "no-such-picture.webp",
    "",
  ])("nothing is served under the name %j", async (name) => {
    expect(await content.findMedia(name)).toBeUndefined();
  });
});

/** A folder like the bundled one, with one article in it. */
async function openFolder(article: string) {
  const path = await mkdtemp(join(tmpdir(), "dormouse-bundled-"));
  for (const name of ["articles", "videos", "webinars", "media"]) await mkdir(join(path, name));
  await writeFile(join(path, "media", "pictures.json"), '{ "moon.webp": { "width": 400, "height": 300 } }');
  await writeFile(join(path, "articles", "9-moon.md"), article);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("an article is its front matter, its body and, under a mark, its transcript", async () => {
  await using house = await openFolder(
    `---\nid: 9\ntitle: "Moon &amp; tide"\ndate: "2026-11-20T03:00:00"\nauthor: Maren Holt\nterms: [Moon]\nimage: moon.webp\n---\n\n` +
      `A *full* moon. ![The "moon"](media/moon.webp)\n\n<!-- transcript -->\n\nHello.\n`,
  );
  const [source] = await createBundledContent(house.path).listItems();
  expect(toItem(sourceItemSchema.parse(source), setting)).toMatchObject({
    id: 9,
    kind: "read",
    title: "Moon & tide",
    author: "Maren Holt",
    date: "2026-11-20",
    terms: ["Moon"],
    picture: { src: "/dashboard/media/moon.webp", width: 400, height: 300 },
    bodyHtml: expect.stringContaining("A <em>full</em> moon. <img "),
    transcriptHtml: expect.stringContaining('<p id="transcript-1">Hello.</p>'),
  });
});

test.each([
  ["no front matter", "Just words.\n"],
  ["no title", '---\nid: 9\ndate: "2026-11-20T03:00:00"\nterms: []\n---\n\nWords.\n'],
  [
    "a field we do not know",
    '---\nid: 9\ntitle: Moon\ndate: "2026-11-20T03:00:00"\nterms: []\nstcky: true\n---\n\nWords.\n',
  ],
])("a file with %s is named", async (_, article) => {
  await using house = await openFolder(article);
  await expect(createBundledContent(house.path).listItems()).rejects.toThrow(/front matter of .*9-moon\.md/);
});

test("who asks how it is learns how much there is, or what is missing", async () => {
  expect(await content.check()).toEqual({ isWell: true, says: expect.stringMatching(/: \d+ files$/) });
  const nothing = await createBundledContent(join(folder, "nowhere")).check();
  expect(nothing).toEqual({ isWell: false, says: expect.stringContaining("cannot be read, install it again") });
});
