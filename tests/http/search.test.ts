import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { tiles } from "../../app/routes/member/dashboard/landing-texts.ts";
import { ada, logIn, tom } from "../helpers/account-page.ts";
import { readWords } from "../helpers/page.ts";
import { type Browser, openSite } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

/** In order. */
function foundItems(text: string): string[] {
  return [...text.matchAll(/<article id="([\w-]+)"/g)].map(([, key]) => key ?? "");
}

test("the search box is a plain form on every screen, and keeps the term on its results", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readBox = (text: string) => /<form role="search".*?<\/form>/.exec(text)?.[0] ?? "";
  for (const path of ["/", "/?view=watch", "/?view=read&item=1001", "/?view=favourites", "/?view=read&item=4"]) {
    const box = readBox((await browser.get(path)).text);
    expect(box, path).toContain('action="/"');
    expect(box, path).toContain('name="q" value=""');
    expect(box, path).not.toContain('role="combobox"');
  }
  expect(readBox((await browser.get("/?q=jet+lag")).text)).toContain('name="q" value="jet lag"');
});

test("results say how many there are, of each kind and in all", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?q=menopause");
  const counts = [...text.matchAll(/<span>(\d+)<\/span>/g)].map(([, count]) => Number(count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const [, open] = /aria-current="page"[^>]*>Read.*?<span>(\d+)</.exec(text) ?? [];
  expect(text).toContain(`Showing ${open} results of ${total} in all`);
  expect(foundItems(text)).toHaveLength(Number(open));
});

test("a result has its badge, its text with the hit marked, author, date and what to do", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?q=snoring&type=reads");
  const first = text.slice(text.indexOf("<article"), text.indexOf("</article>"));
  expect(first).toContain(">Article<");
  expect(first).toMatch(/<mark>snor\w*<\/mark>/i);
  expect(first).toMatch(/aria-label="Read Now: [^"]+"/);
  expect(first).toMatch(/<time dateTime="2026-\d\d-\d\d">/);
  expect(first).toMatch(/<span> \d+\u00a0min\u00a0read</);
});

test("all of a result's text is in the page, with a way to unfold it on a phone", async () => {
  await using site = await openSite();
  const { document } = parseHTML((await (await logIn(site, ada)).get("/?q=snoring&type=reads")).text);
  const [first] = document.querySelectorAll("main article.search-result");
  expect(first?.querySelector("p.search-excerpt")?.textContent.length).toBeGreaterThan(250);
  const more = first?.querySelector("details summary");
  expect(readWords(more?.innerHTML ?? "")).toBe("more : Snoring: what it is, and what may help");
});

test("newest and oldest go strictly by date", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const dates = async (order: string) =>
    [...(await browser.get(`/?q=snoring&type=reads&order=${order}`)).text.matchAll(/dateTime="([\d-]+)"/g)].map(
      ([, date]) => date ?? "",
    );
  const newest = await dates("newest");
  expect(newest.length).toBeGreaterThan(5);
  expect(newest).toEqual(newest.toSorted().toReversed());
  expect(await dates("oldest")).toEqual(newest.toReversed());
});

test("a hit in a transcript links to its place there", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=dark+screen+small+pale+moon&type=watches");
  const anchor = /href="\/\?view=watch&amp;item=2001#(transcript-\d+)"/.exec(text)?.[1];
  expect(anchor).toBeDefined();
  const item = await browser.get("/?view=watch&item=2001");
  expect(item.text).toContain(`id="${anchor}"`);
});

test("the time of what is only said leads to that second of the film, and is no part of the excerpt", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=hoover&type=watches");
  const [, path = ""] = /<a [^>]*href="([^"]+)" aria-label="Play from 1:15"[^>]*>1:15<\/a>/.exec(text) ?? [];
  expect(path).toBe("/?view=watch&amp;item=2012&amp;play=1&amp;from=75");
  expect(readWords(text)).not.toMatch(/Before you sleep.*1:12/);
  const film = await browser.get(path.replaceAll("&amp;", "&"));
  expect(film.text).toMatch(/<source [^>]*src="[^"]+#t=75"/);
});

