import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { ada, lena, logIn } from "../helpers/account-page.ts";
import { openQuietSite, openSite, type Browser } from "../helpers/site.ts";

const save = (browser: Browser, key: string, from = "/?view=watch") => browser.post("/favourites", { save: key, from });

function pressedButtons(text: string): string[] {
  const buttons = [...text.matchAll(/<button[^>]*name="(?:save|remove)"[^>]*>/g)].map(([tag]) => tag);
  expect(buttons.every((tag) => tag.includes('aria-pressed="true"') === tag.includes('name="remove"'))).toBe(true);
  return buttons.filter((tag) => tag.includes('name="remove"')).map((tag) => /value="([\w-]+)"/.exec(tag)?.[1] ?? "");
}

test("every favourite button is within its form: text browsers do not know of a form that is named from elsewhere", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await save(browser, "watch-2003");
  for (const path of ["/?view=watch", "/?view=read", "/?view=read&item=1001", "/?q=snoring", "/?view=favourites"]) {
    const { document } = parseHTML((await browser.get(path)).text);
    const buttons = [...document.querySelectorAll("button[aria-pressed]")];
    expect(buttons.length, path).toBeGreaterThan(0);
    for (const button of buttons) {
      expect(button.hasAttribute("form"), button.outerHTML).toBe(false);
      expect(button.closest("form")?.getAttribute("action"), path).toBe("/favourites");
    }
    expect(document.querySelectorAll("form form")).toHaveLength(0);
  }
});

test("without favourites the page links to the lists, and names something to begin with", async () => {
  await using site = await openSite();
  const { status, text } = await (await logIn(site, ada)).get("/?view=favourites");
  expect(status).toBe(200);
  expect(text).toContain("No favourites yet...");
  expect(text).toMatch(/href="\/\?view=watch"[^>]*>Go get some!/);
  expect(text).toMatch(/Try <a href="\/\?view=\w+&amp;item=\d+"[^>]*>[^<]+<\/a>/);
});

test("a favourite is saved by a plain form, which comes back to its card, and its button is filled wherever the item is", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, "watch-2003");
  expect(answer).toMatchObject({ status: 303, location: "/?view=watch#watch-2003" });
  for (const path of [
    "/?view=watch",
    "/?view=watch&item=2003",
    "/?q=waking+in+the+night&type=watches",
    "/?view=favourites",
  ]) {
    expect(pressedButtons((await browser.get(path)).text), path).toContain("watch-2003");
  }
  await browser.post("/favourites", { remove: "watch-2003", from: "/?view=favourites" });
  expect((await browser.get("/?view=favourites")).text).toContain("No favourites yet...");
});

test("a request by script gets the result instead of a redirect", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const answer = await browser.post("/favourites.data", { save: "read-1001", from: "/?view=read" });
  expect(answer).toMatchObject({ status: 200, location: null });
  expect(answer.text).toContain("isFavourited");
});

test("the favourites are listed by section, newest saved first, with all of a section behind View all", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const key of ["watch-2005", "watch-2001", "read-1004", "learn-3002"]) await save(browser, key);
  const { text } = await browser.get("/?view=favourites");
  expect([...text.matchAll(/<h2 id="[^"]+">(\w+)<\/h2>/g)].map(([, title]) => title)).toEqual([
    "Watch",
    "Listen",
    "Read",
    "Learn",
  ]);
  expect(text.indexOf("item=2001")).toBeLessThan(text.indexOf("item=2005"));
  const all = await browser.get("/?view=favourites&kind=watch");
  expect(pressedButtons(all.text)).toEqual(["watch-2001", "watch-2005"]);
  const open = await browser.get("/?view=favourites&kind=watch&item=2001");
  expect(open.text).toContain("Back to Favourites");
  expect(open.text).toContain('href="/?view=favourites&amp;kind=watch&amp;item=2001&amp;play=1"');
});

test("with one favourite all sections show, and an empty one links to its list", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await save(browser, "read-1004");
  const { text } = await browser.get("/?view=favourites");
  expect([...text.matchAll(/<h2 id="[^"]+">(\w+)<\/h2>/g)].map(([, title]) => title)).toEqual([
    "Watch",
    "Listen",
    "Read",
    "Learn",
  ]);
  expect(text).not.toContain("No favourites yet...");
  for (const path of ["/?view=favourites", "/?view=favourites&kind=watch"]) {
    const page = (await browser.get(path)).text;
    expect(page, path).toMatch(
      /No videos in your favourites yet\..*href="\/\?view=watch"[^>]*>Go to (<!-- -->)?Videos/,
    );
  }
  expect(text).toMatch(/No webinars in your favourites yet\..*href="\/\?view=learn"[^>]*>Go to (<!-- -->)?Webinars/);
  expect(text).not.toContain("No articles in your favourites yet.");
});

