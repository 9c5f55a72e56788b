import { expect, test } from "vitest";

import { ada, findMember, logIn, PASSWORD } from "../helpers/account-page.ts";
import { createAuthenticator, type Lie } from "../helpers/authenticator.ts";
import { openDesk } from "../helpers/desk.ts";
import { linkNamed, readWords, tagWith } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { openQuietSite, type Browser, type Site } from "../helpers/site.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";

const origin = "https://members.dormouse.test";
const here = { host: "members.dormouse.test", origin };
const account = "/?account=passkeys";

async function begin(browser: Browser, intent: string): Promise<string> {
  const { status, text } = await browser.post("/passkeys", { intent });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { options: { challenge: string } }).options.challenge;
}

/** Ada, logged in by her password, with a device that has no passkey yet. */
async function openPasskey(site: Site) {
  const browser = site.openBrowser({ origin });
  await browser.logIn(ada);
  const { id } = await findMember(site, ada);
  const key = createAuthenticator({ ...here, user: `member ${id}` });
  return {
    id,
    key,
    browser,
    add: async (lie?: Lie, device = key) =>
      browser.post(account, {
        intent: "passkey-add",
        response: device.register(await begin(browser, "begin-adding"), lie),
      }),
    async logIn(lie?: Lie, visitor = site.openBrowser({ origin })) {
      const response = key.sign(await begin(visitor, "begin-log-in"), lie);
      const send = () => visitor.post("/login?to=%2F%3Fview%3Dread", { intent: "passkey-log-in", response });
      return { visitor, send, answer: await send() };
    },
  };
}

test("a member adds a passkey after a log-in, logs in by it to the page they wanted, and removes it", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  expect(await member.add()).toMatchObject({
    status: 303,
    location: `${account}&flash=passkey-added#account-passkeys`,
  });
  const list = await member.browser.get(account);
  expect(readWords(list.text)).toContain("(added");

  const { visitor, send, answer } = await member.logIn();
  expect(answer).toMatchObject({ status: 303, location: "/?view=read" });
  expect((await visitor.get("/?view=read")).status).toBe(200);
  await visitor.post("/", { intent: "log-out" });
  expect((await send()).status, "the same answer again").toBe(400);

  const [{ id } = { id: "" }] = await site.services.memberPasskeys.list(member.id);
  const removed = await member.browser.post(account, { intent: "passkey-remove", passkey: id, endsSessions: "yes" });
  expect(removed).toMatchObject({ status: 303, location: `${account}&flash=passkey-removed#account-passkeys` });
  const { answer: refused } = await member.logIn();
  expect([refused.status, readWords(refused.text)]).toEqual([
    400,
    expect.stringContaining("We couldn't accept this passkey."),
  ]);
});

test("an older session needs the password, or a passkey, before it changes any", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  await member.add();
  site.clock.advance(11 * MINUTE_IN_MS);
  expect((await member.browser.post("/passkeys", { intent: "begin-adding" })).status).toBe(403);
  const [{ id } = { id: "" }] = await site.services.memberPasskeys.list(member.id);
  const remove = () => member.browser.post(account, { intent: "passkey-remove", passkey: id });
  expect((await remove()).status).toBe(400);
  const page = await member.browser.get(account);
  expect(tagWith(page.text, "input", 'name="passkeyPassword"')).toContain('autoComplete="current-password"');
  expect(page.text).not.toContain('value="passkey-remove"');

  const prove = (passkeyPassword: string) => member.browser.post(account, { intent: "passkey-proof", passkeyPassword });
  const wrong = await prove("not-my-password");
  expect([wrong.status, wrong.text.includes("not-my-password")]).toEqual([400, false]);
  const response = member.key.sign(await begin(member.browser, "begin-proof"));
  expect((await member.browser.post(account, { intent: "passkey-use", response })).status).toBe(303);
  expect((await member.browser.get(account)).text).toContain('value="passkey-remove"');
  site.clock.advance(11 * MINUTE_IN_MS);
  expect((await prove(PASSWORD)).status).toBe(303);
  expect((await remove()).status).toBe(303);
});

