import { expect, test } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { codeAt, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { headingOf, wordsOf } from "../helpers/page.ts";
import { type Browser, openQuietSite, type Site } from "../helpers/site.ts";

const logInOf = (email: string, code: string, password = OPERATOR_PASSWORD) => ({
  intent: "log-in",
  email,
  password,
  code,
});

/** A browser that has the door key, as an operator's second one would. */
async function openDoor(site: Site, email = "owner@desk.example"): Promise<Browser> {
  const operator = await site.services.operators.find(email);
  if (!operator) throw new Error(`There is no operator ${email}`);
  const browser = site.openBrowser();
  const { status, location } = await browser.get(`/desk?door=${site.services.operators.makeDoorKey(operator)}`);
  expect([status, location]).toEqual([302, "/desk"]);
  return browser;
}

test("to strangers the desk is an address that does not exist, whatever they send", async () => {
  await using site = await openQuietSite();
  await openDesk(site);
  const stranger = site.openBrowser();
  const member = site.openBrowser();
  await member.logIn("member@dormouse.example");
  const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "");
  for (const browser of [stranger, member]) {
    for (const end of ["", ".data", "?view=members", "?door=1.x", "?invitation=x", "/passkeys"]) {
      const asked = await browser.get(`/desk${end}`);
      const other = await browser.get(`/nest${end}`);
      expect(asked.status, end).toBe(404);
      expect(withoutNonce(asked.text), end).toBe(withoutNonce(other.text));
      expect([...asked.headers.keys()], end).toEqual([...other.headers.keys()]);
    }
    const posted = await browser.post("/desk", logInOf("owner@desk.example", "000000"));
    expect([posted.status, headingOf(posted.text)]).toEqual([404, "We could not find that page"]);
    expect((await browser.post("/desk/passkeys", { intent: "begin-log-in" })).status).toBe(404);
  }
});

test("without an operator there is no desk, not even for a key that was right once", async () => {
  await using site = await openQuietSite();
  const { operator } = await openDesk(site);
  const browser = await openDoor(site);
  expect((await browser.get("/desk")).status).toBe(200);
  await site.services.operators.remove(operator.id);
  expect((await browser.get("/desk")).status).toBe(404);
});

test("the key of an operator's app is shown after a button, once, and each time another one", async () => {
  await using site = await openQuietSite();
  const added = await site.services.operators.add({ email: "olive@desk.example", name: "Olive", role: "owner" });
  const path = `/desk?invitation=${added?.invitation}`;
  const browser = site.openBrowser();
  const keysIn = (html: string) => [...html.matchAll(/<code>((?:[A-Z2-7]{4} ?)+)<\/code>/g)].map(([, key = ""]) => key);
  const opened = await browser.get(path);
  expect([headingOf(opened.text), keysIn(opened.text)]).toEqual(["Welcome to the desk", []]);
  expect(opened.text).not.toContain("QR code");
  const [first = ""] = keysIn((await browser.post(path, { intent: "show-secret" })).text);
  const shown = await browser.post(path, { intent: "show-secret" });
  const [second = ""] = keysIn(shown.text);
  expect(first.length).toBeGreaterThan(30);
  expect(second).not.toBe(first);
  expect(shown.text).toContain("QR code to scan with your app");
  expect(keysIn((await browser.get(path)).text)).toEqual([]);

  const accept = (key: string) => {
    const password = { password: OPERATOR_PASSWORD, passwordConfirmation: OPERATOR_PASSWORD };
    const code = codeAt(key.replaceAll(" ", ""), site.clock());
    return browser.post(path, { intent: "accept-invitation", ...password, code });
  };
  const refused = await accept(first);
  expect([refused.status, keysIn(refused.text)]).toEqual([400, []]);
  expect((await accept(second)).status).toBe(200);
  // An operator who has begun keeps the key: the link is used up.
  expect((await site.openBrowser().post(path, { intent: "show-secret" })).status).toBe(404);
});

test("an operator logs in by password and code, each code works once, and log-out ends the session", async () => {
  await using site = await openQuietSite();
  const { secret } = await openDesk(site);
  const browser = await openDoor(site);
  expect(headingOf((await browser.get("/desk?view=audit")).text)).toBe("Log in to the desk");
  site.clock.advance(MINUTE_IN_MS);
  const code = codeAt(secret, site.clock());
  const answer = await browser.post("/desk?view=audit", logInOf("OWNER@desk.example", ` ${code} `));
  expect([answer.status, answer.location]).toEqual([303, "/desk?view=audit"]);
  const { text, headers } = await browser.get("/desk?view=audit");
  expect(headingOf(text)).toBe("What operators did");
  expect(text).toContain("Logged in to the desk");
  expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  expect(headers.get("Cache-Control")).toBe("private, no-store");

  const other = await openDoor(site);
  expect((await other.post("/desk", logInOf("owner@desk.example", code))).status).toBe(400);
  const before = new Map(browser.cookies);
  expect((await browser.post("/desk", { intent: "log-out" })).location).toBe("/desk");
  for (const [name, value] of before) browser.cookies.set(name, value);
  expect(headingOf((await browser.get("/desk")).text)).toBe("Log in to the desk");
});

