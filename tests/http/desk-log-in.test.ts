import { expect, test } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { codeAt, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { linkNamed, readHeading, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite, withoutContent } from "../helpers/site.ts";
import { toDataPath, fillPattern, patterns } from "../safety/addresses.ts";

const toLogIn = (email: string, code: string, password = OPERATOR_PASSWORD) => ({
  intent: "log-in",
  email,
  password,
  code,
});

/** Every address of the desk, with values in its places. */
const addresses = patterns
  .filter(({ pattern }) => pattern === "/desk" || pattern.startsWith("/desk/"))
  .map(({ pattern }) => fillPattern(pattern, ["1"]));

test("there is no desk until there is an operator, or an invitation of one", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (const path of addresses.flatMap((each) => [each, toDataPath(each)])) {
    expect((await browser.get(path)).status, path).toBe(404);
  }
  const sent = await browser.post("/desk", toLogIn("owner@desk.example", "000000"));
  expect([sent.status, readHeading(sent.text)]).toEqual([404, "We couldn't find that page"]);
  const added = await site.services.operators.add({ email: "olive@desk.example", name: "Olive", role: "owner" });
  expect(readHeading((await browser.get("/desk")).text)).toBe("Log in to the desk");
  expect(readHeading((await browser.get(`/desk?invitation=${added?.invitation}`)).text)).toBe("Welcome to the desk");
  await site.services.operators.remove(added?.operator.id ?? 0);
  expect((await browser.get("/desk")).status).toBe(404);
});

test("without a session each screen shows the log-in in its place, and no data of the desk", async () => {
  await using site = await openSite();
  await openDesk(site);
  const member = site.openBrowser();
  await member.logIn("member@dormouse.example");
  for (const browser of [site.openBrowser(), member]) {
    for (const path of addresses) {
      const page = await browser.get(path);
      const isScreen = page.text.includes("</h1>") && readHeading(page.text) === "Log in to the desk";
      expect(isScreen || page.status >= 400, path).toBe(true);
      expect(page.headers.get("X-Robots-Tag"), path).toBe("noindex, nofollow");
      for (const { text } of [page, await browser.get(toDataPath(path))]) {
        expect(text, path).not.toMatch(/@dormouse\.example|@desk\.example|DORMOUSE-DEMO/);
      }
    }
  }
  expect((await member.get("/desk")).status).toBe(200);
  expect((await member.get("/desk/members")).status).toBe(403);
});

test.each([
  ["192.0.2.7, 10.1.0.0/16", ["192.0.2.7", "10.1.2.3", "::ffff:10.1.2.3"], ["192.0.2.8", "10.2.0.1", "2001:db8::1"]],
  ["2001:db8::/32", ["2001:db8:1::9"], ["2001:db9::1", "192.0.2.7"]],
])(
  "with DESK_ALLOWED=%s the desk is 404 to all other addresses, with a session too",
  async (allowed, inside, outside) => {
    await using site = await openSite({ DESK_ALLOWED: allowed }, withoutContent);
    const [first = ""] = inside;
    const desk = await openDesk({ ...site, openBrowser: () => site.openBrowser({ address: first }) });
    for (const address of inside) {
      expect((await site.openBrowser({ address }).get("/desk")).status, address).toBe(200);
    }
    for (const address of outside) {
      const browser = site.openBrowser({ address });
      for (const [name, value] of desk.browser.cookies) browser.cookies.set(name, value);
      for (const path of addresses.flatMap((each) => [each, toDataPath(each)])) {
        expect((await browser.get(path)).status, `${address} ${path}`).toBe(404);
      }
      expect((await browser.post("/desk", toLogIn("owner@desk.example", "000000"))).status).toBe(404);
      // The page of a company is for everybody.
      expect((await browser.get("/company")).status).toBe(200);
    }
    expect((await desk.get("/desk/members")).status).toBe(200);
  },
);

