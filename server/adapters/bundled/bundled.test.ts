import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { prepareItem, withTexts } from "../../content/items/item.ts";
import { itemKinds, kinds } from "../../content/items/kinds.ts";
import { sourceItemSchema } from "../../content/items/source.ts";
import { createBundledContent } from "./bundled.ts";

const folder = join(import.meta.dirname, "..", "..", "content", "bundled");
const setting = { productName: "Dormouse", basePath: "/dashboard/" };

const content = createBundledContent(folder);

describe("media", () => {
  test("a file is read whole, in parts, and byte by byte", async () => {
    const whole = await readFile(join(folder, "media", "airway.webp"));
    const found = await content.findMedia("airway.webp");
    const media = found === "away" ? undefined : found;
    expect(media?.sizeInBytes).toBe(whole.length);
    expect(Buffer.from((await media?.read(0, whole.length - 1)) ?? [])).toEqual(whole);
    expect(Buffer.from((await media?.read(8, 11)) ?? []).toString()).toBe("WEBP");
    expect(Buffer.from((await media?.read(whole.length - 1, whole.length - 1)) ?? [])).toEqual(whole.subarray(-1));
  });

  test("films, their captions, recordings and pictures are all that is served, the list of sizes is not", async () => {
    for (const name of await readdir(join(folder, "media"))) {
      expect((await content.findMedia(name)) !== undefined, `serves ${name}`).toBe(
        /\.(?:webp|mp4|webm|vtt|mp3)$/.test(name),
      );
    }
  });

  test.each([
    "../media/airway.webp",
    "../../../../../../etc/passwd",
    "..%2fmedia%2fairway.webp",
    "airway.webp\0",
    "airway.webp?x=1",
    "AIRWAY.WEBP",
    "pictures.json",
    "airway.constructor",
    "no-such-picture.webp",
  ])("nothing is served under the name %j", async (name) => {
    expect(await content.findMedia(name)).toBeUndefined();
  });
});