test("without a hit the nearest topics are offered, and each of them finds something", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  expect((await browser.get("/?q=xyzzyq%3Csvg%3E")).text).toContain(
    "No results found for &quot;xyzzyq&lt;svg&gt;&quot;",
  );
  const { text } = await browser.get("/?q=snorkelling");
  expect(text).toContain("No results found for &quot;snorkelling&quot;");
  const topics = text.slice(text.indexOf('aria-label="Topics"'));
  const links = [...topics.matchAll(/href="(\/\?q=[^"]+)"/g)].map(([, href]) => href ?? "");
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect((await browser.get(link)).text).toContain("Search results for");
});

test("where next to nothing has the words, things with near names follow under a heading of their own", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, text } = await browser.get("/?q=bedrumm");
  expect(status).toBe(200);
  expect(readWords(text)).toContain("Search results for bedrumm");
  expect(text).toContain("<h2>Nothing has all your words. Perhaps one of these:</h2>");
  expect(readWords(text)).toContain("How cool should a bedroom be?");
  expect(text).not.toContain('aria-label="Kinds of result"');
  expect(readWords(text)).not.toMatch(/No results|Showing/);

  const some = (await browser.get("/?q=stargazing+xyzzyq")).text;
  const [found = "", near = ""] = some.split("<h2>Perhaps one of these:</h2>");
  expect(foundItems(found).length).toBeGreaterThan(0);
  expect(foundItems(near).length).toBeGreaterThan(0);
  expect(foundItems(found)).toEqual(expect.not.arrayContaining(foundItems(near)));
});

test.each([
  "gout",
  "baking",
  "wifi password",
  "cbd oil",
  "cancel my subscription",
  "crypto wallet",
  "bunk beds for sale",
])("nothing is called near %j", async (term) => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get(`/?q=${encodeURIComponent(term)}`);
  expect(readWords(text)).toContain(`No results found for "${term}"`);
  expect(foundItems(text)).toEqual([]);
});

test.each([
  ["duvet wars", "Bedding by the season"],
  ["sids worries of newborn parents", "Young families: sharing out the nights"],
])("a word that no text has hides nothing of %j", async (term, title) => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get(`/?q=${encodeURIComponent(term)}`);
  expect(readWords(text)).toContain(title);
});

test("every topic is listed where there is no script to suggest it", async () => {
  await using site = await openSite();
  const { status, text } = await (await logIn(site, ada)).get("/?q=");
  expect(status).toBe(200);
  for (const topic of [
    "Sleep Apnea",
    "Insomnia",
    "Snoring",
    "CPAP",
    "Melatonin",
    "Jet Lag",
    "Menopause",
    "Toddlers",
    "Family",
  ]) {
    expect(text).toContain(`>${topic}</a>`);
  }
});

test("a topic of the landing begins with its guide; a kind, an order or a further page of it does not", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const words = readWords((await browser.get("/?q=Shift+work")).text);
  expect(words).toMatch(/Start here Your next sleep first.* Plan one night shift backwards/);
  for (const term of ["cant sleep", "Can’t sleep", "can't get to sleep"])
    expect((await browser.get(`/?q=${encodeURIComponent(term)}`)).text, term).toContain("Start here");
  for (const path of ["/?q=shift+work&type=reads", "/?q=shift+work&order=newest", "/?q=night+shift"])
    expect((await browser.get(path)).text, path).not.toContain("Start here");
});

