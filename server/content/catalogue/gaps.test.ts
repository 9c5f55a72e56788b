import { expect, test } from "vitest";

import { findGaps, type GapSetting, listOutsideLinks } from "./gaps.ts";
import { prepareItem } from "../items/item.ts";
import type { Gap } from "../items/item-facts.ts";
import { sourceItemSchema } from "../items/source.ts";

const place = { productName: "Dormouse", basePath: "/members/" };
const site = "https://cms.example/";

const whole = {
  id: 7,
  type: "videos",
  date: "2026-11-01T09:00:00",
  title: { rendered: "A film" },
  content: { rendered: "<p>Words.</p>" },
  acf: { video_url: "media/film.mp4", transcript: "<p>Said.</p>", reviewed: "2026-11-02" },
  _embedded: { author: [{ name: "Maren Holt" }], "wp:featuredmedia": [{ source_url: "media/cover.webp" }] },
};

type Field = Partial<Record<keyof typeof whole, unknown>>;

async function look(fields: Field = {}, setting: Partial<GapSetting> = {}) {
  const given = sourceItemSchema.parse({ ...whole, ...fields });
  const { item, losses } = prepareItem(given, place, "site" in setting ? { site: setting.site } : { site });
  const all: GapSetting = {
    ...place,
    mediaBase: "/members/media/",
    site,
    today: "2026-11-20",
    hasItem: ({ kind, id }) => kind === "read" && id === 12,
    hasPiece: ({ id }) => id === 13,
    isLost: ({ pathname }) => pathname === "/let-go/",
    hasFile: async (name) => name !== "gone.webp",
    losses,
    ...setting,
  };
  const found = await findGaps(item, all);
  return {
    found,
    gaps: found.map(({ gap }) => gap),
    outside: listOutsideLinks(item, all),
  };
}

const body = (rendered: string) => ({ content: { rendered } });
const played = (fields: object) => ({ acf: { reviewed: "2026-11-02", ...fields } });

test("an item that has everything lacks nothing", async () => {
  expect((await look()).found).toEqual([]);
});

test.each<[what: string, item: Field, gaps: Gap[]]>([
  ["a film of our own", played({ video_url: "media/film.mp4" }), ["transcript"]],
  ["a film of YouTube", played({ youtube_url: "https://youtu.be/abcdefgh" }), ["transcript"]],
  ["a film that is only linked to", played({ video_url: "https://films.example/1" }), ["transcript"]],
  ["a film of a webinar", { type: "tutorials", ...played({ video_url: "media/film.mp4" }) }, ["transcript"]],
  ["a recording", played({ audio_url: "media/talk.mp3" }), ["transcript"]],
  ["a loop of sound", played({ audio_url: "media/rain.opus", play_minutes: 45 }), []],
  ["nothing that plays", played({}), []],
])("%s without a transcript", async (_, item, gaps) => {
  expect((await look(item)).gaps).toEqual(gaps);
});

test("without a picture a scene is shown, and without an author, or for the staff's, the product's team", async () => {
  const embedded = { "wp:featuredmedia": whole._embedded["wp:featuredmedia"] };
  const unpictured = { _embedded: { author: [{ name: "Maren Holt" }] } };
  expect((await look(unpictured)).gaps).toEqual(["picture"]);
  // A scene that an editor chose is no gap; an unknown scene is no choice.
  expect((await look({ ...unpictured, acf: { ...whole.acf, scene: "quiet-sea" } })).gaps).toEqual([]);
  expect((await look({ ...unpictured, acf: { ...whole.acf, scene: "a volcano" } })).gaps).toEqual(["picture"]);
  expect((await look({ _embedded: embedded })).gaps).toEqual(["author"]);
  const { found } = await look({ _embedded: { ...embedded, author: [{ name: "admin" }] } });
  expect(found).toEqual([{ gap: "author", message: "It has no author: “Dormouse Team” is shown." }]);
});

test("a piece of Awake now is shown without picture and author, and needs none", async () => {
  const terms = { "wp:term": [[], [{ name: "Awake now" }]] };
  expect((await look({ type: "post", acf: { reviewed: "2026-11-02" }, _embedded: terms })).gaps).toEqual([]);
});

test.each<[reviewed: string | undefined, date: string, message: string | undefined]>([
  ["2025-11-20", "2020-01-01T00:00:00", undefined],
  ["2025-11-19", "2020-01-01T00:00:00", "It was last reviewed on 2025-11-19."],
  [undefined, "2025-11-20T00:00:00", undefined],
  [undefined, "2025-11-19T00:00:00", "It has never been reviewed, and is from 2025-11-19."],
])("reviewed on %s and from %s, on 20 November 2026", async (reviewed, date, message) => {
  const { found } = await look({ date, acf: { ...whole.acf, reviewed } });
  expect(found.map((each) => each.message)).toEqual(message === undefined ? [] : [message]);
});

