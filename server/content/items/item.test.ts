import { expect, test } from "vitest";

import { article, film, read, readEmbedded, savedNever, setting } from "../../../tests/helpers/article-source.ts";
import { listBlocks, numberBlocks, prepareItem } from "./item.ts";
import { itemKinds } from "./kinds.ts";
import { sourceItemSchema } from "./source.ts";

test("reads an article with all its fields", () => {
  expect(read(article)).toEqual({
    readTexts: expect.any(Function),
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
    length: "1\u00a0min\u00a0read",
    transcriptHtml: undefined,
    video: undefined,
    reviewed: undefined,
    isForAwakeNow: false,
    isForHelp: false,
    guideSteps: [],
    nightSteps: [],
    alsoCalled: [],
    breathing: undefined,
  });
});

test("what an item is also called is read apart, as plain text, and no more than a hundred", () => {
  const called = (given: unknown) => read({ ...article, acf: { also_called: given } }).alsoCalled;
  expect(called("doona, <b>continental &amp; quilt</b>,\nbed throw<br>cover,, ")).toEqual([
    "doona",
    "continental & quilt",
    "bed throw",
    "cover",
  ]);
  expect(called(Array.from({ length: 101 }, (_, at) => `word${at}`).join(","))).toHaveLength(100);
  expect(called("x".repeat(2000))).toEqual([]);
});

const tagged = (tags: object[], acf: object = {}) => read({ ...article, acf, _embedded: { "wp:term": [[], tags] } });

test.each(["Awake now", "awake NOW"])("the tag %j is no topic, but says that Awake now shows it", (name) =>
  expect(tagged([{ name }, { name: "Snow" }])).toMatchObject({ isForAwakeNow: true, terms: ["Snow"] }),
);

test("a tag Start here: TOPIC makes a step of a guide, with its place and its reason", () => {
  const tags = [
    { name: "start here:  Can&#8217;t sleep", description: "Begin &amp; rest." },
    { name: "Start here: Snow" },
  ];
  const { terms, guideSteps } = tagged(tags, { start_here_order: "2", start_here_why: "For tonight." });
  expect(terms).toEqual([]);
  expect(guideSteps).toEqual([
    { topic: "Can’t sleep", intro: "Begin & rest.", order: 2, why: "For tonight." },
    { topic: "Snow", intro: undefined, order: 2, why: "For tonight." },
  ]);
});

test("one item may be a step of a guide and a night, each with its own place and reason", () => {
  const tags = [{ name: "Start here: Menopause" }, { name: "Nights: Menopause", description: "One.\nTwo." }];
  const acf = { start_here_order: 2, start_here_why: "First.", night_order: "5", night_why: "Tonight." };
  const { terms, guideSteps, nightSteps } = tagged(tags, acf);
  expect(terms).toEqual([]);
  expect(guideSteps).toEqual([{ topic: "Menopause", intro: undefined, order: 2, why: "First." }]);
  expect(nightSteps).toEqual([{ topic: "Menopause", intro: "One.\nTwo.", order: 5, why: "Tonight." }]);
});

test.each([
  [
    { breathe_in: "4", breathe_out: 6 },
    { in: 4, out: 6 },
  ],
  [{ breathe_in: 4 }, undefined],
  [{ breathe_in: 0, breathe_out: 6 }, undefined],
  [{ breathe_in: 4, breathe_out: "}*{display:none" }, undefined],
])("a rhythm of %j is %j", (acf, breathing) => expect(read({ ...article, acf }).breathing).toEqual(breathing));

test("the day of the review and what cannot be used of the fields come with the item", () => {
  const acf = { reviewed: "20261116", play_minutes: "long", breathe_in: 4, captions_url: null };
  const { item, losses } = prepareItem(sourceItemSchema.parse({ ...article, acf }), setting);
  expect(item.reviewed).toBe("2026-11-16");
  expect(losses.map(({ what }) => what)).toEqual(["field play_minutes", "field breathe_in"]);
});

const listLosses = (source: object) =>
  prepareItem(sourceItemSchema.parse({ ...article, featured_media: 0, ...source }), setting).losses.map(
    ({ what, why }) => `${what}: ${why}`,
  );

test.each([
  ["Start here: Snow", "the topics of guides are Can't get to sleep"],
  ["Start here:", "the topics of guides are"],
  ["Nights: Snow", "the topics of guides are Can't get to sleep"],
])("a tag %j that names no topic of the landing is counted", (name, why) => {
  expect(listLosses({ _embedded: { "wp:term": [[], [{ name }]] } })).toEqual([
    expect.stringContaining(`tag ${name}: ${why}`),
  ]);
  expect(tagged([{ name }]).terms).toEqual([]);
});

test.each(["Start here: menopause", "start here: Can&#8217;t get to sleep", "Start here: Snoring/Sleep apnea", "Snow"])(
  "a tag %j is a topic or leads into one",
  (name) => expect(listLosses({ _embedded: { "wp:term": [[], [{ name }]] } })).toEqual([]),
);

test("what of the tags and the picture has no use is counted", () => {
  const odd = { code: "rest_term_invalid" };
  expect(
    listLosses({ type: "videos", featured_media: 24, _embedded: { "wp:term": [[], [{ name: "Awake now" }, odd]] } }),
  ).toEqual([
    "tag: its name cannot be read",
    "tag Awake now: Awake now only has articles and recordings",
    "picture: the source shows no file with the number 24",
  ]);
  const cover = { source_url: "https://cdn.example/a.jpg" };
  expect(listLosses({ _embedded: { "wp:featuredmedia": [cover] } })).toEqual([
    "picture: its file is on another host, cdn.example",
  ]);
});