test("a wrong password, a wrong code and an unknown address are refused in the same words", async () => {
  await using site = await openQuietSite();
  const { secret } = await openDesk(site);
  const browser = await openDoor(site);
  site.clock.advance(MINUTE_IN_MS);
  const code = codeAt(secret, site.clock());
  const wrong = [
    logInOf("owner@desk.example", code, "wrong-password-1"),
    logInOf("owner@desk.example", "123456"),
    logInOf("nobody@desk.example", code),
  ];
  for (const form of wrong) {
    const { status, text } = await browser.post("/desk", form);
    expect(status).toBe(400);
    expect(wordsOf(text)).toContain("This email, password and code do not match.");
    expect(text).not.toContain(form.password);
  }
  // The right password with a wrong code has not used the code up.
  expect((await browser.post("/desk", logInOf("owner@desk.example", code))).status).toBe(303);
});

test("a recovery code logs in once, and new ones replace all before", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const [first = "", second = ""] = desk.recoveryCodes;
  expect(desk.recoveryCodes).toHaveLength(10);
  const browser = await openDoor(site);
  expect((await browser.post("/desk", logInOf("owner@desk.example", first.toLowerCase()))).status).toBe(303);
  expect((await (await openDoor(site)).post("/desk", logInOf("owner@desk.example", first))).status).toBe(400);
  const { text } = await desk.act("/desk?view=access", "access recovery", { password: OPERATOR_PASSWORD });
  expect(text.match(/<code>[A-Z0-9]{5}-[A-Z0-9]{5}<\/code>/g)).toHaveLength(10);
  expect((await (await openDoor(site)).post("/desk", logInOf("owner@desk.example", second))).status).toBe(400);
});

test("guesses are limited at one operator, and from one network", async () => {
  await using site = await openQuietSite();
  await openDesk(site);
  const browser = await openDoor(site);
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) {
    statuses.push((await browser.post("/desk", logInOf("owner@desk.example", "123456"))).status);
  }
  expect(statuses.slice(-2)).toEqual([400, 429]);
  for (let guess = 0; guess < 12; guess += 1) await browser.post("/desk", logInOf(`x${guess}@desk.example`, "123456"));
  expect((await browser.post("/desk", logInOf("y@desk.example", "123456"))).status).toBe(429);
});

test("a session ends after thirty minutes without use, and after twelve hours with it", async () => {
  await using site = await openQuietSite();
  const { browser } = await openDesk(site);
  const heading = async () => headingOf((await browser.get("/desk?view=access")).text);
  for (let minutes = 0; minutes < 11 * 60; minutes += 29) {
    site.clock.advance(29 * MINUTE_IN_MS);
    expect(await heading()).toBe("Your access");
  }
  site.clock.advance(HOUR_IN_MS);
  expect(await heading()).toBe("Log in to the desk");

  const idle = await openDesk(site, "support");
  site.clock.advance(31 * MINUTE_IN_MS);
  expect(headingOf((await idle.get("/desk?view=access")).text)).toBe("Log in to the desk");
});

test("an invitation works once and for three days; inviting anew voids everything before", async () => {
  await using site = await openQuietSite();
  const { operators } = site.services;
  const desk = await openDesk(site);
  const late = await operators.add({ email: "late@desk.example", name: "Late", role: "support" });
  site.clock.advance(3 * DAY_IN_MS + MINUTE_IN_MS);
  expect((await site.openBrowser().get(`/desk?invitation=${late?.invitation}`)).status).toBe(404);

  const { invitation } = await operators.inviteAgain(desk.operator.id);
  expect(headingOf((await desk.get("/desk")).text)).toBe("Log in to the desk");
  const door = await openDoor(site);
  const old = codeAt(desk.secret, site.clock());
  expect((await door.post("/desk", logInOf("owner@desk.example", old))).status).toBe(400);
  const browser = site.openBrowser();
  const { text } = await browser.get(`/desk?invitation=${invitation}`);
  expect(headingOf(text)).toBe("Welcome to the desk");
  const form = { intent: "accept-invitation", password: "short", passwordConfirmation: "other", code: "123456" };
  const refused = await browser.post(`/desk?invitation=${invitation}`, form);
  expect(refused.status).toBe(400);
  expect(wordsOf(refused.text)).toContain("Password must be at least 8 characters long");
});

test("the command's last role and the operator's own page agree, and other sessions end by a press", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const browser = await openDoor(site, "support@desk.example");
  site.clock.advance(MINUTE_IN_MS);
  await browser.post("/desk", logInOf("support@desk.example", codeAt(desk.secret, site.clock())));
  await site.services.operators.setRole(desk.operator.id, "owner");
  expect(wordsOf((await desk.get("/desk?view=access")).text)).toContain("Role owner");
  expect(await desk.actAndRead("/desk?view=access", "access sessions")).toBe("Logged out elsewhere: 1.");
  expect(headingOf((await browser.get("/desk")).text)).toBe("Log in to the desk");
});
