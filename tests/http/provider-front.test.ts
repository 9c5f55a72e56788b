import sharp from "sharp";
import { expect, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { HOUR_IN_MS } from "../../server/platform/clock.ts";
import { makeRecording, makeVideos, ORIGIN } from "../fakes/wordpress-items.ts";
import { details } from "../helpers/account-page.ts";
import { API_KEY } from "../helpers/api-client.ts";
import { openContentApp } from "../helpers/content-app.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { readWords } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";

const MEMBER = "member@dormouse.example";

async function openDemoFront() {
  const app = await openRemoteSite();
  const browser = app.openBrowser();
  const member = await app.provider.site.services.accounts.findByEmail(MEMBER);
  const [film] = app.provider.site.services.catalogue.findPage("watch", 1)?.cards ?? [];
  if (!member || !film) throw new Error("The demo has no members, or no films");
  return { ...app, browser, member, film, keeper: app.provider.site.services };
}

test("after log-in a member sees the provider's content at once, and their token never leaves the server", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  const entry = await browser.logIn(MEMBER);
  expect([entry.status, entry.location]).toEqual([303, "/"]);
  const list = await browser.get("/?view=watch");
  expect(list.text).toContain("Ada Lovell");
  expect(list.text).toContain(app.film.title);
  expect((await browser.get("/?q=snoring")).text).toContain("results");

  const held = await app.services.sessions.list(app.member.id);
  expect(held).toHaveLength(1);
  const rows = await app.database.db.selectFrom("providerTokens").selectAll().execute();
  expect(rows).toHaveLength(1);
  const seen = [entry.text, list.text, JSON.stringify([...browser.cookies]), JSON.stringify(app.log.lines)].join(" ");
  // We neither store nor show the provider's session tokens.
  for (const token of [API_KEY, rows[0]?.sealedToken ?? "none"]) expect(seen).not.toContain(token);
});

test("a new member sees it at once too, as the first one here", async () => {
  await using app = await openDemoFront();
  const visitor = createNewcomer(app);
  await visitor.reachPayment();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect((await visitor.browser.get("/?view=watch")).text).toContain(app.film.title);
});

test("a picture comes through our own host, and only to members", async () => {
  await using app = await openDemoFront();
  await app.browser.logIn(MEMBER);
  const { text } = await app.browser.get("/?view=read");
  expect(text).not.toContain(app.provider.url);
  const [, path = ""] = /src="(\/media\/[\da-f]{32}\.webp[^"]*)"/.exec(text) ?? [];
  const picture = await app.browser.get(path.replaceAll("&amp;", "&"));
  expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  expect((await app.openBrowser().get(path)).status).not.toBe(200);
});

test("favourites are held by the provider", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  await browser.logIn(MEMBER);
  const { id } = app.film;
  const saved = await browser.post("/favourites", { save: `watch-${id}`, from: "/?view=watch" });
  expect([saved.status, saved.location]).toEqual([303, `/?view=watch#watch-${id}`]);
  expect(await app.keeper.favourites.listFavourited(app.member.id, [{ kind: "watch", id }])).toEqual([`watch-${id}`]);
  expect((await browser.get("/?view=favourites")).text).toContain("View all");
});

test("where a member stopped is kept here, as the provider has no calls for it", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  await browser.logIn(MEMBER);
  // A recording that plays for 45 minutes.
  const id = 4001;
  await browser.post("/positions", { keep: `watch-${id}`, seconds: "61", duration: "2700", age: "0" });
  expect((await browser.get("/")).text).toContain("44 minutes left");
  expect(await app.services.positions.listPlayed(app.member.id)).toMatchObject([{ id, seconds: 61 }]);
  expect(await app.keeper.positions.listPlayed(app.member.id)).toEqual([]);
  const held = JSON.parse((await browser.get("/account-data")).text) as { positions: { items: unknown[] } };
  expect(held.positions.items).toHaveLength(1);
  await browser.post("/?account=stopped", { intent: "positions-switch", wanted: "off" });
  expect((await browser.get("/")).text).not.toContain(landingTexts.started);
});

test("New this month is not offered, as the provider answers about members only while they are logged in", async () => {
  await using app = await openDemoFront();
  await app.browser.logIn(MEMBER);
  expect((await app.browser.get("/?account=newsletter")).text).not.toContain("New this month");
  const asked = await app.browser.post("/?account=newsletter", { intent: "newsletter", wanted: "on" });
  expect(asked.status).toBe(404);
  expect(await app.services.newsletter.find(app.member.id)).toBe("off");
});