test.each([
  ["Anna &amp; Ben", "Anna & Ben"],
  ["Anna &#038; Ben", "Anna & Ben"],
  ["O&#8217;Neill &lt;3", "O’Neill <3"],
  ["&amp;amp;", "&amp;"],
])("plain text of a source is decoded once: %j reads “%s”", (given, shown) => {
  const { author, terms, picture, guideSteps, title, sampleNote } = read({
    ...article,
    title: { rendered: given },
    acf: { start_here_why: given, sample_note: given },
    _embedded: {
      author: [{ name: given }],
      "wp:term": [[], [{ name: given }, { name: "Start here: Menopause", description: given }]],
      "wp:featuredmedia": [{ source_url: "media/moon.webp", alt_text: given }],
    },
  });
  const [step] = guideSteps;
  expect([title, author, ...terms, "alt" in picture && picture.alt, step?.why, step?.intro, sampleNote]).toEqual(
    Array.from({ length: 7 }, () => shown),
  );
});

test("videos are watched, posts read and tutorials learned from", () => {
  expect(["videos", "post", "tutorials"].map((type) => read({ ...article, type }).kind)).toEqual([...itemKinds]);
});

test("the author defaults to the product's name", () => {
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

test("a film of our own is played from the media address", () => {
  const acf = { ...savedNever, video_url: "media/breathe-with-the-moon.mp4", orientation: "portrait" };
  const sound = { audio_url: "media/rain.opus", m4a_url: "media/rain.m4a", play_minutes: "45" };
  expect(read({ ...film, acf: sound }).sound).toEqual({
    src: "/dashboard/media/rain.opus",
    type: "audio/ogg; codecs=opus",
    m4a: "/dashboard/media/rain.m4a",
    playMinutes: 45,
  });
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

test("a card quotes the body without its headings, and not all of a long one", () => {
  const rendered = `<h1>One</h1><p>First.</p><h3 id="x">Two</h3><p>${"Sleep well. ".repeat(500)}</p>`;
  const { lead, text } = read({ ...article, content: { rendered } });
  expect(lead).toMatch(/^First\. Sleep well\. /);
  expect(lead.length).toBeLessThan(1000);
  expect(text.length).toBeGreaterThan(5000);
});

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
  expect(readEmbedded({ "wp:featuredmedia": media }).picture).toEqual({ scene: expect.any(Number) });
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
    picture: { scene: expect.any(Number) },
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

test.each([
  [undefined, "2025-05-31T09:00:00Z"],
  [null, "2025-05-31T09:00:00Z"],
  ["", "2025-05-31T09:00:00Z"],
  ["2026-11-20T03:00:00Z", "2026-11-20T03:00:00Z"],
  ["2026-11-20T03:00:00+01:00", "2026-11-20T02:00:00Z"],
])("with the universal time %j it is of %s; without one the stored date serves", (date_gmt, instant) => {
  expect(read({ ...article, date_gmt }).publishedAt).toEqual(new Date(instant));
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

test("paragraphs, headings and entries of a list are numbered, and keep their words", () => {
  const html = numberBlocks("<h2>One</h2><p>Two &amp; <em>t</em>wo</p>\n<ul><li>Three</li><li>Four</li></ul>");
  expect(html).toBe(
    '<h2 id="transcript-1">One</h2><p id="transcript-2">Two &amp; <em>t</em>wo</p>\n' +
      '<ul><li id="transcript-3">Three</li><li id="transcript-4">Four</li></ul>',
  );
  expect(listBlocks(html)).toEqual([
    { id: "transcript-1", text: "One" },
    { id: "transcript-2", text: "Two & two" },
    { id: "transcript-3", text: "Three" },
    { id: "transcript-4", text: "Four" },
  ]);
});

test("what stands within a numbered one goes with it", () => {
  const html = numberBlocks("<ul><li><p>One</p><ul><li>Two</li></ul></li><li>Three</li></ul><pre>Four</pre>");
  expect(listBlocks(html)).toEqual([
    { id: "transcript-1", text: "One Two" },
    { id: "transcript-2", text: "Three Four" },
  ]);
});

test("words before the first paragraph have no id", () => {
  expect(listBlocks(numberBlocks("Hello<br /><p>there</p>"))).toEqual([
    { id: undefined, text: "Hello" },
    { id: "transcript-1", text: "there" },
  ]);
});

test("an id of the text's own is still there to be linked to", () => {
  expect(numberBlocks('<p id="text-a" lang="de">Hallo</p>')).toBe(
    '<p id="transcript-1" lang="de"><a id="text-a"></a>Hallo</p>',
  );
});

test("entities are read once, and no transcript has no paragraphs", () => {
  expect(listBlocks("<p>&amp;lt; &lt;b&gt; &quot;</p>")).toEqual([{ id: undefined, text: '&lt; <b> "' }]);
  expect(listBlocks(numberBlocks(""))).toEqual([]);
});

test.each([
  ["<strong>0:26</strong> Then something loose.", 26, "Then something loose."],
  ["[1:02:03] Much later.", 3723, "Much later."],
  ["12:00", 720, ""],
  ["At 3:15 she woke.", undefined, "At 3:15 she woke."],
  ["4:3 is a ratio.", undefined, "4:3 is a ratio."],
])("the paragraph %j is said after %j seconds", (html, seconds, text) => {
  const found = listBlocks(numberBlocks(`<p>${html}</p>`));
  expect(found).toEqual(text === "" ? [] : [{ id: "transcript-1", seconds, text }]);
});
