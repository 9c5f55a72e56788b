import { expect, test } from "vitest";

import { article, film, read, readEmbedded, savedNever } from "../../tests/helpers/article-source.ts";
import { sceneOf } from "./item.ts";
import { sourceItemSchema } from "./source.ts";

test.each([
  ["nobody is embedded", undefined],
  ["the list of authors is empty", []],
  ["the author is gone", [{ code: "rest_user_invalid_id", message: "Invalid user ID.", data: { status: 404 } }]],
  ["the author is null", [null]],
  ["the authors are false", false],
  ["the name is empty", [{ name: "" }]],
  ["the name is blank", [{ name: "  " }]],
  ["it is a staff handle", [{ name: "dormouse-staff" }]],
  ["it is a staff handle in capitals", [{ name: " Admin " }]],
])("the app signs an item when %s", (_, author) => {
  expect(readEmbedded({ author }).author).toBe("Dormouse Team");
});

test.each([
  ["there is no picture", undefined],
  ["the list of pictures is empty", []],
  ["the picture was deleted", [{ name: "Lab library", url: "http://127.0.0.1", site_logo: 0, site_icon_url: "" }]],
  ["the picture is an error", [{ code: "rest_post_invalid_id", message: "Invalid post ID.", data: { status: 404 } }]],
  ["the pictures are false", false],
  ["the picture is on another host", [{ source_url: "https://cms.example/wp-content/cover.jpg" }]],
])("an item has a night scene when %s", (_, media) => {
  expect(readEmbedded({ "wp:featuredmedia": media }).picture).toEqual({ scene: sceneOf(25) });
});

test.each([[], false, null, undefined, "", savedNever, { ...savedNever, youtube_url: "", video_url: "not a url" }])(
  "custom fields %j hold neither a film nor a transcript",
  (acf) => expect(read({ ...film, acf })).toMatchObject({ kind: "watch", video: undefined, transcriptHtml: undefined }),
);

test("one ill field does not cost the others", () => {
  const acf = { ...savedNever, youtube_url: "https://youtu.be/M7lc1UVf-VE", orientation: 7, video_network: [] };
  expect(read({ ...film, acf }).video).toMatchObject({ kind: "youtube", orientation: "landscape" });
});

test.each([undefined, null, [], false, "gone"])("an item is shown though all that is embedded is %j", (embedded) => {
  expect(read({ ...article, _embedded: embedded })).toMatchObject({
    title: "A worry list by the bed",
    author: "Dormouse Team",
    picture: { scene: sceneOf(25) },
    terms: [],
  });
});

test.each([
  ["no terms at all", undefined],
  ["an empty list of groups", []],
  ["a category alone", [[{ name: "Uncategorized" }]]],
  ["no topics", [[{ name: "Uncategorized" }], []]],
  ["topics without a name", [[], [{ name: "" }, { name: " &nbsp; " }]]],
  ["an error for topics", [[], { code: "rest_forbidden" }]],
  ["no groups but false", false],
])("an item with %s has no topics", (_, terms) => {
  expect(readEmbedded({ "wp:term": terms }).terms).toEqual([]);
});

test.each([undefined, null, ""])("with the universal time %j the stored date serves", (date_gmt) => {
  expect(read({ ...article, date_gmt }).publishedAt).toEqual(new Date("2025-05-31T09:00:00Z"));
});

test("a date that ends in Z is read too", () => {
  expect(read({ ...article, date_gmt: "2026-11-20T03:00:00Z" }).publishedAt).toEqual(new Date("2026-11-20T03:00:00Z"));
});

test.each(["soon", "0000-00-00T00:00:00", "2026-13-01T00:00:00"])(
  "the date %j cannot be read, and it says so",
  (date) => {
    expect(() => read({ ...article, date, date_gmt: undefined })).toThrow("its date cannot be read");
  },
);

test.each([
  ["no id", { id: undefined }],
  ["an id that is text", { id: "25" }],
  ["an id of nought", { id: 0 }],
  ["a type we do not have", { type: "page" }],
  ["no title", { title: undefined }],
  ["no body", { content: null }],
  ["no date", { date: undefined }],
])("a source with %s is refused", (_, change) => {
  expect(sourceItemSchema.safeParse({ ...article, ...change }).success).toBe(false);
});

test("a date with a zone of its own is that instant", () => {
  const item = read({ ...article, date_gmt: "2026-11-20T03:00:00+01:00" });
  expect(item.publishedAt.toISOString()).toBe("2026-11-20T02:00:00.000Z");
});

test("a text that no person wrote is refused", () => {
  expect(() => read({ ...article, content: { rendered: "<div>".repeat(60_001) } })).toThrow("text is too long");
  const acf = { transcript: "<div>".repeat(60_001) };
  expect(() => read({ ...article, acf })).toThrow("transcript is too long");
  expect(() => read({ ...article, title: { rendered: "x".repeat(1001) } })).toThrow("title is too long");
  expect(() => read({ ...article, date: `2025-05-31T${"0".repeat(40)}` })).toThrow("date is too long");
});

test("an optional field that no person wrote is left out, and the others stay", () => {
  const long = "x".repeat(100_000);
  const item = readEmbedded({
    author: [{ name: long }],
    "wp:term": [[], [{ name: long }, { name: "Insomnia" }]],
    "wp:featuredmedia": [{ source_url: "media/notebook.webp", alt_text: long }],
  });
  expect(item).toMatchObject({ author: "Dormouse Team", terms: ["Insomnia"], picture: { alt: "" } });
  const acf = { ...savedNever, youtube_url: `https://youtu.be/${long}`, video_url: "https://films.example/1" };
  expect(read({ ...film, acf }).video).toMatchObject({ kind: "elsewhere" });
});

test("of a thousand topics the first hundred are taken", () => {
  const terms = Array.from({ length: 1000 }, (_, index) => ({ name: `Topic ${index}` }));
  expect(readEmbedded({ "wp:term": [[], terms] }).terms.length).toBe(100);
});

test("a NUL and other control characters never reach a page", () => {
  const odd = "a\u0000b\u0001c\u007f&#0;&#1;d";
  const item = readEmbedded({
    author: [{ name: "Amelia\u0000 Hart" }],
    "wp:term": [[], [{ name: odd }]],
    "wp:featuredmedia": [{ source_url: "media/notebook.webp", alt_text: odd }],
  });
  const { title, bodyHtml, transcriptHtml } = read({
    ...film,
    title: { rendered: odd },
    content: { rendered: `<p title="\u0000">${odd}</p>` },
    acf: { transcript: `<p>${odd}</p>` },
  });
  for (const text of [JSON.stringify(item), title, bodyHtml, transcriptHtml ?? ""]) {
    expect(text).not.toMatch(/[^\P{Cc}\t\n\f\r]|\\u00/u);
  }
  expect(title).toMatch(/^abc.?d$/u);
});
