import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { openSite } from "../helpers/site.ts";

test.each([
  {
    path: "/?view=read&item=1001",
    title: "Can't get to sleep? What to do with the first hour awake",
    author: "Dormouse Team",
    date: "2026-11-12",
    begins: "If you are reading this in bed",
    holds: "Cognitive behavioural therapy.",
  },
  {
    path: "/?view=learn&item=3001",
    title: "Falling asleep: an evening with questions",
    author: "Dormouse Team",
    date: "2026-11-10",
    begins: "Falling asleep is one of the few things",
    holds: "Those three sentences will help a great deal.",
  },
  {
    path: "/?view=watch&item=2001",
    title: "Breathe with the moon",
    author: "Dormouse Team",
    date: "2026-11-14",
    begins: "A moon grows for four seconds",
    holds: "The moon doesn't need watching.",
  },
])("a reader view of $path has the whole title, the author and the text alone", async (item) => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { document } = parseHTML((await browser.get(item.path)).text);
  const read = new Readability(document).parse();
  expect(read).toMatchObject({ title: item.title, byline: item.author, publishedTime: item.date });
  const text = read?.textContent?.trim() ?? "";
  expect(text.slice(0, item.begins.length)).toBe(item.begins);
  expect(text).toContain(item.holds);
  expect(text).not.toMatch(/Back to|Recommended For You|Category/);
});
