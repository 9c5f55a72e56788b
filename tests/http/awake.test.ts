import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

import { createFixedContent } from "../helpers/fixed-content.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { readHeading, readTitle, readWords } from "../helpers/page.ts";
import { type Answer, type Browser, openSite } from "../helpers/site.ts";
import { toDataPath } from "../safety/addresses.ts";

/** Follows the redirect of the bare address. */
async function openAwake(browser: Browser, path = "/awake"): Promise<Answer> {
  const answer = await browser.get(path);
  return answer.location === null ? answer : browser.get(answer.location);
}

const readAnother = (html: string) => /class="another" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

test("Awake now shows one piece, and ends with when to ask for help", async () => {
  await using site = await openSite();
  const { status, text } = await (await logIn(site, ada)).get("/awake?piece=read-5001");
  expect(status).toBe(200);
  expect(readTitle(text)).toBe("Awake now – Dormouse");
  expect(readHeading(text)).toBe("A harbour at night");
  expect(readWords(text)).toMatch(
    /Another Back to Dormouse If most of your nights .*: Samaritans, 116 123 , free, any hour\.$/,
  );
});

test("the page is all there is but a script that may come late: no picture or further style, and no font to wait for", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const piece of site.services.catalogue.listAwake()) {
    const { text, headers } = await browser.get(`/awake?piece=${piece.kind}-${piece.id}`);
    const [first, ...others] = text.match(/<script[^>]*>/g) ?? [];
    expect(first).toBe('<script type="module" async="" src="/keep.js">');
    // A recording's player is part of its page.
    expect(others).toEqual(piece.sound ? [expect.stringMatching(/^<script type="module" nonce="[^"]+">$/)] : []);
    expect(text).not.toMatch(/<img|<picture|rel="stylesheet"|@import/);
    const fonts = text.match(/(?<=@font-face\{)[^}]*/g) ?? [];
    expect(fonts.map((font) => font.includes("font-display:optional"))).toEqual([true, true]);
    expect(text.match(/rel="preload" as="(?!font)|url\((?!\/assets\/[\w-]+\.woff2\))/g)).toBeNull();
    expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; style-src 'nonce-[^']+';/);
    // Without a recording; a player's script is 4 kB at most (`tools/budgets.ts`).
    expect(brotliCompressSync(text).length).toBeLessThan(piece.sound ? 8000 : 4000);
  }
});

test("a recording is a piece too: one player, which asks for nothing before it is pressed, and a few words", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/awake?piece=watch-4002");
  expect(readHeading(text)).toBe("A slow sea");
  expect(text).toMatch(
    /<audio src="\/media\/a-slow-sea.mp3" controls="" preload="none" loop="" aria-label="A slow sea"><\/audio>/,
  );
  expect(readWords(text)).toContain("Waves on a flat beach at night.");
  expect(readWords(text)).not.toContain("It plays for 45 minutes");
  expect(text).toContain('<a href="/?view=watch&amp;item=4002">Play it on its own page</a>');
});

test("a piece for breathing has a shape in its own rhythm, which stands still where no motion is wanted", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/awake?piece=read-5022");
  expect(text).toContain("@media (prefers-reduced-motion:no-preference){.breath-4-6{animation:breath-4-6 10s");
  expect(text).toContain("@keyframes breath-4-6{0%,100%{transform:scale(.45)}40.0%{transform:scale(1)}}");
  expect((await browser.get("/awake?piece=read-5001")).text).not.toContain("@keyframes");
});

test("Another leads through all pieces without repeating one, then says so and begins again", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const count = site.services.catalogue.listAwake().length;
  const seen: string[] = [];
  let path = "/awake";
  for (let step = 0; step < count; step += 1) {
    const { text } = await openAwake(browser, path);
    seen.push(readHeading(text));
    expect(text.includes("That was the last one for tonight.")).toBe(step === count - 1);
    path = readAnother(text);
  }
  expect(new Set(seen).size).toBe(count);
  expect(path).toBe("/awake");
  expect(readHeading((await openAwake(browser)).text)).not.toBe("");
});

