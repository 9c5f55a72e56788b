import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { createNewcomer } from "../helpers/newcomer.ts";
import { openSite, type Site, openQuietSite } from "../helpers/site.ts";
import { walkSite } from "../safety/crawl.ts";

/** Without a style sheet `aria-label` shows nowhere: a control's name is its own words, or its picture's. */
function wordsWithin(control: Element): string {
  const inside = control.cloneNode(true) as Element;
  for (const hidden of inside.querySelectorAll("svg, [aria-hidden=true]")) hidden.remove();
  const pictures = [...inside.querySelectorAll("img")].map((picture) => picture.getAttribute("alt") ?? "");
  return [inside.textContent, ...pictures].join(" ").trim();
}

function controlsIn(html: string): Element[] {
  return [...parseHTML(html).document.querySelectorAll("button, a[href], summary")];
}

const inLine = "a, button, label, span, time, strong, b, i, em, small, bdi";

/** Neighbours whose words run together without style. */
function runTogether(html: string): string[] {
  const { document } = parseHTML(html);
  for (const hidden of document.querySelectorAll("svg, script, style, .prose")) hidden.remove();
  return [...document.body.querySelectorAll(inLine)].flatMap((element) => {
    const next = element.nextSibling as Element | null;
    if (next?.nodeType !== 1 || !next.matches(inLine)) return [];
    const [before, after] = [element.textContent, next.textContent];
    return /\S$/.test(before) && /^\S/.test(after) ? [`${before}|${after}`] : [];
  });
}

test.each([
  ["a visitor", () => undefined],
  ["a member", (site: Site) => logIn(site, "member@dormouse.example")],
  ["a member whose subscription has ended", (site: Site) => logIn(site, "lapsed@dormouse.example")],
])("every control of every screen of %s has words that remain without a style sheet", async (_, open) => {
  await using site = await openSite();
  const browser = (await open(site)) ?? site.openBrowser();
  const { pages } = await walkSite(browser, [
    "/?view=watch&item=2001&play=1",
    "/awake?piece=watch-4005",
    "/?q=snoring",
    "/?account=open",
  ]);
  const seen = [...pages].filter(([, { text }]) => text.startsWith("<!"));
  expect(seen.length).toBeGreaterThan(5);
  for (const [path, { text }] of seen) {
    const bare = controlsIn(text).filter((control) => wordsWithin(control) === "");
    expect(
      bare.map((control) => control.outerHTML),
      path,
    ).toEqual([]);
    expect(runTogether(text), path).toEqual([]);
  }
});

test("every control of the sign-up steps has words that remain without a style sheet", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const expectNamed = async (path: string) => {
    const { text } = await visitor.browser.get(path);
    const controls = controlsIn(text);
    expect(controls.map(wordsWithin), path).not.toContain("");
    expect(controls.length, path).toBeGreaterThan(0);
    expect(runTogether(text), path).toEqual([]);
  };
  await visitor.enterDetails();
  await expectNamed("/signup?step=2");
  await visitor.typeCode();
  await visitor.choosePlan();
  await expectNamed("/signup?step=3");
  await expectNamed((await visitor.pay()).location ?? "");
});

test("a favourite button, Play, Close and Back say what they are by words that no attribute repeats", async () => {
  await using site = await openSite();
  const browser = await logIn(site, "member@dormouse.example");
  const page = async (path: string) => controlsIn((await browser.get(path)).text);
  const film = [...(await page("/?view=watch&item=2001")), ...(await page("/?view=watch&item=2001&play=1"))];
  const all = [...film, ...(await page("/?q=snoring")), ...(await page("/?account=open"))];
  const names = ["Favourite: Breathe with the moon", "Play: Breathe with the moon", "Close video", "Close", "Back"];
  for (const name of names) {
    const named = all.filter((control) => wordsWithin(control) === name);
    expect(named.length, name).toBeGreaterThan(0);
    for (const control of named) {
      expect(control.hasAttribute("aria-label") || control.hasAttribute("title"), control.outerHTML).toBe(false);
    }
  }
});

async function logIn(site: Site, email: string) {
  const browser = site.openBrowser();
  await browser.logIn(email);
  return browser;
}
