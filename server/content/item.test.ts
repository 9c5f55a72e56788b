import { expect, test } from "vitest";

import { article, film, read, readEmbedded, savedNever, setting } from "../../tests/helpers/article-source.ts";
import { prepareItem, sceneOf } from "./item.ts";
import { itemKinds } from "./kinds.ts";
import { sourceItemSchema } from "./source.ts";

test("an article is read whole", () => {
  expect(read(article)).toEqual({
    id: 25,
    kind: "read",
    title: "A worry list by the bed",
    author: "Amelia Hart",
    publishedAt: new Date("2025-05-31T08:00:00Z"),
    date: "2025-05-31",
    isSticky: true,
    terms: ["Worry & stress", "Insomnia"],
    picture: { src: "/dashboard/media/notebook.webp", alt: "A notebook", width: 1600, height: 900 },
    bodyHtml: "\n<h2>Why</h2>\n<p>You need a notebook.</p>\n",
    text: "Why You need a notebook.",
    lead: "You need a notebook.",
    transcriptHtml: undefined,
    video: undefined,
  });
});

test("videos are watched, posts read and tutorials learned from", () => {
  expect(["videos", "post", "tutorials"].map((type) => read({ ...article, type }).kind)).toEqual([...itemKinds]);
});

test("the app signs with the name that its provider gave it", () => {
  const source = sourceItemSchema.parse({ ...article, _embedded: {} });
  expect(prepareItem(source, { ...setting, productName: "Sleep Library" }).item.author).toBe("Sleep Library Team");
});

test("a picture without words or size has an empty alternative and the size of a cover", () => {
  const picture = { src: "/dashboard/media/moon.webp", alt: "", width: 1200, height: 675 };
  expect(readEmbedded({ "wp:featuredmedia": [{ source_url: "media/moon.webp" }] }).picture).toEqual(picture);
  expect(
    readEmbedded({
      "wp:featuredmedia": [{ source_url: "media/moon.webp", alt_text: null, media_details: { width: 0 } }],
    }).picture,
  ).toEqual(picture);
});

test.each([
  ["Some dark measure &amp; more", "Some dark measure & more"],
  ["Sleep &#8220;rules&#8221; you may let go of", "Sleep “rules” you may let go of"],
  ["A <em>title</em> with <b>markup</b> &amp; “quotes” alert(1)", "A title with markup & “quotes” alert(1)"],
  ["Night<br>shift", "Night shift"],
  ["  Two\n lines&nbsp;", "Two lines"],
  ["<script>alert(1)</script>Calm", "Calm"],
  ["Under 5 &lt; 6 hours", "Under 5 < 6 hours"],
  ["&lt;b&gt; is a tag", "<b> is a tag"],
])("the title %j reads “%s”", (rendered, title) => {
  expect(read({ ...article, title: { rendered } }).title).toBe(title);
});

test.each(["", "   ", "<em></em>", "&nbsp;", "<img src=x onerror=alert(1)>"])(
  "the title %j is no title",
  (rendered) => {
    expect(read({ ...article, title: { rendered } }).title).toBe("Untitled");
  },
);

test("of two addresses the network's own is played", () => {
  const acf = {
    video_network: "Vimeo",
    vimeo_url: " https://vimeo.com/123/abcdef ",
    youtube_url: "https://youtu.be/M7lc1UVf-VE",
    video_url: "not a url",
    orientation: "",
  };
  expect(read({ ...film, acf }).video).toEqual({
    kind: "vimeo",
    src: "https://player.vimeo.com/video/123?h=abcdef&dnt=1",
    orientation: "landscape",
  });
});

test("a film of our own is played from the media address", () => {
  const acf = { ...savedNever, video_url: "media/breathe-with-the-moon.mp4", orientation: "portrait" };
  expect(read({ ...film, acf }).video).toEqual({
    kind: "file",
    src: "/dashboard/media/breathe-with-the-moon.mp4",
    orientation: "portrait",
  });
});

test("a transcript is sanitised like a body", () => {
  const transcript = '<p onclick="alert(1)">Breathe in.</p><script>alert(2)</script>';
  expect(read({ ...film, acf: { ...savedNever, transcript } }).transcriptHtml).toBe(
    '<p id="transcript-1">Breathe in.</p>',
  );
  expect(read({ ...film, acf: { ...savedNever, transcript: "<script>alert(2)</script>" } }).transcriptHtml).toBe(
    undefined,
  );
});

test.each([
  ["post", true, true],
  ["post", false, false],
  ["post", undefined, false],
  ["post", null, false],
  ["post", "yes", false],
  ["videos", true, false],
  ["tutorials", true, false],
])("of type %s and sticky %j: is it featured? %j", (type, sticky, isSticky) => {
  expect(read({ ...article, type, sticky }).isSticky).toBe(isSticky);
});

test("the moment is in universal time, the day is the one that was stored", () => {
  const source = { ...article, date: "2026-11-21T00:30:00", date_gmt: "2026-11-20T23:30:00" };
  expect(read(source)).toMatchObject({ publishedAt: new Date("2026-11-20T23:30:00Z"), date: "2026-11-21" });
});

test("an empty body is an empty body", () => {
  expect(read({ ...article, content: { rendered: "" } })).toMatchObject({ bodyHtml: "", text: "", lead: "" });
});

test("a body comes in sanitised, and its text is what is left", () => {
  const rendered = '<p>Hi <img decoding="async" src="x"></p>alert(2)<script>alert(3)</script>';
  expect(read({ ...article, content: { rendered } })).toMatchObject({
    bodyHtml: "<p>Hi </p>alert(2)",
    text: "Hi alert(2)",
    lead: "Hi alert(2)",
  });
});

test("a card quotes the body without its headings, and not all of a long one", () => {
  const rendered = `<h1>One</h1><p>First.</p><h3 id="x">Two</h3><p>${"Sleep well. ".repeat(500)}</p>`;
  const { lead, text } = read({ ...article, content: { rendered } });
  expect(lead).toMatch(/^First\. Sleep well\. /);
  expect(lead.length).toBeLessThan(1000);
  expect(text.length).toBeGreaterThan(5000);
});

test("a scene stays the same, is one of nine, and is not its neighbour's", () => {
  const seen = new Set<number>();
  for (let id = 1; id <= 5000; id += 1) {
    const scene = sceneOf(id);
    expect(sceneOf(id)).toBe(scene);
    expect(sceneOf(id + 1)).not.toBe(scene);
    seen.add(scene);
  }
  expect(seen).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]));
});

test("even a very high id has one of the nine scenes", () => {
  for (const id of [2 ** 31, 2 ** 53 - 1]) {
    expect(sceneOf(id)).toBeGreaterThanOrEqual(0);
    expect(sceneOf(id)).toBeLessThanOrEqual(8);
    expect(sceneOf(id)).toBe(Math.trunc(sceneOf(id)));
  }
});
