import { expect, test } from "vitest";

import { wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

test("every control of the bar over a member's screen has words that remain without a style sheet", async () => {
  await using site = await openSite({}, withoutContent);
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  const [bar = ""] = /<header[^]*?<\/header>/.exec((await browser.get("/?view=read")).text) ?? [];
  const controls = [...bar.matchAll(/<(a|button)\b[^>]*>[^]*?<\/\1>/g)].map(([control]) => wordsOf(control));
  expect(controls).toEqual(expect.arrayContaining(["Menu", "Close menu", "Search", "Favourites"]));
  expect(controls).toEqual(expect.arrayContaining(["Switch to the light scheme", "Switch to the dark scheme"]));
  expect(controls).not.toContain("");
});
