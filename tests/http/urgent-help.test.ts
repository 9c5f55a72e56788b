import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { type HelpCard, createHelpMatcher, type HelpWords } from "../../server/content/urgent-help/matcher.ts";
import { readUrgentHelp } from "../../server/content/urgent-help/urgent-help.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { openFolder } from "../helpers/folder.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite } from "../helpers/site.ts";

const { card } = readUrgentHelp();

const late = `my husband has snored for years.\n${"we tried the mask and the strips and the pillow, ".repeat(8)}and tonight i took an overdose`;

test("a search that speaks of despair shows where to call and nothing else, whatever type, order and page are asked for", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const more of [
    "",
    "&type=reads",
    "&type=learn&order=oldest",
    "&page=99",
    "&page=none",
    "&order=newest&page=2",
  ]) {
    for (const term of ["kill myself", "I don’t want to live", "zzz suicide", "wnat to die", late]) {
      const { status, text } = await browser.get(`/?q=${encodeURIComponent(term)}${more}`);
      expect([status, readHeading(text)], term + more).toEqual([200, card.heading]);
      for (const { tel, number } of card.contacts) {
        expect(text).toContain(`href="tel:${tel}"`);
        expect(readWords(text)).toContain(number);
      }
      expect(readWords(text)).toContain(card.note);
      expect(text).not.toContain("<article");
      expect(text).not.toMatch(/href="\/\?q=(?:Pillows|Sleeping%20Pills)/);
    }
  }
});

const main = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));
const listCalls = (html: string) => [...main(html).matchAll(/href="tel:(\d+)"/g)].map(([, tel]) => tel);
const listLinks = (html: string) =>
  [...main(html).matchAll(/href="(\/\?q=[^"]+)"/g)].map(([, path = ""]) => path.replaceAll("&amp;", "&"));

test("one link leads from there to what the library has, with one number above, and every link of it keeps the sentence", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const [path = ""] = listLinks((await browser.get(`/?q=${encodeURIComponent(late)}`)).text);
  const { text } = await browser.get(path);
  expect(listCalls(text)).toEqual(["116123"]);
  expect(main(text).indexOf("tel:116123")).toBeLessThan(main(text).indexOf("Search results for my husband has snored"));
  expect(text).toContain("<article");
  const links = listLinks(text);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) {
    expect(new URL(link, "http://here.example").searchParams.get("q")).toMatch(/^my husband .* took an overdose$/);
    expect(listCalls((await browser.get(link.replace("&show=library", ""))).text).length).toBeGreaterThan(3);
  }
});

test("of an address that is longer than a sentence the first part and the last are read", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const much = "and it snows ".repeat(300);
  for (const term of [`kill myself ${much}`, `${much} kill myself`]) {
    const { status, text } = await browser.get(`/?q=${encodeURIComponent(term)}`);
    expect([status, readHeading(text)]).toEqual([200, card.heading]);
  }
});

test("a page that finds nothing or only what is near, or words of a low mood, have one quiet line with one number", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const term of ["xyzzyq", "jet lag zeppelin", "lonely", "low mood", "anxious at night"]) {
    const { text } = await browser.get(`/?q=${encodeURIComponent(term)}`);
    expect(listCalls(text), term).toEqual(["116123"]);
    expect(readWords(text)).toContain("If tonight is more than you can bear: Samaritans, 116 123 , free, any hour.");
  }
  expect(listCalls((await browser.get("/?q=snoring")).text)).toEqual([]);
});

test("a search without despair is as it was", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const term of ["dying to sleep", "dead tired", "xyzzyq"]) {
    expect((await browser.get(`/?q=${encodeURIComponent(term)}`)).text).not.toContain(card.heading);
  }
  expect((await browser.get("/?q=snoring&page=99")).status).toBe(404);
});

test("such a search is in no figure of searches without a result", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const term of ["kill myself zzz", "end it all zzz", late, "xyzzyq"])
    for (const more of ["", "&show=library"]) await browser.get(`/?q=${encodeURIComponent(term)}${more}`);
  expect(await site.services.emptySearches.write()).toBe(1);
});

test("the search box gets the words, only as a member with access", async () => {
  await using site = await openSite();
  const answer = await (await logIn(site, ada)).get("/urgent-help");
  const { card: given, words } = JSON.parse(answer.text) as { card: HelpCard; words: HelpWords };
  expect(given).toEqual(card);
  expect(createHelpMatcher(words)("kill myself")).toBe(true);
  expect(answer.headers.get("Cache-Control")).toBe("private, max-age=600");
  for (const browser of [site.openBrowser(), await logIn(site, lena)]) {
    expect((await browser.get("/urgent-help")).status).not.toBe(200);
  }
});

test("an operator's own file is what search, Awake now and its kept pages say", async () => {
  await using place = await openFolder();
  const path = join(place.folder, "help.yaml");
  const own = readFileSync(readUrgentHelp().path, "utf8")
    .replace('"116123"', '"0800222"')
    .replace("116 123", "0800 222");
  writeFileSync(path, own);
  await using site = await openSite({ URGENT_HELP_FILE: path });
  const browser = await logIn(site, ada);
  for (const screen of ["/?q=suicide", "/awake?piece=read-5001", "/kept/awake"]) {
    const { text } = await browser.get(screen);
    expect(text, screen).toContain('href="tel:0800222"');
    expect(text, screen).not.toContain("tel:116123");
  }
});
