import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { readEverything } from "../helpers/full-database.ts";
import { readValue, readWords } from "../helpers/page.ts";
import { openSite, type Browser, type Site } from "../helpers/site.ts";

/** Of a minute. */
const film = { keep: "watch-2001", seconds: "31.5", duration: "60", age: "0" };

/** As script sends it, which requests no page. */
const keep = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post("/positions", { ...film, ...fields }, { Origin: browser.origin, Accept: "application/json" });

const toPlayerPath = (id: number) => `/?view=watch&item=${id}&play=1`;

const readRows = async (site: Site) => await site.database.db.selectFrom("positions").selectAll().execute();

test("script tells where a member is, and is told that it is kept", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { status, text } = await keep(browser);
  expect([status, JSON.parse(text)]).toEqual([200, { isOn: true }]);
  expect(await browser.post("/positions", { open: "read-1001" })).toMatchObject({ status: 200 });
  expect(await readRows(site)).toMatchObject([
    { kind: "watch", itemId: 2001, state: "started", seconds: 31, duration: 60 },
    { kind: "read", itemId: 1001, state: "opened" },
  ]);
});

test("what is told late counts from when it was seen", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser, { seconds: "40" });
  await keep(browser, { seconds: "20", age: "60000" });
  await keep(browser, { seconds: "20", seen: String(site.services.clock().getTime() - 1000) });
  expect(await readRows(site)).toMatchObject([{ seconds: 40 }]);
});