test("the key of an operator's app is shown after a button, once, and each time another one", async () => {
  await using site = await openQuietSite();
  const added = await site.services.operators.add({ email: "olive@desk.example", name: "Olive", role: "owner" });
  const path = `/desk?invitation=${added?.invitation}`;
  const browser = site.openBrowser();
  const keysIn = (html: string) => [...html.matchAll(/<code>((?:[A-Z2-7]{4} ?)+)<\/code>/g)].map(([, key = ""]) => key);
  const opened = await browser.get(path);
  expect([readHeading(opened.text), keysIn(opened.text)]).toEqual(["Welcome to the desk", []]);
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
  const begun = await accept(second);
  expect([begun.status, readHeading(begun.text)]).toEqual([200, "Your recovery codes"]);
  // An operator who has begun has the key: the link is used up.
  expect((await site.openBrowser().post(path, { intent: "show-secret" })).status).toBe(400);
});

test("an address of the desk with nothing at it leads to Today, and shows the log-in without a session", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  for (const path of ["/desk/nonsense", "/desk/members/1/nonsense", "/desk/members/999"]) {
    const { status, text } = await desk.get(path);
    expect([status, readHeading(text), linkNamed(text, "Go to Today")]).toEqual([
      404,
      "We couldn't find that",
      "/desk",
    ]);
    expect(text).not.toContain("Go to the dashboard");
  }
  expect((await desk.browser.post("/desk/nonsense", { intent: "x" })).status).toBe(404);
  const stranger = await site.openBrowser().get("/desk/nonsense");
  expect([stranger.status, readHeading(stranger.text)]).toEqual([403, "Log in to the desk"]);
});

test("an operator logs in by password and code, each code works once, and log-out ends the session", async () => {
  await using site = await openQuietSite();
  const { secret } = await openDesk(site);
  const browser = site.openBrowser();
  expect(readHeading((await browser.get("/desk/audit")).text)).toBe("Log in to the desk");
  site.clock.advance(MINUTE_IN_MS);
  const code = codeAt(secret, site.clock());
  const answer = await browser.post("/desk?to=%2Fdesk%2Faudit", toLogIn("OWNER@desk.example", ` ${code} `));
  expect([answer.status, answer.location]).toEqual([303, "/desk/audit"]);
  const { text, headers } = await browser.get("/desk/audit");
  expect(readHeading(text)).toBe("Who did what");
  expect(text).toContain("Logged in to the desk");
  expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  expect(headers.get("Cache-Control")).toBe("private, no-store");

  const other = site.openBrowser();
  expect((await other.post("/desk", toLogIn("owner@desk.example", code))).status).toBe(400);
  const before = new Map(browser.cookies);
  expect((await browser.post("/desk", { intent: "log-out" })).location).toBe("/desk");
  for (const [name, value] of before) browser.cookies.set(name, value);
  expect(readHeading((await browser.get("/desk")).text)).toBe("Log in to the desk");
});

test("a wrong password, a wrong code and an unknown address are refused in the same words", async () => {
  await using site = await openQuietSite();
  const { secret } = await openDesk(site);
  const browser = site.openBrowser();
  site.clock.advance(MINUTE_IN_MS);
  const code = codeAt(secret, site.clock());
  const wrong = [
    toLogIn("owner@desk.example", code, "wrong-password-1"),
    toLogIn("owner@desk.example", "123456"),
    toLogIn("nobody@desk.example", code),
  ];
  for (const form of wrong) {
    const { status, text } = await browser.post("/desk", form);
    expect(status).toBe(400);
    expect(readWords(text)).toContain("This email, password and code do not match.");
    expect(text).not.toContain(form.password);
  }
  // A wrong password has not used the code up.
  expect((await browser.post("/desk", toLogIn("owner@desk.example", code))).status).toBe(303);
});