test("a favourite that a plain form removed leaves its place, with Undo, until it is saved again", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const key of ["watch-2001", "watch-2005", "watch-2006"]) await save(browser, key);
  const list = "/?view=favourites&kind=watch";
  const removed = await browser.post("/favourites", { remove: "watch-2005", from: list });
  expect(removed.location).toBe(`${list}&removed=watch-2005&at=2#watch-2005`);
  const readPlaces = async (path: string) => {
    const { document } = parseHTML((await browser.get(path)).text);
    return [...document.querySelectorAll("main li button")].map((button) => [
      button.getAttribute("name"),
      button.getAttribute("value"),
    ]);
  };
  const [first, last] = [
    ["remove", "watch-2006"],
    ["remove", "watch-2001"],
  ];
  expect(await readPlaces(removed.location ?? "")).toEqual([first, ["save", "watch-2005"], last]);
  expect(await readPlaces(list)).toEqual([first, last]);

  const saved = await save(browser, "watch-2005", list);
  expect(saved.location).toBe(`${list}#watch-2005`);
  expect(await readPlaces(removed.location ?? "")).toEqual([["remove", "watch-2005"], first, last]);
  // Elsewhere the card stays, and its button saves it again.
  const inItem = `${list}&item=2005`;
  for (const from of ["/?view=watch", inItem])
    expect((await browser.post("/favourites", { remove: "watch-2005", from })).location).toBe(`${from}#watch-2005`);
});

test("the only favourite of a page leaves its place too, and one that is withdrawn leaves none", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await save(browser, "learn-3001");
  const removed = await browser.post("/favourites", { remove: "learn-3001", from: "/?view=favourites" });
  const { text } = await browser.get(removed.location ?? "");
  expect(text).toContain("Removed from favourites.");
  expect(text).toContain("No webinars in your favourites yet.");
  for (const odd of ["removed=read-77&at=1", "removed=learn-3001&at=0", "removed=x&at=1", "removed=learn-3001"])
    expect((await browser.get(`/?view=favourites&${odd}`)).text, odd).toContain("No favourites yet...");
});

test("a page of favourites beyond the last leads to the last", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await save(browser, "watch-2001");
  expect(await browser.get("/?view=favourites&kind=watch&page=2")).toMatchObject({
    status: 302,
    location: "/?view=favourites&kind=watch",
  });
});

test("a withdrawn item is shown as no longer available, and can be removed but not saved", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const member = await site.services.accounts.findMemberByPassword("member@dormouse.example", "sleep-well-tonight");
  await site.services.favourites.save(member?.id ?? 0, { kind: "read", id: 77 });
  const { text } = await browser.get("/?view=favourites");
  expect(text).toContain("This is no longer available.");
  expect(pressedButtons(text)).toEqual(["read-77"]);
  expect((await browser.post("/favourites", { remove: "read-77" })).status).toBe(303);
  expect((await save(browser, "read-77")).status).toBe(404);
});

test("two devices of a member show the same favourites, and another member's do not", async () => {
  await using site = await openSite();
  const phone = await logIn(site, ada);
  const laptop = await logIn(site, ada);
  const other = await logIn(site, "team@dormouse.example");
  await save(phone, "learn-3001");
  expect(pressedButtons((await laptop.get("/?view=learn")).text)).toContain("learn-3001");
  expect(pressedButtons((await other.get("/?view=learn")).text)).toEqual([]);
  expect((await other.get("/?view=favourites")).text).toContain("No favourites yet...");
});

test("a favourite without a kind and a number is a 400 with a sentence", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  for (const key of ["watch-abc", "watch-0", "watch--1", "attic-1", "watch-1.5", "watch-99999999999999", "2001", ""]) {
    const answer = await save(browser, key);
    expect(answer.status, key).toBe(400);
    expect(answer.text).toContain("A favourite is named by its kind and its number.");
  }
});

test("a lapsed member cannot save a favourite, and a visitor is sent to sign-up", async () => {
  await using site = await openSite();
  const lapsed = await logIn(site, lena);
  expect((await save(lapsed, "watch-2001")).status).toBe(403);
  expect((await lapsed.get("/?view=favourites")).text).toContain("No active subscription.");
  expect((await save(site.openBrowser(), "watch-2001")).location).toMatch(/^\/signup/);
});

test("a favourite button leads back only to pages of ours", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const from of ["https://evil.example", "//evil.example", "/\\evil.example"]) {
    expect((await save(browser, "watch-2001", from)).location).toBe("/#watch-2001");
  }
});

test("a fault while favourites are read is a fault, never “no favourites”", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  site.services.favourites.findPages = () => Promise.reject(new Error("the database is away"));
  const answer = await browser.get("/?view=favourites");
  expect(answer.status).toBe(500);
  expect(answer.text).toContain("Something went wrong");
  expect(answer.text).not.toContain("No favourites yet");
});

test("a recording is followed by the next of a member's favourites, and by none where there is no other", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const findNext = async (after: string) => {
    const { text } = await browser.get(`/favourites?after=${after}`);
    return (JSON.parse(text) as { recording: { itemKey: string } } | null)?.recording;
  };
  expect(await findNext("watch-4001")).toBeUndefined();
  // A film and an article are no recordings.
  for (const key of ["watch-4001", "watch-2001", "watch-4002", "read-1001"]) await save(browser, key);
  // The newest first, and round again.
  expect(await findNext("watch-4002")).toMatchObject({ itemKey: "watch-4001", sound: { playMinutes: 45 } });
  expect((await findNext("watch-4001"))?.itemKey).toBe("watch-4002");
  expect((await findNext("watch-4004"))?.itemKey).toBe("watch-4002");
  await browser.post("/favourites", { remove: "watch-4001", from: "/" });
  expect(await findNext("watch-4002")).toBeUndefined();
});

test("what follows is told to members with access alone", async () => {
  await using site = await openSite();
  expect((await site.openBrowser().get("/favourites?after=watch-4001")).status).toBe(403);
  const browser = await logIn(site, lena);
  expect((await browser.get("/favourites?after=watch-4001")).status).toBe(403);
  expect((await browser.get("/favourites")).location).toBe("/?view=favourites");
});
