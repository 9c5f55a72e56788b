import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { openSite, type Browser, type Site } from "../helpers/site.ts";

const film = { keep: "watch-2001", seconds: "61.5", duration: "300", age: "0" };

const keep = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post("/positions", { ...film, ...fields });

const readRows = async (site: Site) => await site.database.db.selectFrom("positions").selectAll().execute();

test("script tells where a member is, and is told that it is kept", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, text } = await keep(browser);
  expect([status, JSON.parse(text)]).toEqual([200, { isOn: true }]);
  expect(await browser.post("/positions", { open: "read-1001" })).toMatchObject({ status: 200 });
  expect(await readRows(site)).toMatchObject([
    { kind: "watch", item_id: 2001, state: "started", seconds: 61, duration: 300 },
    { kind: "read", item_id: 1001, state: "opened" },
  ]);
});

test("what is told late counts from when it was seen", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser, { seconds: "100" });
  await keep(browser, { seconds: "20", age: "60000" });
  expect(await readRows(site)).toMatchObject([{ seconds: 100 }]);
});

test.each([
  ["no item", { keep: "" }],
  ["an item of no kind", { keep: "hear-2001" }],
  ["an item without a number", { keep: "watch-0" }],
  ["no seconds", { seconds: "" }],
  ["seconds before the start", { seconds: "-1" }],
  ["seconds past the end", { seconds: "301" }],
  ["seconds that are no number", { seconds: "NaN" }],
  ["no duration", { duration: "0" }],
  ["an endless duration", { duration: "Infinity" }],
  ["a duration of more than a day", { duration: "90000" }],
  ["an age in the future", { age: "-5" }],
  ["an age of more than a day", { age: "86400001" }],
])("a position with %s is refused with a sentence, and nothing is written", async (_, fields) => {
  await using site = await openSite();
  const { status, text } = await keep(await logIn(site, ada), fields);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatch(/^A position \w/);
  expect(await readRows(site)).toEqual([]);
});

test("an item that there is not is answered 404, a visitor and a lapsed member 403, and nothing is written", async () => {
  await using site = await openSite();
  expect((await keep(await logIn(site, ada), { keep: "watch-999" })).status).toBe(404);
  expect((await keep(site.openBrowser())).status).toBe(403);
  expect((await keep(await logIn(site, "lapsed@dormouse.example"))).status).toBe(403);
  expect(await readRows(site)).toEqual([]);
});

test("too many in ten minutes are answered 429, with when to try again", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  let answer = await keep(browser);
  for (let sent = 1; sent < 321; sent += 1) answer = await keep(browser);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(500);
});

test("a person who opens the address is led to the dashboard", async () => {
  await using site = await openSite();
  expect(await (await logIn(site, ada)).get("/positions")).toMatchObject({ status: 302, location: "/" });
});

test("a film plays on from where it was left on any device, and from its start once it was finished", async () => {
  await using site = await openSite();
  const [phone, laptop] = [await logIn(site, ada), await logIn(site, ada)];
  const listSources = async (path: string) =>
    [...(await laptop.get(path)).text.matchAll(/<source src="([^"]+)"/g)].map(([, src]) => src?.replace(/.*\./, ""));
  const player = "/?view=watch&item=2001&play=1";
  expect(await listSources(player)).toEqual(["mp4", "webm"]);
  await keep(phone);
  expect(await listSources(player)).toEqual(["mp4#t=61", "webm#t=61"]);
  expect(await listSources("/?view=favourites&kind=watch&item=2001&play=1")).toEqual(["mp4#t=61", "webm#t=61"]);
  await keep(phone, { seconds: "299" });
  expect(await listSources(player)).toEqual(["mp4", "webm"]);
});