async function openFolder(article: string) {
  const path = await mkdtemp(join(tmpdir(), "dormouse-bundled-"));
  const folders = [...itemKinds.map((kind) => kinds[kind].many), "recordings", "awake", "guides", "media"];
  for (const name of folders) await mkdir(join(path, name));
  await writeFile(join(path, "media", "pictures.json"), '{ "moon.webp": { "width": 400, "height": 300 } }');
  await writeFile(join(path, "articles", "9-moon.md"), article);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("an article is its front matter, its body and, under a mark, its transcript", async () => {
  await using app = await openFolder(
    `---\nid: 9\ntitle: "Moon &amp; tide"\ndate: "2026-11-20T03:00:00"\nterms: [Moon]\nimage: moon.webp\n---\n\n` +
      `A *full* moon. ![The "moon"](media/moon.webp)\n\n<!-- transcript -->\n\nHello.\n`,
  );
  const [source] = (await createBundledContent(app.path).listItems()) ?? [];
  expect(withTexts(prepareItem(sourceItemSchema.parse(source), setting).item)).toMatchObject({
    id: 9,
    kind: "read",
    title: "Moon & tide",
    author: "Dormouse Team",
    date: "2026-11-20",
    terms: ["Moon"],
    picture: { src: "/dashboard/media/moon.webp", width: 400, height: 300 },
    bodyHtml: expect.stringContaining("A <em>full</em> moon. <img "),
    transcriptHtml: expect.stringContaining('<p id="transcript-1">Hello.</p>'),
  });
});

test("an article is a sample, and has neither author nor review", async () => {
  await using app = await openFolder(
    `---\nid: 9\ntitle: Moon\ndate: "2026-11-20T03:00:00"\nterms: [Moon]\n---\n\nWords.\n`,
  );
  const [source] = (await createBundledContent(app.path).listItems()) ?? [];
  expect(source).toMatchObject({ acf: { sample_note: expect.stringMatching(/^Sample text .* not reviewed/) } });
  expect(JSON.stringify(source)).not.toMatch(/"(?:reviewed|author)"/);
});

test("an article that has sources names them", async () => {
  await using app = await openFolder(
    `---\nid: 9\ntitle: Moon\ndate: "2026-11-20T03:00:00"\nsources: ["NHS (the moon)", Mind]\nterms: [Moon]\n---\n\nWords.\n`,
  );
  const [source] = (await createBundledContent(app.path).listItems()) ?? [];
  expect(source).toMatchObject({
    acf: { sample_note: expect.stringContaining("clinician. Sources: NHS (the moon) and Mind. Any") },
  });
});

test.each([
  ["no front matter", "Just words.\n"],
  ["no title", '---\nid: 9\ndate: "2026-11-20T03:00:00"\nterms: []\n---\n\nWords.\n'],
  [
    "a review, which no clinician made",
    '---\nid: 9\ntitle: Moon\ndate: "2026-11-20T03:00:00"\nreviewed: "2026-11-21"\nterms: []\n---\n\nWords.\n',
  ],
  [
    "a field we do not know",
    '---\nid: 9\ntitle: Moon\ndate: "2026-11-20T03:00:00"\nterms: []\nstcky: true\n---\n\nWords.\n',
  ],
])("a file with %s is named", async (_, article) => {
  await using app = await openFolder(article);
  await expect(createBundledContent(app.path).listItems()).rejects.toThrow(/front matter of .*9-moon\.md/);
});

test("the check says how much there is, or what is missing", async () => {
  expect(await content.check()).toEqual({ isWell: true, message: expect.stringMatching(/: \d+ files$/) });
  const nothing = await createBundledContent(join(folder, "nowhere")).check();
  expect(nothing).toEqual({ isWell: false, message: expect.stringContaining("cannot be read, install it again") });
});

describe("a draft", () => {
  const draft =
    '---\nid: 9\ntitle: "Moon &amp; tide"\ndate: "2026-11-20T03:00:00"\nterms: [Moon]\nimage: moon.webp\ndraft: true\n---\n\nTo be told.\n\n![The sea](media/sea.webp)\n';
  const published =
    '---\nid: 10\ntitle: Sea\ndate: "2026-11-20T03:00:00"\nterms: [Sea]\n---\n\n![The sea](media/sea.webp)\n';

  async function openDraft() {
    const app = await openFolder(draft);
    await writeFile(join(app.path, "articles", "10-sea.md"), published);
    for (const name of ["moon.webp", "sea.webp", "other.webp"]) await writeFile(join(app.path, "media", name), name);
    const source = createBundledContent(app.path);
    const items = await source.listItems();
    return { ...app, source, items, path: app.path };
  }

  test("is in no list of items, and operators find it", async () => {
    await using app = await openDraft();
    expect(app.items).toMatchObject([{ id: 10 }]);
    const head = { kind: "read", id: 9, title: "Moon &amp; tide", state: "draft", changedAt: undefined };
    expect(await app.source.drafts?.list()).toEqual({ ok: true, drafts: [head] });
    expect(await app.source.drafts?.find({ kind: "read", id: 9 })).toMatchObject({
      ok: true,
      draft: { ...head, item: { content: { rendered: expect.stringContaining("To be told.") } } },
    });
    for (const ref of [{ kind: "watch", id: 9 } as const, { kind: "read", id: 10 } as const])
      expect(await app.source.drafts?.find(ref)).toEqual({ ok: true, draft: undefined });
  });

  test("has files that are served for it alone, until something that is published shows them", async () => {
    await using app = await openDraft();
    const { source } = app;
    const ref = { kind: "read", id: 9 } as const;
    expect(await source.findMedia("moon.webp")).toBeUndefined();
    expect(await source.hasMedia?.("moon.webp")).toBe(false);
    expect(await source.drafts?.findMedia(ref, "moon.webp")).toMatchObject({ contentType: "image/webp" });
    expect(await source.drafts?.findMedia(ref, "other.webp")).toBeUndefined();
    expect(await source.drafts?.findMedia({ ...ref, id: 10 }, "moon.webp")).toBeUndefined();
    expect(await source.findMedia("sea.webp")).toMatchObject({ contentType: "image/webp" });
    await writeFile(join(app.path, "articles", "9-moon.md"), draft.replace("draft: true", "draft: false"));
    await source.listItems();
    expect(await source.findMedia("moon.webp")).toMatchObject({ contentType: "image/webp" });
  });
});
