import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { tiles } from "../../app/routes/member/dashboard/landing-texts.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { readHeading, readTitle, readWords, tagWith } from "../helpers/page.ts";
import { type Browser, openQuietSite, openSite } from "../helpers/site.ts";

test("the landing has the six topics, each with something of each type behind it", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/");
  const links = [...text.matchAll(/href="(\/\?q=[^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&#x27;", "'"));
  expect(links).toHaveLength(6);
  for (const tile of links) {
    const results = await browser.get(tile);
    const types = [...results.text.matchAll(/type=(\w+)"[^>]*>[^<]*(?:<!-- -->)?[^<]*<span>[1-9]/g)].map(
      ([, type]) => type,
    );
    expect(types, tile).toEqual(expect.arrayContaining(["watches", "reads", "learns"]));
  }
});

test("the videos are listed newest first, the New panel beside them", async () => {
  await using site = await openSite();
  const { status, text } = await (await logIn(site, ada)).get("/?view=watch");
  expect(status).toBe(200);
  expect(text).toContain("<title>Videos – Dormouse</title>");
  const list = text.slice(text.indexOf("<h1"));
  expect(list.indexOf("Breathe with the moon")).toBeLessThan(list.indexOf("Leave the bed for a while"));
  const panel = text.slice(text.indexOf("<aside"), text.indexOf("</aside>"));
  expect([...panel.matchAll(/item=(\d)/g)].map(([, first]) => first)).toEqual(["2", "1", "3"]);
});

test("no picture is twice on a screen, the New panel, the slider and the pieces of Awake now among results included", async () => {
  await using site = await openSite({}, { cardsPerPage: 24 });
  const browser = await logIn(site, ada);
  const items = ["watch-2001", "watch-4002", "read-1001", "learn-3001"];
  for (const item of items) await browser.post("/favourites", { save: item });
  const lists = ["watch", "listen", "read", "learn", "favourites"].map((view) => `/?view=${view}`);
  const results = ["breath", "rain", "night", "sleep", "story", "worry"].flatMap((term) =>
    ["watches", "listens", "reads", "learns"].map((type) => `/?q=${term}&type=${type}`),
  );
  const guides = tiles.map(({ term }) => `/?q=${encodeURIComponent(term)}`);
  let count = 0;
  for (const path of [...lists, ...results, ...guides, "/?view=read&item=1001", "/"]) {
    const { text } = await browser.get(path);
    const pictures = [...text.matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, src]) => src);
    expect(pictures, path).toEqual([...new Set(pictures)]);
    count += pictures.length;
  }
  expect(count).toBeGreaterThan(150);
});

test("a long list is under its topics, each with a way to all of it, and each card once; a short one is not", async () => {
  await using site = await openSite({}, { cardsPerPage: 24 });
  const browser = await logIn(site, ada);
  const readList = async (view: string) => {
    const { document } = parseHTML((await browser.get(`/?view=${view}`)).text);
    const headings = [...document.querySelectorAll("main h1, main h2, main h3, main h4")];
    const cards = [...document.querySelectorAll("main ul.card-grid article")].map(({ id }) => id);
    const ways = [...document.querySelectorAll("main section a")].filter(({ textContent }) =>
      textContent.startsWith("All of"),
    );
    return { headings: headings.map(({ localName, textContent }) => `${localName} ${textContent}`), cards, ways };
  };
  const videos = await readList("watch");
  expect(videos.headings).toEqual(expect.arrayContaining(["h2 Snoring and sleep apnoea", "h3 Fitting a CPAP mask"]));
  expect(videos.headings).toContain("h2 More videos");
  const listed = site.services.catalogue.findPage("watch", 1)?.cards.map(({ id }) => `watch-${id}`);
  expect(videos.cards.toSorted()).toEqual(listed?.toSorted());
  const read = await readList("read");
  expect(read.headings).toEqual(expect.arrayContaining(["h2 Articles", "h3 Family", "h4 A short guide to naps"]));
  const way = videos.ways.find(({ textContent }) => textContent === "All of this topic: Snoring and sleep apnoea");
  const found = await browser.get(way?.getAttribute("href") ?? "");
  expect(found.text).toContain("<title>Search results for Snoring and sleep apnoea – Dormouse</title>");
  expect(found.text).toContain("Fitting a CPAP mask");
  const recordings = await readList("listen");
  expect([recordings.cards.length, recordings.ways]).toEqual([8, []]);
});