test("the first step of a guide begins at once: a film plays, an article is opened", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readFirst = async (path: string) =>
    readLinks((await browser.get(path)).text, "#guide > article:first-of-type a");
  expect(await readFirst("/?q=can%27t+sleep")).toEqual([
    ["/?view=watch&item=2001&play=1", "Breathe with the moon Watch Now"],
  ]);
  expect(await readFirst("/?q=menopause")).toEqual([
    ["/?view=read&item=1012", "Sleep in the menopause years Read Now"],
  ]);
});

test("a guide is a large card, a row of sounds that are links without script, its nights, and articles before films", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=can%27t+sleep");
  const words = readWords(text);
  expect(words).toContain("For tonight first; then ideas for the evening. Video · 1 min Breathe with the moon");
  const sounds = readLinks(text, ".guide-sounds a");
  expect(sounds).toHaveLength(8);
  expect(sounds[1]).toEqual(["/?view=watch&item=4002", "Play: A slow sea (45 min)"]);
  expect(readLinks(text, ".guide-nights a")).toEqual([
    ["/nights/cant-get-to-sleep", "A seven-night course · one small step each night"],
  ]);
  expect(readLinks(text, ".guide-others a").map(([to]) => to)).toEqual(
    [...[1001, 1002, 1027, 1026, 1029].map((id) => `read&item=${id}`), "watch&item=2002", "learn&item=3001"].map(
      (item) => `/?view=${item}`,
    ),
  );
  // The others have the sounds of Awake now.
  for (const { term } of tiles) {
    const guide = (await browser.get(`/?q=${encodeURIComponent(term)}`)).text;
    expect(readLinks(guide, ".guide-sounds a").length, term).toBeGreaterThan(2);
  }
});

test("a guide shows how many of its nights are behind a member, and where they stopped in a sound", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readNights = async () => {
    const { document } = parseHTML((await browser.get("/?q=can%27t+sleep")).text);
    const dots = [...document.querySelectorAll(".guide-dots i")].map((dot) => dot.hasAttribute("data-done"));
    return [dots.filter(Boolean).length, dots.length, document.querySelector(".guide-nights p")?.textContent];
  };
  expect(await readNights()).toEqual([0, 7, ""]);
  await browser.post("/nights/cant-get-to-sleep", { intent: "nights", open: "watch-2001" });
  await browser.post("/nights/cant-get-to-sleep", { intent: "nights", skip: "read-1001" });
  expect(await readNights()).toEqual([2, 7, "Night 3 is next"]);
  await browser.post("/positions", { keep: "watch-4002", seconds: "600", duration: "2700", age: "0" });
  const data = await browser.get(toDataPath("/?q=can%27t+sleep"));
  expect(data.text).toMatch(/startAt.*600/);
});

/** Where links lead, and what they say. */
function readLinks(text: string, selector: string): [string, string][] {
  const { document } = parseHTML(text);
  return [...document.querySelectorAll(selector)].map((link) => [
    link.getAttribute("href") ?? "",
    link.textContent.replaceAll(/\s+/g, " "),
  ]);
}

test.each(["can't sleep", "Can’t get to sleep", "insomnia"])(
  "a search for “%s” finds the recordings in Listen",
  async (term) => {
    await using site = await openSite();
    const browser = await logIn(site, ada);
    const { text } = await browser.get(`/?q=${encodeURIComponent(term)}`);
    const recordings = await browser.get(`/?q=${encodeURIComponent(term)}&type=listens`);
    expect(foundItems(recordings.text)).toEqual(
      expect.arrayContaining([1, 2, 3, 4, 5, 6, 7, 8].map((place) => `watch-400${place}`)),
    );
    const guide = text.slice(text.indexOf("Start here"), text.indexOf("Kinds of result"));
    if (term === "can't sleep") expect(guide.match(/item=400\d/g)).toHaveLength(8);
  },
);