test.each([
  ["no item", { keep: "" }],
  ["an item of no kind", { keep: "hear-2001" }],
  ["an item without a number", { keep: "watch-0" }],
  ["no seconds", { seconds: "" }],
  ["seconds before the start", { seconds: "-1" }],
  ["seconds past the end", { seconds: "61" }],
  ["seconds that are no number", { seconds: "NaN" }],
  ["no duration", { duration: "0" }],
  ["an endless duration", { duration: "Infinity" }],
  ["a duration of more than a day", { duration: "90000" }],
  ["an age in the future", { age: "-5" }],
  ["an age of more than a day", { age: "86400001" }],
  ["no time when it was seen", { seen: "-1" }],
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

/** Each entry's words and link. */
async function readRow(browser: Browser) {
  const { document } = parseHTML((await browser.get("/")).text);
  return [...document.querySelectorAll("#go-on + ul > li")].map((entry) => [
    readWords(entry.outerHTML).replaceAll("&#160;", " "),
    entry.querySelector("a")?.getAttribute("href"),
  ]);
}

const readTitles = async (browser: Browser) => {
  const { document } = parseHTML((await browser.get("/")).text);
  return [...document.querySelectorAll("#go-on + ul a > span:last-child > span:not([class])")].map(
    ({ textContent }) => textContent,
  );
};

test("the landing leads on to what was started, the latest first, until it is finished or forgotten", async () => {
  await using site = await openSite();
  const [phone, laptop] = [await logIn(site, ada), await logIn(site, ada)];
  expect((await laptop.get("/")).text).not.toContain(landingTexts.started);
  await phone.post("/positions", { open: "read-1001" });
  await keep(phone);
  await keep(phone, { keep: "watch-2003", seconds: "30", duration: "90" });
  const moon = [
    "Breathe with the moon Video · less than a minute left Remove Breathe with the moon",
    toPlayerPath(2001),
  ];
  const title = "Waking in the night without looking at the clock";
  const night = [`${title} Video · 1 minute left Remove ${title}`, toPlayerPath(2003)];
  expect(await readRow(laptop)).toEqual([night, moon]);

  await keep(phone, { keep: "watch-2003", seconds: "89", duration: "90" });
  expect(await readRow(laptop)).toEqual([moon]);
  const forgotten = await laptop.post("/", { intent: "forget", item: "watch-2001" });
  expect(forgotten).toMatchObject({ status: 303, location: expect.stringMatching(/^\/\?forgotten=\S+#undo$/) });
  expect((await laptop.get("/")).text).not.toContain(landingTexts.started);
  expect(await readRows(site)).toMatchObject([{ kind: "read" }, { itemId: 2003, state: "finished" }]);
});

test("the row has three entries at most, and none that was withdrawn", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const id of [2001, 2002, 2003, 2005]) await keep(browser, { keep: `watch-${id}` });
  const member = await site.services.accounts.findByEmail(ada);
  const observation = { seconds: 30, duration: 60, ageInMs: 0 };
  await site.services.positions.note(member?.id ?? 0, { kind: "watch", id: 77 }, observation);
  const paths = (await readRow(browser)).map(([, path]) => path);
  expect(paths).toEqual([toPlayerPath(2005), toPlayerPath(2003), toPlayerPath(2002)]);
});

test("forgetting an item that there is none of changes nothing, and one without a name is refused", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser);
  expect((await browser.post("/", { intent: "forget", item: "watch-77" })).status).toBe(303);
  expect((await browser.post("/", { intent: "forget" })).status).toBe(400);
  expect(await readRow(browser)).toHaveLength(1);
});

/** The row after a redirect, and the value of its Undo button. */
async function followForgotten(browser: Browser, { location }: { location: string | null }) {
  const { text } = await browser.get(location ?? "");
  const main = parseHTML(text).document.querySelector("main");
  const rows = [...(main?.querySelectorAll("form li") ?? [])].map((row) => readWords(row.innerHTML));
  return { rows, undo: main?.querySelector("#undo")?.getAttribute("value") ?? undefined };
}

test("a place that was forgotten stays in its row until one leaves, and comes back as it was", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser, { keep: "watch-2003", seconds: "30", duration: "90" });
  await keep(browser, { seconds: "60", age: "2000" });
  await keep(browser, { age: "1000" });
  await keep(browser, { keep: "watch-2002", seconds: "30", duration: "90", age: "5000" });
  const before = await readRows(site);
  const first = await browser.post("/", { intent: "forget", item: "watch-2001" });
  const { rows, undo } = await followForgotten(browser, first);
  expect(rows).toEqual([
    expect.stringMatching(/^Waking in the night .* Remove /),
    "Breathe with the moon Removed Undo Breathe with the moon",
    expect.stringMatching(/^Can't sleep\? .* Remove /),
  ]);
  expect(await browser.post("/", { intent: "forget", undo: undo ?? "" })).toMatchObject({ location: "/#go-on" });
  expect(await readRows(site)).toEqual(expect.arrayContaining(before));
  // It has no effect once the member has been in the item again.
  await browser.post("/", { intent: "forget", item: "watch-2001" });
  await keep(browser, { seconds: "10" });
  expect((await followForgotten(browser, first)).undo).toBeUndefined();
  await browser.post("/", { intent: "forget", undo: undo ?? "" });
  expect(await readRows(site)).toContainEqual(expect.objectContaining({ itemId: 2001, seconds: 10 }));
});

test.each([
  ["nothing", "", 400],
  ["no time", "watch-2001.30.60", 400],
  ["more seconds than there are", "watch-2001.61.60.1.0", 400],
  ["a time to come", "watch-2001.30.60.99999999999999.0", 400],
  ["an item that there is none of", "watch-77.30.60.1.0", 404],
  ["nights that there are none of", "nights-snow,watch-2001:opened", 400],
  ["a night of another guide", "nights-cant-get-to-sleep,read-1012:opened", 400],
])("%s is not brought back", async (_, undo, status) => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  expect((await browser.post("/", { intent: "forget", undo })).status).toBe(status);
  expect((await browser.get(`/?forgotten=${encodeURIComponent(undo)}`)).text).not.toContain('id="undo"');
  expect(await readRows(site)).toEqual([]);
});