test("content without pictures has no scene twice among nine neighbours of a screen", async () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    type: index % 2 === 0 ? "videos" : "post",
    date: `2026-10-${String(index + 1).padStart(2, "0")}T09:00:00`,
    title: { rendered: `Night shift, part ${index + 1}` },
    content: { rendered: "<p>Words.</p>" },
    _embedded: { "wp:term": [[], [{ name: index % 3 === 0 ? "Shift work" : "Driving" }]] },
  }));
  await using site = await openSite({}, { content: createFixedContent(items), cardsPerPage: 24 });
  const browser = await logIn(site, ada);
  for (const { id, type } of items)
    await browser.post("/favourites", { save: `${type === "post" ? "read" : "watch"}-${id}` });
  const screens = ["/?view=watch", "/?view=read", "/?q=night+shift", "/?view=favourites", "/?view=watch&item=1"];
  for (const path of screens) {
    const { text } = await browser.get(path);
    const scenes = [...text.matchAll(/<picture>.*?<img [^>]*?src="([^"]+)"/g)].map(([, src]) => src);
    expect(scenes.length, path).toBeGreaterThan(6);
    for (let start = 0; start < scenes.length; start += 1) {
      const near = scenes.slice(start, start + 9);
      expect(near, path).toEqual([...new Set(near)]);
    }
  }
});

test("a card says in words how long its film takes, or its article", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readCard = async (view: string, item: number) => {
    const { text } = await browser.get(`/?view=${view}`);
    return text.slice(text.lastIndexOf("<article", text.indexOf(`item=${item}`))).split("</article>", 1)[0];
  };
  expect(await readCard("watch", 2001)).toContain(
    '</time><span class="card-length"> 1\u00a0min</span><span> silent,\u00a0with\u00a0captions</span></p>',
  );
  expect(await readCard("read", 1022)).toMatch(/<\/time><span> \d\u00a0min\u00a0read<\/span><\/p>/);
});

test("days are in words, and with their year once that is another; programs read the ten characters", async () => {
  const readDay = async (startsAt: string, path: string) => {
    // Its own catalogue: the shared one has another clock.
    await using site = await openSite({}, { startsAt, cardsPerPage: 24 });
    const { text } = await (await logIn(site, ada)).get(path);
    return /<time dateTime="2026-11-14"[^>]*>([^<]*)</.exec(text)?.[1];
  };
  const list = "/?view=watch";
  const item = "/?view=watch&item=2001";
  expect(await readDay("2026-11-14T23:00:00Z", list)).toBe("today");
  expect(await readDay("2026-11-15T08:00:00Z", list)).toBe("yesterday");
  expect(await readDay("2026-11-20T03:00:00Z", list)).toBe("14 November");
  expect(await readDay("2027-01-01T00:00:00Z", item)).toBe("14 November 2026");
  // A stored page is read for weeks, so "yesterday" would be wrong tomorrow.
  expect(await readDay("2026-11-15T08:00:00Z", "/kept/watch-2001")).toBe("14 November 2026");
});

test("the page of an item says how long it takes, and that of an article has its date in ten characters", async () => {
  await using site = await openSite({}, { startsAt: "2026-11-20T03:00:00Z" });
  const browser = await logIn(site, ada);
  const readMeta = async (path: string) => {
    const { text } = await browser.get(path);
    return readWords(text.slice(text.indexOf(">By "), text.indexOf("</header>", text.indexOf(">By ")))).replace(
      /^>/,
      "",
    );
  };
  expect(await readMeta("/?view=read&item=1001")).toMatch(
    /^By Dormouse Team Category: Sleep 2026-11-12 \d\s+min read$/,
  );
  expect(await readMeta("/?view=watch&item=2001")).toMatch(
    /^By Dormouse Team 14 November 1\smin silent,\swith\scaptions$/,
  );
  expect(await readMeta("/?view=watch&item=4001")).toMatch(/ Recording · 45\smin$/);
});

test("articles come as featured ones and the rest", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?view=read");
  const featured = text.slice(text.indexOf("Featured Articles"), text.indexOf('id="articles"'));
  const rest = text.slice(text.indexOf('id="articles"'), text.indexOf("</main>"));
  expect(featured).toContain("item=1001");
  expect(rest).not.toContain("item=1001");
  expect(rest).toContain("item=1022");
});

test("an article shows who signs it, its category, its date, its text, and that it is a sample no one has reviewed", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?view=read&item=1001");
  expect(readWords(text)).toContain("By Dormouse Team Category: Sleep 2026-11-12");
  expect(tagWith(text, "time", 'datetime="2026-11-12"')).toBeDefined();
  expect(text).toContain("turn the brightness down");
  expect(readWords(text)).toContain(
    "Sample text of the demo library, not reviewed by a clinician. No sources named. Any people in it are invented.",
  );
  expect(text).not.toContain("last reviewed");
  expect(text).toContain("Recommended For You");
  expect(text).toContain("Back to top");
});