test("the moon leads to what was not shown tonight, also after a while elsewhere", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const seen = new Set<string>();
  for (let visit = 0; visit < 10; visit += 1) {
    const { text } = await openAwake(browser);
    seen.add(readHeading(text));
    await browser.get("/");
  }
  expect(seen.size).toBe(10);
});

test("a piece that is not there is another one", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const piece of ["read-1", "read-1001", "x", ""]) {
    const { status, text } = await openAwake(browser, `/awake?piece=${piece}`);
    expect(status).toBe(200);
    expect(readHeading(text)).not.toBe("");
  }
});

test("a visitor is led to sign-up and back, and a member without a subscription learns nothing", async () => {
  await using site = await openSite();
  const visitor = await site.openBrowser().get("/awake?piece=read-5001");
  expect(visitor.location).toBe("/signup?to=%2Fawake%3Fpiece%3Dread-5001");
  const lapsed = await (await logIn(site, lena)).get("/awake?piece=read-5001");
  // The dashboard explains it.
  expect([lapsed.location, lapsed.text]).toEqual(["/", ""]);
});

test("an address of the time when it was a view of the dashboard leads to it", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  expect((await browser.get("/?view=awake&piece=read-5001")).location).toBe("/awake?piece=read-5001");
  expect((await browser.get("/?view=awake")).location).toBe("/awake");
  expect((await browser.get("/?view=nights&topic=cant-get-to-sleep")).location).toBe("/nights/cant-get-to-sleep");
});

test("script that asks for its data is told to load the document", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, headers } = await browser.get(toDataPath("/awake?piece=read-5001"));
  expect(status).toBe(204);
  expect(headers.get("X-Remix-Redirect")).toBe("/awake?piece=read-5001");
  expect(headers.get("X-Remix-Reload-Document")).toBe("true");
});

test("a member with access sees the moon on every screen; without one, or without pieces, there is none", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const path of [
    "/",
    "/?view=watch",
    "/?view=read&item=1001",
    "/?q=snoring",
    "/?view=favourites",
    "/?view=dreams",
  ])
    expect((await browser.get(path)).text, path).toContain('href="/awake"');
  expect((await (await logIn(site, lena)).get("/")).text).not.toContain("/awake");

  await using bare = await openSite({}, { content: createFixedContent() });
  const other = await logIn(bare, ada);
  expect((await other.get("/")).text).not.toContain("/awake");
  expect((await other.get("/awake")).status).toBe(404);
});

/** Opens so many pieces; returns the last page. */
async function goThrough(browser: Browser, count: number): Promise<string> {
  let { text } = await browser.get("/awake?piece=read-5001");
  for (let step = 1; step < count; step += 1) ({ text } = await browser.get(`/awake?piece=read-500${step + 1}`));
  return text;
}

test("after three pieces the member's usual sound is there with its timer: what they heard last", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const keep of ["watch-4001", "watch-4002"])
    await browser.post("/positions", {
      keep,
      seconds: "2700",
      duration: "2700",
      age: keep === "watch-4001" ? "9" : "0",
    });
  expect(await goThrough(browser, 2)).not.toContain("<audio");
  const third = await goThrough(browser, 3);
  expect(readWords(third)).toContain("Your usual sound: A slow sea");
  expect(third).toMatch(/<audio src="[^"]+" controls="" preload="none" loop="" aria-label="A slow sea">/);
  expect(readWords(third)).toContain("Timer: 30 minutes");
  // A piece that plays has the page's one player.
  const rain = (await browser.get("/awake?piece=watch-4001")).text;
  expect(rain.match(/<audio/g)).toHaveLength(1);
  expect(rain).toContain('<a href="/?view=watch&amp;item=4002">Your usual sound</a>');
  expect((await browser.get("/awake?piece=watch-4002")).text).not.toContain("usual sound");
});

test("a member who has heard none is offered their favourite recording after three pieces, or else nothing", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  expect(await goThrough(browser, 3)).not.toContain("usual sound");
  for (const save of ["watch-4003", "read-1001"]) await browser.post("/favourites", { save, from: "/" });
  const title = site.services.catalogue.findItem("watch", 4003)?.title ?? "";
  expect(readWords((await browser.get("/awake?piece=read-5004")).text)).toContain(`Your usual sound: ${title}`);
});