test("nights that were begun are gone on with from the landing, and can be forgotten and brought back", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const nights = "/nights/cant-get-to-sleep";
  await browser.post(nights, { intent: "nights", open: "watch-2001" });
  await browser.post(nights, { intent: "nights", skip: "read-1001" });
  const entry = ["Seven nights: Can't get to sleep Night 3 is next Remove Seven nights: Can't get to sleep", nights];
  expect(await readRow(browser)).toEqual([entry]);
  const { rows, undo } = await followForgotten(
    browser,
    await browser.post("/", { intent: "forget", item: "nights-cant-get-to-sleep" }),
  );
  expect(rows).toEqual(["Seven nights: Can't get to sleep Removed Undo Seven nights: Can't get to sleep"]);
  expect((await browser.get("/")).text).not.toContain(landingTexts.started);
  await browser.post("/", { intent: "forget", undo: undo ?? "" });
  expect(await readRow(browser)).toEqual([entry]);
});

test("My Account forgets all that is kept", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser);
  await browser.post("/positions", { open: "read-1001" });
  const { status, text } = await browser.post("/?account=stopped", { intent: "positions-forget" });
  expect(status).toBe(200);
  expect(readWords(text)).toContain("We've cleared your progress.");
  expect(await readRows(site)).toEqual([]);
  // Nothing is left to forget, so nothing can be restored.
  const again = await browser.post("/?account=stopped", { intent: "positions-forget" });
  expect(again.location).toBe("/?account=stopped&flash=positions-forgotten#account-stopped");
});

test("Undo brings back all that My Account forgot, and the page alone knew it", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser);
  await keep(browser, { keep: "watch-2003", seconds: "60" });
  await browser.post("/positions", { open: "read-1001" });
  const nights = "/nights/cant-get-to-sleep";
  await browser.post(nights, { intent: "nights", skip: "watch-2001" });
  const before = await readEverything(site.database);
  const { text } = await browser.post("/?account=stopped", { intent: "positions-forget" });
  expect(await readRows(site)).toEqual([]);
  const undo = readValue(text, "undo") ?? "";
  const back = await browser.post("/?account=stopped", { intent: "positions-restore", undo });
  expect(back.location).toBe("/?account=stopped&flash=positions-restored#account-stopped");
  expect((await browser.get(back.location ?? "")).text).toContain("Your progress is back.");
  const after = await readEverything(site.database);
  expect([after.positions, after.nights]).toEqual([before.positions, before.nights]);
});

test("what never was comes back as nothing, and too much as a sentence that keeps Undo", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const restore = (undo: string) => browser.post("/?account=stopped", { intent: "positions-restore", undo });
  const later = site.clock().getTime() + 60_000;
  for (const made of [
    "",
    "x",
    "opened.read-9999.0.0.1.0",
    `started.watch-2001.1.60.${later}.0`,
    "menopause/read-1:opened",
  ])
    expect((await restore(made)).status, made).toBe(303);
  expect(await readRows(site)).toEqual([]);
  let refused = await restore("");
  for (let more = 0; more < 400 && refused.status === 303; more += 1)
    refused = await restore("opened.read-1001.0.0.1.0");
  expect(refused.status).toBe(429);
  expect(readValue(refused.text, "undo")).toBe("opened.read-1001.0.0.1.0");
});

test("once switched off nothing is written, and script is told so; switched on, it starts again", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser);
  const choose = (wanted: string) => browser.post("/?account=stopped", { intent: "positions-switch", wanted });
  expect((await choose("off")).location).toContain("flash=positions-off");
  expect(await readRows(site)).toEqual([]);

  const before = await readEverything(site.database);
  expect(JSON.parse((await keep(browser)).text)).toEqual({ isOn: false });
  expect(JSON.parse((await browser.post("/positions", { open: "read-1001" })).text)).toEqual({ isOn: false });
  expect(await readEverything(site.database)).toEqual(before);
  const { text } = await browser.get("/?account=stopped");
  expect(readWords(text)).toContain("We don't save your place");

  expect((await choose("maybe")).status).toBe(400);
  expect((await choose("on")).location).toContain("flash=positions-on");
  expect(await readRows(site)).toEqual([]);
  await keep(browser);
  expect(await readRows(site)).toHaveLength(1);
});

test("a member whose membership has ended switches it off and forgets what is kept", async () => {
  await using site = await openSite();
  const email = "lapsed@dormouse.example";
  const browser = await logIn(site, email);
  const member = await site.services.accounts.findByEmail(email);
  await site.services.positions.noteOpened(member?.id ?? 0, { kind: "read", id: 1001 });
  expect((await browser.get("/?account=stopped")).text).toContain("We save your place");
  await browser.post("/?account=stopped", { intent: "positions-switch", wanted: "off" });
  expect(await readRows(site)).toEqual([]);
});