test("a guide marks what this member has read or watched, and not what others have", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { positions } = site.services;
  const { id } = (await site.services.accounts.findByEmail(ada)) ?? { id: 0 };
  const readMarks = async (from: Browser) => {
    const { document } = parseHTML((await from.get("/?q=menopause")).text);
    return [...document.querySelectorAll("#guide b")].map(({ textContent }) => textContent);
  };
  expect(await readMarks(browser)).toEqual([]);
  await positions.noteOpened(id, { kind: "read", id: 1012 });
  await positions.note(id, { kind: "watch", id: 2011 }, { seconds: 299, duration: 300, ageInMs: 0 });
  expect(await readMarks(browser)).toEqual(["Read", "Watched"]);
  expect(await readMarks(await logIn(site, tom))).toEqual([]);
});

test("a misspelt term is put right, says so, and is searched for as typed where one asks for it", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=alchohol");
  expect(readWords(text)).toContain("Showing results for alcohol . Search for alchohol instead .");
  const link = /<a [^>]*href="([^"]+)"[^>]*>Search for alchohol instead/.exec(text)?.[1] ?? "";
  const literal = await browser.get(link.replaceAll("&amp;", "&"));
  expect(readWords(literal.text)).toContain('No results found for "alchohol"');
});

test("a word that may be a slip is searched for both ways, and the page leads to what was typed alone", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=sleep+dairy");
  expect(readWords(text)).toMatch(/results for sleep diary ?, too. Search only for sleep dairy/);
  const link = /<a [^>]*href="([^"]+)"[^>]*>Search only for sleep dairy/.exec(text)?.[1] ?? "";
  expect(readWords((await browser.get(link.replaceAll("&amp;", "&"))).text)).not.toMatch(/sleep diary ?, too/);
});

test("a question in another language is answered, and the page says that the library is in English", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=ich+kann+nicht+schlafen");
  expect(readWords(text)).toContain("The library is in English.");
  expect(foundItems(text).length).toBeGreaterThan(0);
  expect((await browser.get("/?q=insomnia")).text).not.toContain("The library is in English.");
});

test("a page says where what has all of the words ends, and what is best of the other kinds", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const snoring = readWords((await browser.get("/?q=snoring+pillow")).text);
  expect(snoring).toMatch(/Also try, in (?:Listen|Read): \S/);
  expect(snoring).toContain("Nothing else fits all of your words. These are close.");
  const jetLag = readWords((await browser.get("/?q=jet+lag+new+york")).text);
  expect(jetLag).toContain("Nothing here fits all of your words. This is close. Article Jet lag, one day at a time");
  expect(jetLag).not.toContain("Also try");
});

test("a piece of Awake now is found, leads to its screen, and is no favourite", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?q=cognitive+shuffle");
  const first = text.slice(text.indexOf("<article"), text.indexOf("</article>"));
  expect(first).toContain('href="/awake?piece=read-5018"');
  expect(first).not.toContain("Favourite");
  const piece = await browser.get("/awake?piece=read-5018");
  expect(piece.status).toBe(200);
  expect(piece.text).toContain("It is known as a cognitive shuffle.");
});

test.each([
  ["rain", "Rain on a window pane"],
  ["slow se", "A slow sea"],
  ["harbo", "A harbour at night"],
  ["melotonin", "Melatonin: what it is, and what to ask"],
])("the title that %j may become is offered, and leads to its item", async (typed, title) => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const answer = await browser.get(`/suggestions?q=${encodeURIComponent(typed)}`);
  const suggestions = JSON.parse(answer.text) as { label: string; path?: string }[];
  const found = suggestions.find((each) => each.label === title);
  expect(found).toBeDefined();
  expect((await browser.get(`/${found?.path}`)).text).toContain(title);
});

test.each(["", " ", "\u{1f319}", "kill myself", "x".repeat(9000), "(+)+$"])(
  "nothing is suggested for %j",
  async (typed) => {
    await using site = await openSite();
    const { status, text } = await (await logIn(site, ada)).get(`/suggestions?q=${encodeURIComponent(typed)}`);
    expect({ status, text }).toEqual({ status: 200, text: "[]" });
  },
);
