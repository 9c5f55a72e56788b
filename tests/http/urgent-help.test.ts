import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { type HelpCard, createHelpMatcher, type HelpWords } from "../../server/urgent-help/rules.ts";
import { readUrgentHelp } from "../../server/urgent-help/urgent-help.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { openFolder } from "../helpers/folder.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite } from "../helpers/site.ts";

const { card } = readUrgentHelp();

test("a search that speaks of despair shows first where to call, whatever type, order and page are asked for", async () => {
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
    for (const term of ["kill myself", "I don’t want to live", "zzz suicide", "wnat to die"]) {
      const { status, text } = await browser.get(`/?q=${encodeURIComponent(term)}${more}`);
      expect([status, readHeading(text)], term + more).toEqual([200, card.heading]);
      for (const { tel, number } of card.contacts) {
        expect(text).toContain(`href="tel:${tel}"`);
        expect(readWords(text)).toContain(number);
      }
      expect(readWords(text)).toContain(card.note);
      expect(text).not.toContain("Perhaps one of these is near");
      expect(text).not.toMatch(/href="\/\?q=(?:Pillows|Sleeping%20Pills)/);
    }
  }
});

test("what is found comes below, under a heading of its own", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?q=samaritans&type=reads");
  expect(text.match(/<h1/g)).toHaveLength(1);
  expect(text.indexOf(card.heading)).toBeLessThan(text.indexOf("<h2>Search results for samaritans</h2>"));
  expect(text).toContain('<article id="read-');
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
  for (const term of ["kill myself zzz", "end it all zzz", "xyzzyq"])
    await browser.get(`/?q=${encodeURIComponent(term)}`);
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
  for (const screen of ["/?q=suicide", "/?view=awake&piece=read-5001", "/kept/awake"]) {
    const { text } = await browser.get(screen);
    expect(text, screen).toContain('href="tel:0800222"');
    expect(text, screen).not.toContain("tel:116123");
  }
});