test("a member downloads where they stopped, and whether it is kept", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser);
  const { positions } = JSON.parse((await browser.get("/account-data")).text) as Record<string, unknown>;
  expect(positions).toEqual({
    isOn: true,
    items: [{ kind: "watch", id: 2001, state: "started", seconds: 31, duration: 60, observedAt: expect.any(String) }],
    nights: [],
  });
});

test("a film plays on from where it was left on any device, and from its start once it was finished", async () => {
  await using site = await openSite();
  const [phone, laptop] = [await logIn(site, ada), await logIn(site, ada)];
  const listSources = async (path: string) =>
    [...(await laptop.get(path)).text.matchAll(/<source src="([^"]+)"/g)].map(([, src]) => src?.replace(/.*\./, ""));
  const player = toPlayerPath(2001);
  expect(await listSources(player)).toEqual(["mp4", "webm"]);
  await keep(phone);
  expect(await listSources(player)).toEqual(["mp4#t=31", "webm#t=31"]);
  expect(await listSources("/?view=favourites&kind=watch&item=2001&play=1")).toEqual(["mp4#t=31", "webm#t=31"]);
  await keep(phone, { seconds: "59" });
  expect(await listSources(player)).toEqual(["mp4", "webm"]);
});

test("a place beyond the end of a film that was cut shorter is none: the film begins again", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser, { seconds: "300", duration: "3600" });
  expect(await readRow(browser)).toEqual([]);
  expect((await browser.get(toPlayerPath(2001))).text).not.toContain("#t=");
  // The position is still within the film; what is left depends on its present length.
  await keep(browser, { duration: "3600" });
  expect(await readRow(browser)).toEqual([[expect.stringContaining("less than a minute left"), toPlayerPath(2001)]]);
});

test("a place in what plays nothing here any more is not offered", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const key of ["read-1001", "watch-2017", "watch-2018"]) await keep(browser, { keep: key });
  expect(await readRow(browser)).toEqual([]);
});

test("a recording is gone on with for what is left of its 45 minutes, from the beginning of its loop", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const page = "/?view=watch&item=4002";
  await keep(browser, { keep: "watch-4002", seconds: "780", duration: "2700" });
  expect(await readRow(browser)).toEqual([["Play: A slow sea Your sound · 32 minutes left Remove A slow sea", page]]);
  expect((await browser.get(page)).text).not.toContain("#t=");
  await keep(browser, { keep: "watch-4002", seconds: "2690", duration: "2700" });
  expect(await readRow(browser)).toEqual([["Play: A slow sea Your sound · 45 min Remove A slow sea", page]]);
});

test("the row begins with the recording that was heard last, and ends with the nights and the newest favourite", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const key of ["read-1003", "watch-4001", "watch-2002"])
    await browser.post("/favourites", { save: key, from: "/" });
  await browser.post("/favourites", { save: "read-77", from: "/" });
  expect(await readTitles(browser)).toEqual(["Can't sleep? Leave the bed for a while"]);
  await keep(browser, { keep: "watch-4002", seconds: "780", duration: "2700", age: "9000" });
  await keep(browser, { keep: "watch-4001", seconds: "2700", duration: "2700", age: "8000" });
  await keep(browser, { keep: "watch-2002", seconds: "30", duration: "90", age: "7000" });
  await keep(browser, { keep: "watch-2003", seconds: "30", duration: "90", age: "6000" });
  await browser.post("/nights/cant-get-to-sleep", { intent: "nights", open: "watch-2001" });
  const { title: recording } = site.services.catalogue.findItem("watch", 4001) ?? {};
  const { title: article } = site.services.catalogue.findItem("read", 1003) ?? {};
  expect(await readTitles(browser)).toEqual([
    recording,
    "Waking in the night without looking at the clock",
    "Seven nights: Can't get to sleep",
    article,
  ]);
  const row = await readRow(browser);
  expect(row[0]?.[0]).toContain("Your sound · 45 min");
  expect(row[3]?.[0]).toMatch(/ From your favourites · \d+.min read$/);
});