const lies: [what: string, lie: Lie][] = [
  ["another site's page", { origin: "https://evil.example" }],
  ["another host", { host: "evil.example" }],
  ["no finger, face or screen lock", { flags: 0x01 }],
];

test.each(lies)("with %s a passkey is neither added nor taken", async (_, lie) => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  expect((await member.add(lie)).status).toBe(400);
  expect((await member.add()).status).toBe(303);
  expect((await member.logIn(lie)).answer.status).toBe(400);
  expect((await member.logIn({ user: "member 2" })).answer.status).toBe(400);
  expect((await member.logIn()).answer.status).toBe(303);
});

test("a challenge is for its own work: one for a log-in adds nothing and proves nothing", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  const add = { intent: "passkey-add", response: member.key.register(await begin(member.browser, "begin-log-in")) };
  expect((await member.browser.post(account, add)).status).toBe(400);
  await member.add();
  const response = member.key.sign(await begin(member.browser, "begin-log-in"));
  expect((await member.browser.post(account, { intent: "passkey-use", response })).status).toBe(400);
});

test("each tab of a browser logs in with the challenge that it got, for a quarter of an hour", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  await member.add();
  const visitor = site.openBrowser({ origin });
  const [first, second] = [await begin(visitor, "begin-log-in"), await begin(visitor, "begin-log-in")];
  const send = async (challenge: string) =>
    (await visitor.post("/login", { intent: "passkey-log-in", response: member.key.sign(challenge) })).status;
  expect(await send(first)).toBe(303);
  await visitor.post("/", { intent: "log-out" });
  site.clock.advance(14 * MINUTE_IN_MS);
  const third = await begin(visitor, "begin-log-in");
  site.clock.advance(2 * MINUTE_IN_MS);
  expect([await send(second), await send(third)]).toEqual([400, 303]);
});

const switchPassword = (browser: Browser, wanted: "on" | "off") =>
  browser.post(account, { intent: "passkey-password", wanted });

test("with two passkeys a member turns the password off and on again, and strangers hear nothing new", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  const logInByPassword = (password = PASSWORD) =>
    site.openBrowser({ origin }).post("/login", { intent: "log-in", email: ada, password });
  await member.add();
  expect((await member.browser.get(account)).text).not.toContain('value="passkey-password"');
  expect((await switchPassword(member.browser, "off")).text).toContain("You need two passkeys");
  await member.add(undefined, createAuthenticator({ ...here, user: `member ${member.id}` }));
  expect(readWords((await member.browser.get(account)).text)).toContain("Turn password off");
  const off = { status: 303, location: `${account}&flash=password-off#account-passkeys` };
  expect(await switchPassword(member.browser, "off")).toMatchObject(off);
  const [refused, wrong] = [await logInByPassword(), await logInByPassword("not-my-password")];
  expect([refused.status, readWords(refused.text)]).toEqual([400, readWords(wrong.text)]);

  const page = await member.browser.get(account);
  expect(page.text).not.toContain('value="passkey-remove"');
  expect(readWords(page.text)).toContain("To remove one while your password is off");
  const [{ id } = { id: "" }] = await site.services.memberPasskeys.list(member.id);
  const removed = await member.browser.post(account, { intent: "passkey-remove", passkey: id });
  expect([removed.status, readWords(removed.text)]).toEqual([400, expect.stringContaining("so keep two passkeys")]);

  const desk = await openDesk(site, "support");
  const shown = readWords((await desk.get(`/desk/members/${member.id}`)).text);
  expect(shown).toContain("Password off since");
  expect(shown).toContain("Turned the password off By the member.");

  expect(await switchPassword(member.browser, "on")).toMatchObject({ status: 303 });
  expect((await logInByPassword()).status).toBe(303);
  expect((await switchPassword(member.browser, "sideways" as "on")).status).toBe(400);
});

