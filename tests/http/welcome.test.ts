import { expect, test } from "vitest";

import { noCardGateway } from "../../server/adapters/adapters.ts";
import { itemKinds } from "../../server/content/items/kinds.ts";
import { article } from "../helpers/article-source.ts";
import { openContentApp } from "../helpers/content-app.ts";
import { makeVideos } from "../fakes/wordpress-items.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { linkNamed, readWords, tagWith } from "../helpers/page.ts";
import { openQuietSite, openSite, type Site, withoutContent } from "../helpers/site.ts";

const titlesOf = ({ services: { catalogue } }: Site) =>
  itemKinds.flatMap((kind) => catalogue.listItems(kind).map(({ title }) => title));

test("the welcome says how much is inside, on what, by whom and for how much, and shows no item", async () => {
  await using site = await openSite();
  const { text } = await site.openBrowser().get("/signup");
  const { counts } = site.services.catalogue.status();
  expect(readWords(text)).toContain(
    `${counts.watch} videos ${counts.listen} recordings ${counts.read} articles ${counts.learn} webinars Getting to sleep`,
  );
  expect(readWords(text)).toContain("by the Dormouse Team. We know how long 3 am can feel.");
  expect(readWords(text)).toContain(
    "£5 a month if you pay for a year, or £15 month by month Pay once. It never renews by itself.",
  );
  expect(text.match(/<img [^>]*width="240" height="180"/g)).toHaveLength(4);
  expect(text).not.toContain("/media/");
  const titles = titlesOf(site);
  expect(titles.length).toBeGreaterThan(50);
  expect(titles.filter((title) => text.includes(title))).toEqual([]);
});

test("the welcome names a CMS's authors and topics, but no title and no file of it", async () => {
  const [first, second] = makeVideos(2);
  const videos = [first!, { ...second!, _embedded: article._embedded }];
  const lists = { videos, posts: [{ ...article, modified_gmt: article.modified }], tutorials: [] };
  await using app = await openContentApp({ content: { lists, uploads: new Map() } });
  await using site = await openSite({}, { content: app.source });
  await site.services.catalogue.refresh();
  const { text } = await site.openBrowser().get("/signup");
  expect(readWords(text)).toContain("2 videos 1 article");
  expect(readWords(text)).toMatch(/by .*Amelia Hart.*\. We know/);
  expect(titlesOf(site)).toHaveLength(3);
  expect(titlesOf(site).filter((title) => text.includes(title))).toEqual([]);
  expect(text).not.toMatch(/\/media\/|wp-content/);
});

test("without content yet the welcome counts nothing and leads on all the same", async () => {
  await using site = await openSite({}, { content: createFixedContent() });
  const { text } = await site.openBrowser().get("/signup?to=%2F%3Fview%3Dread");
  expect(text).not.toContain("<img width=");
  expect(readWords(text)).not.toMatch(/\b0 (?:videos|articles)/);
  expect(readWords(text)).toContain("Help for people who sleep badly. We know");
  expect(linkNamed(text, "Sign up")).toBe("/signup?step=1&to=%2F%3Fview%3Dread");
  expect(linkNamed(text, "Log in")).toBe("/login?to=%2F%3Fview%3Dread");
});

test("the question for employees leads to the form with a code, whatever was chosen before", async () => {
  await using site = await openQuietSite();
  const { browser, ...visitor } = createNewcomer(site);
  await visitor.enterDetails();
  const isChosen = async (path: string, type: string) =>
    tagWith((await browser.get(path)).text, "input", `value="${type}"`, "checked");
  expect(await isChosen("/signup?step=1", "individual")).toBeDefined();
  const forCode = linkNamed((await browser.get("/signup")).text, "Have a code from work?") ?? "";
  expect(await isChosen(forCode, "corporate")).toBeDefined();
  expect(await isChosen(forCode, "individual")).toBeUndefined();
});

test("no price is said where no card can be taken", async () => {
  await using site = await openSite({}, { ...withoutContent, cardGateway: noCardGateway });
  expect((await site.openBrowser().get("/signup")).text).not.toContain("£");
});
