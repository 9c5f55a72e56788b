import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { article, film } from "../helpers/article-source.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { openSite, type Browser } from "../helpers/site.ts";

const RAIN = "watch-4001";
const rainPage = "/?view=watch&item=4001";

async function read(browser: Browser, path: string) {
  const { status, text } = await browser.get(path);
  const { document } = parseHTML(text);
  const list = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const tabs = (label: string) => list(`nav[aria-label="${label}"] a`);
  return { status, text, document, list, tabs, current: list('nav[aria-label="Sections"] a[aria-current]') };
}

test("recordings have a section of their own, and Videos leaves them out", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const listen = await read(browser, "/?view=listen");
  expect(listen.tabs("Sections")).toEqual(["Videos", "Listen", "Read", "Webinars", "Favourites"]);
  expect(listen.tabs("Menu")).toEqual([
    "Awake now",
    "Videos",
    "Listen",
    "Read",
    "Webinars",
    "Favourites",
    "My Account",
  ]);
  expect(listen.list("h1")).toEqual(["Listen"]);
  expect(listen.current).toEqual(["Listen"]);
  const recordings = site.services.catalogue.listRecordings().map(({ kind, id }) => `${kind}-${id}`);
  expect(recordings).toContain(RAIN);
  for (const key of recordings) expect(listen.document.getElementById(key), key).not.toBeNull();
  const videos = await read(browser, "/?view=watch");
  for (const key of recordings) expect(videos.text, key).not.toContain(`value="${key}"`);
  expect((await read(browser, "/")).document.querySelector('main a[href="/?view=listen"]')?.textContent).toBe("Listen");
});

test("a recording keeps its address, and its page belongs to Listen", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const page = await read(browser, rainPage);
  expect(page.current).toEqual(["Listen"]);
  const back = page.document.querySelector('main a[href="/?view=listen"]');
  expect(back?.textContent).toBe("Back to Listen");
  const recommended = [...page.document.querySelectorAll("section article a")].map((link) => link.getAttribute("href"));
  expect(recommended.length).toBeGreaterThan(0);
  for (const path of recommended) expect(path).toMatch(/^\/\?view=watch&item=40\d\d$/);
});

test("results have a filter for recordings, whose cue is to listen", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const found = await read(browser, "/?q=rain&type=listens");
  expect(found.tabs("Kinds of result").map((tab) => tab.replace(/\d+$/, "").trim())).toEqual([
    "Video",
    "Listen",
    "Read",
    "Webinars",
  ]);
  const first = found.document.getElementById(RAIN);
  expect(first?.querySelector("a")?.textContent).toBe("Listen now");
  expect(first?.querySelector("p")?.textContent).toMatch(/^Recording · \d+\u00a0min$/);
  expect((await read(browser, "/?q=rain&type=watches")).document.getElementById(RAIN)).toBeNull();
});

test("a recording among the favourites is in their section Listen, also once it is removed there", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const save of [RAIN, "watch-2001"]) await browser.post("/favourites", { save, from: "/" });
  const rows = async (path: string) => {
    const { document } = await read(browser, path);
    return [...document.querySelectorAll("main section")].map((row) =>
      [...row.querySelectorAll("h2, button[aria-pressed]")].map(
        (part) => part.getAttribute("value") ?? part.textContent,
      ),
    );
  };
  expect(await rows("/?view=favourites")).toEqual([["Watch", "watch-2001"], ["Listen", RAIN], ["Read"], ["Learn"]]);
  const all = await read(browser, "/?view=favourites&kind=listen");
  expect(all.list("h1")).toEqual(["Recordings you saved"]);
  expect(all.document.querySelector("main article a")?.getAttribute("href")).toBe(
    "/?view=favourites&kind=watch&item=4001",
  );
  const answer = await browser.post("/favourites", { remove: RAIN, from: "/?view=favourites&kind=listen" });
  expect(answer.location).toBe(`/?view=favourites&kind=listen&removed=${RAIN}&at=1#${RAIN}`);
  expect((await browser.get(answer.location ?? "")).text).toContain("Removed from favourites.");
});

test("a page of favourites counts recordings in one section alone", async () => {
  await using site = await openSite();
  const { favourites, catalogue, accounts } = site.services;
  const member = await accounts.findByEmail(ada);
  const recordings = catalogue.listRecordings();
  for (const item of [...recordings, { kind: "watch", id: 2001 } as const])
    await favourites.save(member?.id ?? 0, item);
  const browser = await logIn(site, ada);
  const { text } = await read(browser, "/?view=favourites");
  expect(text).toContain("View all (1)");
  expect(text).toContain(`View all (${recordings.length})`);
});

test("the desk calls recordings what members' pages do", async () => {
  await using site = await openSite();
  const { editorial } = site.services.catalogue;
  const lists = [
    await editorial.listGaps({ section: "listen", filter: "any", page: 1 }),
    await editorial.listGaps({ section: "listen", filter: "none", page: 1 }),
  ];
  expect(lists.flatMap((list) => list?.rows ?? []).map(({ id }) => id)).toContain(4001);
  const { counts } = site.services.catalogue.status();
  expect(counts.listen).toBe(site.services.catalogue.listRecordings().length);
});

const sound = { audio_url: "media/rain.opus", audio_duration: 90 };

test("a webinar with sound alone is in Listen too, and an article with sound is in Read", async () => {
  const content = createFixedContent([
    { ...film, id: 1 },
    { ...film, id: 2, type: "tutorials", acf: sound },
    { ...article, id: 3, acf: sound },
  ]);
  await using site = await openSite({}, { content });
  const browser = await logIn(site, ada);
  const keys = async (path: string) => (await read(browser, path)).text.match(/id="(?:watch|read|learn)-\d+"/g);
  expect(await keys("/?view=listen")).toEqual(['id="learn-2"']);
  expect(await keys("/?view=learn")).toBeNull();
  expect(await keys("/?view=read")).toEqual(['id="read-3"']);
});

test("without any recording there is no Listen", async () => {
  const content = createFixedContent([
    { ...film, id: 1 },
    { ...article, id: 2 },
  ]);
  await using site = await openSite({}, { content });
  const browser = await logIn(site, ada);
  const videos = await read(browser, "/?view=watch");
  expect(videos.tabs("Sections")).toEqual(["Videos", "Read", "Webinars", "Favourites"]);
  const listen = await read(browser, "/?view=listen");
  expect(listen.status).toBe(400);
  expect(listen.text).toContain("There is no such section.");
  expect((await browser.get("/?view=favourites&kind=listen")).status).toBe(404);
  const found = await read(browser, "/?q=worry&type=listens");
  expect(found.tabs("Kinds of result").map((tab) => tab.replace(/\d+$/, "").trim())).toEqual([
    "Video",
    "Read",
    "Webinars",
  ]);
  expect((await read(browser, "/")).text).not.toContain("view=listen");
});