test("what is about the product is under Help, and in no section, list of the newest or search", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const landing = await browser.get("/");
  expect(landing.text).toMatch(/<footer[^]*<a href="\/\?view=help">Help<\/a>/);
  const help = await browser.get("/?view=help");
  expect([readTitle(help.text), readHeading(help.text)]).toEqual(["Help – Dormouse", "Help"]);
  for (const id of [2017, 2018]) {
    expect(help.text).toContain(`href="/?view=watch&amp;item=${id}"`);
    for (const path of ["/?view=watch", "/?view=watch&item=2001", "/?q=youtube+vimeo+sample+film&type=watches"])
      expect((await browser.get(path)).text, path).not.toContain(`item=${id}`);
  }
  const item = await browser.get("/?view=watch&item=2017");
  expect(item.text).toContain('href="/?view=help"');
  expect(readWords(item.text)).toContain("Back to Help");
});

test("no page asks another host for anything before Play is pressed", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const path of [
    "/",
    "/?view=watch",
    "/?view=read",
    "/?view=learn",
    "/?view=watch&item=2002",
    "/?view=learn&item=3002",
  ]) {
    const { text } = await browser.get(path);
    const html = text.slice(0, text.indexOf("streamController.enqueue"));
    expect(html).not.toMatch(/(?:src|srcset|poster|data)="https?:/i);
    expect(html).not.toContain("<iframe");
  }
});

test("Play opens the player, and only what can be played here", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const youtube = await browser.get("/?view=watch&item=2017&play=1");
  expect(youtube.text).toContain(
    'src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?enablejsapi=1&amp;autoplay=1"',
  );
  expect(youtube.text).toMatch(/<dialog[^>]* open/);
  const vimeo = await browser.get("/?view=watch&item=2018&play=1");
  expect(vimeo.text).toContain('src="https://player.vimeo.com/video/76979871?dnt=1&amp;autoplay=1"');
  const file = await browser.get("/?view=watch&item=2001&play=1");
  expect(file.text).toContain('<source src="/media/breathe-with-the-moon.mp4" type="video/mp4"/>');
  expect(file.text).toContain('<source src="/media/breathe-with-the-moon.webm" type="video/webm"/>');
  expect(file.text).toMatch(/<track kind="captions" src="\/media\/breathe-with-the-moon\.vtt" srcLang="en"/i);
  for (const path of ["/?view=watch&item=2015&play=1", "/?view=watch&item=2016&play=1"]) {
    expect((await browser.get(path)).text).not.toContain("<dialog");
  }
  expect(readWords((await browser.get("/?view=watch&item=2016")).text)).toContain("This video can't be played here.");
});

test("an unknown item is answered with a link home", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const [path, status] of [
    ["/?view=attic", 400],
    ["/?view=read&item=1001%27--", 400],
    ["/?view=read&item=99999999999999999999", 400],
    ["/?view=read&page=0", 400],
    ["/?view=read&item=99", 404],
    ["/?view=read&page=99", 404],
    ["/?q=sleep&page=99", 404],
  ] as const) {
    const answer = await browser.get(path);
    expect(answer.status, path).toBe(status);
    expect(readWords(answer.text)).toContain("We couldn't find that page");
    expect(answer.text).toContain("Go to the dashboard");
    expect(answer.text).toContain("Account of Ada Lovell</span>");
  }
});

test("search opens on the type with the best hit, or on the requested one", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const current = (text: string) =>
    /aria-current="page"[^>]*>(\w+)/.exec(text.slice(text.indexOf("Kinds of result")))?.[1];
  expect(current((await browser.get("/?q=sleep+and+ageing")).text)).toBe("Video");
  expect(current((await browser.get("/?q=sleep+and+ageing&type=reads")).text)).toBe("Read");
  expect(current((await browser.get("/?q=melatonin")).text)).toBe("Read");
});

test("the scheme a visitor chooses is in the first byte of every page after", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  expect((await browser.get("/login")).text).toContain('data-scheme="system"');
  const answer = await browser.post("/login?to=%2F", { intent: "scheme", scheme: "dawn" });
  expect(answer).toMatchObject({ status: 303, location: "/login?to=%2F" });
  const page = await browser.get("/signup");
  expect(page.text).toContain('data-scheme="dawn"');
  expect(page.text).toContain('content="light"');
  expect((await browser.post("/login", { intent: "scheme", scheme: "noon" })).status).toBe(400);
});

test("an address that is not there offers the search to members with access alone", async () => {
  await using site = await openSite();
  const readPage = async (browser: Browser) => {
    const { status, text } = await browser.get("/nowhere");
    expect(status).toBe(404);
    return text;
  };
  const form = /<form role="search"[^>]* action="\/"[^>]*><input [^>]*name="q"/;
  expect(await readPage(await logIn(site, ada))).toMatch(form);
  expect(await readPage(await logIn(site, lena))).not.toContain("<form");
  expect(await readPage(site.openBrowser())).not.toContain("<form");
});