test("a recovery code logs in once, and new ones replace all before", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site);
  const [first = "", second = ""] = desk.recoveryCodes;
  expect(desk.recoveryCodes).toHaveLength(10);
  const browser = site.openBrowser();
  expect((await browser.post("/desk", toLogIn("owner@desk.example", first.toLowerCase()))).status).toBe(303);
  expect((await site.openBrowser().post("/desk", toLogIn("owner@desk.example", first))).status).toBe(400);
  const { text } = await desk.act("/desk/access", "access recovery", { password: OPERATOR_PASSWORD });
  expect(text.match(/<code>[A-Z0-9]{5}-[A-Z0-9]{5}<\/code>/g)).toHaveLength(10);
  expect((await site.openBrowser().post("/desk", toLogIn("owner@desk.example", second))).status).toBe(400);
});

test("guesses are limited at one operator, and from one network", async () => {
  await using site = await openQuietSite();
  await openDesk(site);
  const browser = site.openBrowser();
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) {
    statuses.push((await browser.post("/desk", toLogIn("owner@desk.example", "123456"))).status);
  }
  expect(statuses.slice(-2)).toEqual([400, 429]);
  for (let guess = 0; guess < 12; guess += 1) await browser.post("/desk", toLogIn(`x${guess}@desk.example`, "123456"));
  expect((await browser.post("/desk", toLogIn("y@desk.example", "123456"))).status).toBe(429);
});

test("a session ends after thirty minutes without use, and after twelve hours with it", async () => {
  await using site = await openQuietSite();
  const { browser } = await openDesk(site);
  const heading = async () => readHeading((await browser.get("/desk/access")).text);
  for (let minutes = 0; minutes < 11 * 60; minutes += 29) {
    site.clock.advance(29 * MINUTE_IN_MS);
    expect(await heading()).toBe("Your access");
  }
  site.clock.advance(HOUR_IN_MS);
  expect(await heading()).toBe("Log in to the desk");

  const idle = await openDesk(site, "support");
  site.clock.advance(31 * MINUTE_IN_MS);
  expect(readHeading((await idle.get("/desk/access")).text)).toBe("Log in to the desk");
});

test("an invitation works once and for three days; inviting again voids everything before", async () => {
  await using site = await openQuietSite();
  const { operators } = site.services;
  const desk = await openDesk(site);
  const late = await operators.add({ email: "late@desk.example", name: "Late", role: "support" });
  site.clock.advance(3 * DAY_IN_MS + MINUTE_IN_MS);
  const over = await site.openBrowser().get(`/desk?invitation=${late?.invitation}`);
  expect(readHeading(over.text)).toBe("Log in to the desk");

  const { invitation } = await operators.inviteAgain(desk.operator.id);
  expect(readHeading((await desk.get("/desk")).text)).toBe("Log in to the desk");
  const door = site.openBrowser();
  const old = codeAt(desk.secret, site.clock());
  expect((await door.post("/desk", toLogIn("owner@desk.example", old))).status).toBe(400);
  const browser = site.openBrowser();
  const { text } = await browser.get(`/desk?invitation=${invitation}`);
  expect(readHeading(text)).toBe("Welcome to the desk");
  const form = { intent: "accept-invitation", password: "short", passwordConfirmation: "other", code: "123456" };
  const refused = await browser.post(`/desk?invitation=${invitation}`, form);
  expect(refused.status).toBe(400);
  expect(readWords(refused.text)).toContain("Password must be at least 8 characters long");
});

test("the command's last role and the operator's own page agree, and other sessions end by a press", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "support");
  const browser = site.openBrowser();
  site.clock.advance(MINUTE_IN_MS);
  await browser.post("/desk", toLogIn("support@desk.example", codeAt(desk.secret, site.clock())));
  await site.services.operators.setRole(desk.operator.id, "owner");
  expect(readWords((await desk.get("/desk/access")).text)).toContain("Role owner");
  expect(await desk.actAndRead("/desk/access", "access sessions")).toBe(
    "Logged out everywhere else. Sessions ended: 1.",
  );
  expect(readHeading((await browser.get("/desk")).text)).toBe("Log in to the desk");
});