test("My Account shows what can be changed here, and who looks after the rest", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  await browser.logIn(MEMBER);
  const page = await browser.get("/?account=open");
  expect(page.text).toMatch(/Active until \d+ \w+ \d{4}\. Doesn(?:'|&#x27;)t renew\./);
  for (const [row, sentence] of [
    ["password", "We'll send you a code to choose a new password."],
    ["close", "we'll close it for you"],
    ["data", "For the rest, such as your payments"],
  ] as const) {
    const { text } = await browser.get(`/?account=${row}`);
    expect(readWords(text)).toContain(sentence);
    expect(text).not.toContain('value="close"');
  }

  const changed = { ...details, firstName: "Adele", currentPassword: "" };
  const saved = await browser.post("/?account=open", changed);
  expect(saved.location).toContain("flash=saved");
  expect(await app.keeper.accounts.findMember(app.member.id)).toMatchObject({ firstName: "Adele" });

  const moved = await browser.post("/?account=open", {
    ...changed,
    shownFirstName: "Adele",
    email: "adele@new.example",
    currentPassword: "sleep-well-tonight",
  });
  expect(moved.location).toContain("flash=email-elsewhere");
  const movedPage = await browser.get(moved.location ?? "");
  expect(movedPage.text).toContain("To finish changing your email, follow the link");

  // Hidden forms change nothing.
  const close = await browser.post("/?account=close", { intent: "close", closingPassword: "sleep-well-tonight" });
  expect(close.status).toBe(400);
  expect((await browser.get("/account-data")).status).toBe(200);
});

test("a token that the provider takes back ends the session; what was typed comes back after logging in", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  await browser.logIn(MEMBER);
  const phone = app.openBrowser();
  await phone.logIn(MEMBER);
  expect((await browser.get("/")).status).toBe(200);
  await app.keeper.sessions.endAll(app.member.id);
  app.clock.advance(31_000);
  const form = { ...details, firstName: "Augusta" };
  const sent = await browser.post("/?account=open", form);
  expect(sent.location).toMatch(/^\/login\?to=/);
  expect((await phone.get("/")).location).toBe("/signup");
  const back = await browser.logIn(MEMBER, sent.location ?? "");
  const page = await browser.get(back.location ?? "");
  expect(page.text).toContain("You were logged out. Here is what you typed.");
  expect(page.text).toContain('value="Augusta"');
});

test("a new password at the provider ends the sessions of the old one, though the member has logged in here again", async () => {
  await using app = await openDemoFront();
  const thief = app.browser;
  await thief.logIn(MEMBER);
  expect((await thief.get("/?view=watch")).status).toBe(200);
  const chosen = { password: "moss-lantern-42", confirmation: "moss-lantern-42", oldPassword: "sleep-well-tonight" };
  const from = { memberId: app.member.id, currentToken: undefined, address: "192.0.2.1" };
  expect(await app.keeper.profile.changePassword({ ...chosen, ...from })).toMatchObject({ ok: true });
  const owner = app.openBrowser();
  const form = { intent: "log-in", email: MEMBER, password: chosen.password };
  expect((await owner.post("/login", form)).status).toBe(303);
  expect((await owner.get("/?view=watch")).status).toBe(200);

  const { id } = app.film;
  expect((await thief.post("/favourites", { save: `watch-${id}`, from: "/" })).location).toMatch(/^\/login/);
  expect((await thief.get("/?account=open")).location).toMatch(/^\/signup/);
  expect(await app.keeper.favourites.listFavourited(app.member.id, [{ kind: "watch", id }])).toEqual([]);
  expect(await app.services.sessions.list(app.member.id)).toHaveLength(1);
});

test("while the provider is away members see what there was for an hour, then a plain sentence; log-in is closed", async () => {
  await using app = await openDemoFront();
  const { browser } = app;
  await browser.logIn(MEMBER);
  expect((await browser.get("/?view=watch")).status).toBe(200);
  await app.provider[Symbol.asyncDispose]();
  for (const ms of [31_000, 20 * 60_000, 30 * 60_000]) {
    app.clock.advance(ms);
    const page = await browser.get("/?view=watch");
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("subscription");
  }
  const toggled = await browser.post("/favourites", { save: "watch-2001", from: "/" });
  expect(toggled.status).toBe(503);
  expect(readWords(toggled.text)).toContain("We can't change your favourites just now.");
  app.clock.advance(HOUR_IN_MS);
  const page = await browser.get("/?view=watch");
  expect(page.status).toBe(200);
  expect(readWords(page.text)).toContain("We can't see your subscription.");
  expect(readWords((await browser.get("/?account=open")).text)).toContain("We can't see your membership just now.");
  const entry = await app.openBrowser().logIn(MEMBER);
  expect(entry.status).toBe(503);
  expect(readWords(entry.text)).toContain("We can't log you in right now.");
});

test("links between items, pictures and recordings in a text travel from a CMS through a provider", async () => {
  const [one, other] = makeVideos(2);
  const file = `${ORIGIN}/wp-content/uploads/quiet.wav`;
  const picture = `${ORIGIN}/wp-content/uploads/moon.png`;
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#214" } })
    .png()
    .toBuffer();
  const rendered = `<p><a href="/?p=1001">Next</a></p><img src="${picture}"><figure><audio src="${file}"></audio></figure>`;
  const videos = [{ ...one!, content: { rendered, protected: false } }, other!];
  const uploads = new Map([
    ["quiet.wav", makeRecording()],
    ["moon.png", { bytes, contentType: "image/png" }],
  ]);
  await using cms = await openContentApp({ content: { lists: { videos, posts: [], tutorials: [] }, uploads } });
  await cms.catalogue.refresh();
  await using app = await openRemoteSite({ content: cms.source });
  await app.provider.site.services.catalogue.refresh();
  const browser = app.openBrowser();
  await browser.logIn(MEMBER);

  const { text } = await browser.get("/?view=watch&item=1000");
  expect(text).toContain('<a href="/?view=watch&amp;item=1001">Next</a>');
  const [, recording = ""] = /<audio controls preload="none" src="([^"]*)">/.exec(text) ?? [];
  expect(recording).toMatch(/^\/media\/[\da-f]{32}\.wav$/);
  const part = await browser.get(recording, { Range: "bytes=0-3" });
  expect([part.status, part.headers.get("Content-Type"), part.text]).toEqual([206, "audio/wav", "RIFF"]);
  const [, shown = ""] = /<img alt="" [^>]*?src="([^"]*)"/.exec(text) ?? [];
  expect((await browser.get(shown)).headers.get("Content-Type")).toBe("image/webp");
  expect(text).not.toContain(new URL(cms.cms.url).host);
  expect(app.services.catalogue.status().losses).toEqual([]);
});
