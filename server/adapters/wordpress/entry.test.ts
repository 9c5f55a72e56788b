import { describe, expect, test } from "vitest";

import { type FakeContent, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { article } from "../../../tests/helpers/article-source.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { listBlocks, prepareItem } from "../../content/items/item.ts";
import { nameOfAddress } from "../../content/items/pictures.ts";
import { sourceItemSchema } from "../../content/items/source.ts";
import { toEntry } from "./entry.ts";

const uploads = `${ORIGIN}/wp-content/uploads`;

async function openFieldApp(acf: object, more: object = {}) {
  const [video] = makeVideos(1);
  const attachments = [
    { id: 77, source_url: `${uploads}/film.mp4` },
    { id: 9, source_url: `${uploads}/film.vtt` },
    { id: 55, source_url: `${uploads}/rain.mp3` },
    { id: 56, source_url: "https://cdn.example/rain.mp3" },
  ];
  const content: FakeContent = {
    lists: { videos: [{ ...video!, featured_media: 0, acf, ...more }], posts: [], tutorials: [] },
    uploads: new Map(),
    attachments,
  };
  const app = await openContentApp({ content });
  await app.catalogue.refresh();
  const toName = (file: string, ending: string) =>
    `/media/${nameOfAddress(`${app.cms.url}/wp-content/uploads/${file}`, ending)}`;
  return Object.assign(app, { toName, item: app.catalogue.findItem("watch", 1000) });
}

describe("file fields", () => {
  test("that give a number, as ACF does unless it is told otherwise, are looked up without a log-in", async () => {
    await using app = await openFieldApp({ video_url: 77, captions_url: "9", audio_url: [55] });
    expect(app.item?.video).toMatchObject({
      kind: "file",
      src: app.toName("film.mp4", "mp4"),
      captions: app.toName("film.vtt", "vtt"),
    });
    expect(app.item?.sound?.src).toBe(app.toName("rain.mp3", "mp3"));
    expect(app.catalogue.status().losses).toEqual([]);
    const requests = app.cms.requests.filter(({ path }) => path.endsWith("/media"));
    expect(requests.map(({ query, authorisation }) => [query.get("include"), authorisation])).toEqual([
      ["77,9,55", undefined],
    ]);
  });

  test("that give an object are read as its address, or else as its number", async () => {
    const page = `${ORIGIN}/film/`;
    await using app = await openFieldApp({
      video_url: {
        ID: 77,
        id: 77,
        filename: "film.mp4",
        url: `${uploads}/film.mp4`,
        link: page,
        mime_type: "video/mp4",
      },
      captions_url: { ID: 9, post_type: "attachment", guid: page },
      audio_url: { id: 55 },
    });
    expect(app.item?.video).toMatchObject({
      src: app.toName("film.mp4", "mp4"),
      captions: app.toName("film.vtt", "vtt"),
    });
    expect(app.item?.sound?.src).toBe(app.toName("rain.mp3", "mp3"));
    expect(app.catalogue.status().losses).toEqual([]);
  });

  test("that cannot be used are counted, by item and field", async () => {
    const acf = {
      transcript: 77,
      video_url: [77, 78],
      captions_url: 10,
      audio_url: 56,
      m4a_url: { title: "x" },
      reviewed: "soon",
    };
    await using app = await openFieldApp(acf);
    const { losses } = app.catalogue.status();
    expect(losses).toMatchObject([{ kind: "watch", id: 1000 }]);
    expect(losses[0]?.losses.map(({ what, why }) => `${what}: ${why}`).toSorted()).toEqual([
      "field audio_url: its file is on another host, cdn.example",
      "field captions_url: the source shows no file with the number 10",
      "field m4a_url: it has no address",
      "field reviewed: it isn't a day",
      "field transcript: it is the number of a file, not text",
      "field video_url: it holds 1 more than the one that is shown",
    ]);
  });

  test("a cover that is not public, or is on another host, is counted", async () => {
    await using hidden = await openFieldApp({}, { featured_media: 80, _embedded: {} });
    expect(hidden.catalogue.status().losses[0]?.losses).toMatchObject([{ what: "picture", why: /number 80/ }]);
    const cover = { id: 81, source_url: "https://cdn.example/a.jpg" };
    await using elsewhere = await openFieldApp({}, { featured_media: 81, _embedded: { "wp:featuredmedia": [cover] } });
    expect(elsewhere.catalogue.status().losses[0]?.losses).toMatchObject([{ what: "picture", why: /cdn\.example/ }]);
  });
});

describe("fields that go with others", () => {
  test.each([
    ["video_duration", 750, "there is no film with it"],
    ["audio_duration", 750, "there is no recording with it"],
    ["play_minutes", 45, "there is no recording with it"],
    ["start_here_order", 3, "no tag “Start here: …” goes with it"],
    ["start_here_why", "First of all", "no tag “Start here: …” goes with it"],
    ["night_order", 3, "no tag “Nights: …” goes with it"],
    ["night_why", "Tonight", "no tag “Nights: …” goes with it"],
  ])("%s alone is counted", async (field, given, why) => {
    await using app = await openFieldApp({ [field]: given });
    expect(app.catalogue.status().losses[0]?.losses).toEqual([{ what: `field ${field}`, why, count: 1 }]);
  });

  test("are counted by none where the others are there", async () => {
    const acf = {
      video_url: 77,
      video_duration: 9,
      audio_url: 55,
      audio_duration: 9,
      play_minutes: 4,
      start_here_why: "A",
    };
    const terms = { "wp:term": [[], [{ name: "Start here: Menopause" }]] };
    await using app = await openFieldApp(acf, { _embedded: terms });
    expect(app.catalogue.status().losses).toEqual([]);
  });
});

test("a note on a sample is plain text, however it was typed", async () => {
  await using app = await openFieldApp({ sample_note: "Sample of <b>Anna &amp; Ben</b>" });
  expect(app.item?.sampleNote).toBe("Sample of Anna & Ben");
});

test("a file of this WordPress that only looks like one of ours is counted", async () => {
  const rendered = '<img src="media/a.tiff"><video src="media/b.mov" poster="media/c.tiff"></video>';
  const cover = { id: 81, source_url: "media/d.tiff" };
  const more = {
    content: { rendered, protected: false },
    featured_media: 81,
    _embedded: { "wp:featuredmedia": [cover] },
  };
  await using app = await openFieldApp({}, more);
  expect(app.item?.readTexts().bodyHtml).not.toContain('="/media/');
  expect(app.item?.picture).toHaveProperty("scene");
  expect(app.catalogue.status().losses[0]?.losses.map(({ what, count }) => `${what} × ${count}`)).toEqual([
    "picture × 2",
    "poster × 1",
    "video × 1",
  ]);
});

describe("a transcript from an editor", () => {
  const read = (transcript: string, isTyped: boolean) => {
    const origin = { type: "posts", base: new URL(ORIGIN), place: 1, isTyped } as const;
    const item = toEntry({ ...article, acf: { transcript } }, origin).readItem();
    const prepared = prepareItem(sourceItemSchema.parse(item), { productName: "D", basePath: "/" }).item;
    const { transcriptHtml = "" } = prepared.readTexts();
    return listBlocks(transcriptHtml).map(({ id, text }) => `${id}: ${text}`);
  };

  test.each([
    [
      "Hello there.\r\n\r\nBreathe in,\r\nand out.",
      ["transcript-1: Hello there.", "transcript-2: Breathe in, and out."],
    ],
    ["<h3>One</h3>\nTwo\n\n<em>Three</em>", ["transcript-1: One", "transcript-2: Two", "transcript-3: Three"]],
    ['<p style="text-align: center;">One</p>\nTwo', ["transcript-1: One", "transcript-2: Two"]],
    [
      "<ul>\n\t<li>One</li>\n\t<li>Two</li>\n</ul>\nThree",
      ["transcript-1: One", "transcript-2: Two", "transcript-3: Three"],
    ],
    ["<p>One</p>\n<p>Two<br />\nlines</p>\n", ["transcript-1: One", "transcript-2: Two lines"]],
    ["One", ["transcript-1: One"]],
  ])("%j has its paragraphs, as WordPress itself would show them", (transcript, blocks) => {
    expect(read(transcript, true)).toEqual(blocks);
  });

  test.each([["value"], ["rendered"]])(
    "given in an object, as its %s, has its paragraphs and its files",
    async (name) => {
      const text = `One\n\n<audio src="${uploads}/rain.mp3"></audio>`;
      await using app = await openFieldApp({ transcript: { [name]: text, label: "Words" } });
      expect(app.item?.readTexts().transcriptHtml).toContain(app.toName("rain.mp3", "mp3"));
      expect(listBlocks(app.item?.readTexts().transcriptHtml ?? "")).toEqual([{ id: "transcript-1", text: "One" }]);
      expect(app.catalogue.status().losses).toEqual([]);
    },
  );

  test("that is only a link in place of a recording is shown", async () => {
    await using app = await openFieldApp({ transcript: '<audio src="https://cdn.example/a.mp3"></audio>' });
    expect(app.item?.readTexts().transcriptHtml).toContain('href="https://cdn.example/a.mp3"');
  });

  test("is HTML already where it comes from another Dormouse, and keeps its lines", () => {
    expect(read("<p>One\nline</p>", false)).toEqual(["transcript-1: One line"]);
  });
});