test("while the password is off, no form of My Account asks for it", async () => {
  await using site = await openQuietSite();
  const member = await openPasskey(site);
  await member.add();
  await member.add(undefined, createAuthenticator({ ...here, user: `member ${member.id}` }));
  await switchPassword(member.browser, "off");
  const read = async (row: string) => (await member.browser.get(`/?account=${row}`)).text;
  expect(readWords(await read("password"))).toContain("Your password is off.");
  expect(await read("password")).not.toContain('name="oldPassword"');
  expect(await read("close")).toContain('value="close"');

  site.clock.advance(11 * MINUTE_IN_MS);
  expect(await read("close")).not.toContain('value="close"');
  expect(readWords(await read("close"))).toContain("confirm that it's you with a passkey");
  expect(await read("passkeys")).not.toContain('value="passkey-password"');
  for (const row of ["close", "passkeys", "password"]) expect(await read(row)).not.toContain('type="password"');
  const close = () => member.browser.post("/?account=close", { intent: "close" });
  expect((await close()).text).toContain("Please confirm that it's you first");
  const refused = await member.browser.post("/?account=close", { intent: "passkey-use", row: "close", response: "{}" });
  expect([refused.status, readWords(refused.text)]).toEqual([400, expect.stringContaining("We couldn't accept this")]);
  const response = member.key.sign(await begin(member.browser, "begin-proof"));
  const proved = await member.browser.post("/?account=close", { intent: "passkey-use", row: "close", response });
  expect(proved.location).toBe("/?account=close&flash=proved-for-closing#account-close");
  expect((await close()).location).toBe("/login?done=closed");
});

test("over plain http and at an address of digits nothing about passkeys is shown", async () => {
  await using site = await openQuietSite();
  for (const [at, isShown] of [
    ["http://dormouse.test", false],
    ["https://127.0.0.1:3000", false],
    ["http://localhost:3000", true],
    [origin, true],
  ] as const) {
    const browser = site.openBrowser({ origin: at });
    const { text } = await browser.get("/login");
    expect(text.includes("Use a passkey"), at).toBe(isShown);
    expect(text.includes('autoComplete="username webauthn"'), at).toBe(isShown);
    await browser.logIn(ada);
    const page = await browser.get("/?account=open");
    expect(linkNamed(page.text, "Log in with your face, finger or screen lock") !== undefined, at).toBe(isShown);
  }
});

test("the landing after a log-in by password offers one by day, until a device has shown it", async () => {
  await using site = await openQuietSite();
  const isOffered = async (browser: Browser) => (await browser.get("/")).text.includes('offersPasskey\\",true');
  const atHour = (hour: number) => {
    const now = site.clock();
    site.clock.advance(((hour + 24 - now.getUTCHours()) % 24) * HOUR_IN_MS);
  };
  const enter = async () => {
    const browser = site.openBrowser({ origin });
    await browser.logIn(ada);
    return browser;
  };
  atHour(3);
  expect(await isOffered(await enter()), "at night").toBe(false);
  atHour(14);
  const browser = await enter();
  expect([await isOffered(browser), await isOffered(browser)]).toEqual([true, false]);
  const other = await enter();
  expect(await isOffered(other), "the first device showed none").toBe(true);
  await other.post("/passkeys", { intent: "offer-shown" });
  expect(await isOffered(await enter())).toBe(false);
});

test("where another back end has the passwords, there are no passkeys", async () => {
  await using site = await openRemoteSite();
  const browser = site.openBrowser({ origin });
  expect((await browser.get("/login")).text).not.toContain("webauthn");
  expect((await browser.post("/passkeys", { intent: "begin-log-in" })).status).toBe(400);
  expect((await browser.post("/login", { intent: "passkey-log-in", response: "{}" })).status).toBe(400);
  const member = await logIn(site, ada);
  expect((await member.post(account, { intent: "passkey-add", response: "{}" })).status).toBe(400);
});