test("what was heard last can be forgotten also at its end, and comes back as it was", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  await keep(browser, { keep: "watch-4002", seconds: "2700", duration: "2700", age: "9000" });
  const before = await readRows(site);
  const answer = await browser.post("/", { intent: "forget", item: "watch-4002" });
  const { rows, undo } = await followForgotten(browser, answer);
  expect(rows).toEqual(["A slow sea Removed Undo A slow sea"]);
  expect((await browser.get("/")).text).not.toContain(landingTexts.started);
  await browser.post("/", { intent: "forget", undo: undo ?? "" });
  expect(await readRows(site)).toEqual(before);
});

test("no picture of the row is another's or a tile's", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const id of [2001, 2002, 4002]) await keep(browser, { keep: `watch-${id}` });
  await browser.post("/favourites", { save: "read-1003", from: "/" });
  const { document } = parseHTML((await browser.get("/")).text);
  const sources = [...document.querySelectorAll("main img")].map((image) => image.getAttribute("src"));
  expect(sources).toHaveLength(10);
  expect(new Set(sources).size).toBe(10);
});

test("cards of what was begun say how much is left, or that it was watched, in one query a page", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readBars = async (path: string) => {
    const { document } = parseHTML((await browser.get(path)).text);
    const bars = [...document.querySelectorAll("article progress")].map((bar) => {
      const words = bar.parentElement?.textContent;
      return [bar.closest("article")?.querySelector("h2, h3, h4")?.textContent, words, bar.getAttribute("value")];
    });
    return Object.fromEntries(bars.map(([title, ...rest]) => [title, rest]));
  };
  expect(await readBars("/?view=watch")).toEqual({});
  await keep(browser, { keep: "watch-2002", seconds: "30", duration: "90" });
  await keep(browser, { keep: "watch-2003", seconds: "89", duration: "90" });
  await keep(browser, { keep: "watch-4001", seconds: "900", duration: "2700" });
  await keep(browser, { keep: "watch-4002", seconds: "2700", duration: "2700" });
  await browser.post("/positions", { open: "watch-2017" });

  const { listKnown } = site.services.positions;
  let queries = 0;
  site.services.positions.listKnown = (...given) => {
    queries += 1;
    return listKnown(...given);
  };
  const left = ["1 minute left", "33"];
  const videos = { "Can't sleep? Leave the bed for a while": left };
  expect(await readBars("/?view=watch")).toMatchObject(videos);
  expect(queries).toBe(1);
  const all = { ...videos, "Waking in the night without looking at the clock": ["Watched", "100"] };
  expect(await readBars("/?view=watch")).toEqual(all);
  expect(await readBars("/?view=listen")).toEqual({
    "Rain on a window pane": ["30 minutes left", "33"],
    "A slow sea": ["Listened to", "100"],
  });
  await browser.post("/favourites", { save: "watch-2002" });
  for (const path of ["/?q=leave+the+bed&type=watches", "/?view=favourites", "/?view=watch&item=2001"])
    expect(await readBars(path), path).toMatchObject(videos);

  // Played again after its end: it continues, as on the landing.
  await keep(browser, { keep: "watch-2003", seconds: "15", duration: "90" });
  expect((await readBars("/?view=watch"))["Waking in the night without looking at the clock"]).toEqual([
    "1 minute left",
    "16",
  ]);
  await browser.post("/?account=stopped", { intent: "positions-switch", wanted: "off" });
  expect(await readBars("/?view=watch")).toEqual({});
});

test("a page that closes while it tells is no fault of ours", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const left = new AbortController();
  const body = new ReadableStream({
    pull(controller) {
      left.abort();
      controller.error(new DOMException("The page is gone.", "AbortError"));
    },
  });
  const headers = { Origin: browser.origin, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = { method: "POST", body, headers, signal: left.signal, duplex: "half" };
  await browser.request("/positions", sent);
  expect(site.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