test("on the 29th of February a review is due that is from before the 1st of March of the year before", async () => {
  const reviewed = (day: string) => look({ acf: { ...whole.acf, reviewed: day } }, { today: "2028-02-29" });
  expect((await reviewed("2027-02-28")).gaps).toEqual(["review"]);
  expect((await reviewed("2027-03-01")).gaps).toEqual([]);
});

/** Relative links lead to the pages of a source that has any, or else to ours. */
const cms = { site };
const own = { site: undefined };

test.each([
  ['<a href="?view=read&amp;item=99">x</a>', "A link leads nowhere here: ?view=read&item=99", own],
  ['<a href="?view=watch&amp;item=12">x</a>', "A link leads nowhere here", own],
  ['<a href="/members/awake?piece=read-99">x</a>', "A link leads nowhere here", own],
  ['<a href="1012-sleep.md">x</a>', "A link leads nowhere here: 1012-sleep.md", own],
  ['<a href="/elsewhere">x</a>', "A link leads nowhere here: /elsewhere", own],
  ['<a href="https://cms.example/?p=99">x</a>', "A link doesn't lead to a published item", cms],
  ['<a href="?p=99">x</a>', "A link doesn't lead to a published item", cms],
  ['<a href="/let-go/#why">x</a>', "A link doesn't lead to a published item: https://cms.example/let-go/#why", cms],
  ['<a href="http://[">x</a>', "We can't read an address: http://[", cms],
  [`<a href="http://[${"x".repeat(500)}">x</a>`, /^We can't read an address: .{100}…$/, cms],
  ['<a href="javascript:alert(1)">x</a>', "Its link leads nowhere: an address that begins with javascript:", cms],
  ['<img src="media/gone.webp" alt="">', "The file gone.webp is missing.", cms],
  ['<video src="media/film.mp4" poster="media/gone.webp"></video>', "The file gone.webp is missing.", cms],
  ["<audio></audio>", "Its audio leads nowhere: it doesn't name a file.", cms],
])("%s is a dead link", async (html, message, setting) => {
  const { found } = await look(body(html), setting);
  expect(found).toEqual([
    {
      gap: "links",
      message: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    },
  ]);
});

test("a film whose address cannot be read is a dead link, and so is a cover that is not there", async () => {
  expect((await look(played({ youtube_url: "not a url" }))).found).toEqual([
    { gap: "links", message: "Its field youtube_url leads nowhere: it doesn't name a file." },
  ]);
  const cover = { ...whole._embedded, "wp:featuredmedia": [{ source_url: "media/gone.webp" }] };
  expect((await look({ _embedded: cover })).found).toEqual([
    { gap: "links", message: "The file gone.webp is missing." },
  ]);
});

test.each([
  '<a href="?view=read&amp;item=12">x</a>',
  '<a href="/members/dashboard?view=read&amp;item=12#text-why">x</a>',
  '<a href="/members?view=favourites&amp;kind=read&amp;item=12">x</a>',
  '<a href="awake?piece=read-13">x</a>',
  '<a href="/members/signup?step=1">x</a>',
  '<a href="#foot">x</a><p id="foot">y</p>',
  '<a href="mailto:help@example.org">x</a>',
  '<a href="tel:116123">x</a>',
  '<p>src="media/gone.webp" href="?view=read"</p>',
  '<img src="media/cover.webp" alt="href=&quot;?view=read&amp;item=99&quot;">',
])("%s is no dead link and leads to no other site", async (html) => {
  const { found, outside } = await look(body(html), own);
  expect({ found, outside }).toEqual({ found: [], outside: [] });
});

test("links to other sites are listed, each once, for a person to try", async () => {
  const html =
    '<a href="https://nhs.example/a?b=1&amp;c=2">x</a><a href="https://nhs.example/a?b=1&amp;c=2">y</a>' +
    '<iframe src="https://player.vimeo.com/video/12"></iframe><a href="/about/">z</a><a href="/?p=99">gone</a>';
  const { found, outside } = await look({
    ...body(html),
    acf: { ...whole.acf, video_url: "https://films.example/1", transcript: '<a href="http://old.example/">x</a>' },
  });
  expect(found.map(({ gap }) => gap)).toEqual(["links"]);
  expect(outside).toEqual([
    "https://films.example/1",
    "https://nhs.example/a?b=1&c=2",
    "https://player.vimeo.com/video/12?dnt=1",
    "https://cms.example/about/",
    "http://old.example/",
  ]);
});
