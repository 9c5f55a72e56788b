import { expect, test } from "vitest";

import { codeIn, otherThan } from "../helpers/mailbox.ts";
import { errorsAt, readHeading, linkNamed, readSummary, readTitle, readValue, readWords } from "../helpers/page.ts";
import {
  askFor,
  choose,
  member,
  MINUTE_IN_MS,
  NEW_PASSWORD,
  reachPassword,
  readEmail,
  typeCode,
} from "../helpers/reset-page.ts";
import { openQuietSite, type Browser } from "../helpers/site.ts";

const ASK_CODE = "Please enter the six-digit code we sent you.";
const WRONG = "That isn't the code we sent you. Please check it, or send a new one.";
const TOO_OLD = "This code has expired. Please send a new one.";
const WORN_OUT = "Too many wrong codes, so this one no longer works. Please send a new one.";

const logInWith = (browser: Browser, password: string, email = member) =>
  browser.post("/login", { intent: "log-in", email, password });

test("a forgotten password is replaced in four steps, each under its own heading", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const logIn = await browser.get("/login?to=%2F%3Fview%3Dread");
  expect(readWords(logIn.text)).toContain("Forgot your password? Reset password");
  const first = await browser.get(linkNamed(logIn.text, "Reset password") ?? "");
  expect(readHeading(first.text)).toBe("Forgot your password..?");
  expect(readTitle(first.text)).toBe("Forgot your password..? – Dormouse");
  expect(readWords(first.text)).toContain("Get code Remembered your password? Return to login");
  expect(linkNamed(first.text, "Return to login")).toBe("/login?to=%2F%3Fview%3Dread");

  const answer = await browser.post("/login?reset=1&to=%2F%3Fview%3Dread", { intent: "reset-request", email: member });
  expect(answer).toMatchObject({ status: 303, location: "/login?reset=2&to=%2F%3Fview%3Dread" });
  const second = await browser.get(answer.location ?? "");
  expect(readHeading(second.text)).toBe("Check your email...");
  expect(readWords(second.text)).toContain("Validation code Check code");
  expect(readWords(second.text)).toContain("Remembered your password? Return to login");

  const checked = await typeCode(browser, (await readEmail(site))?.code ?? "");
  expect(checked).toMatchObject({ status: 303, location: "/login?reset=3" });
  const third = await browser.get("/login?reset=3");
  expect(readHeading(third.text)).toBe("Enter your new password");
  expect(readWords(third.text)).toContain("Change password Remembered your password? Return to login");

  const elsewhere = site.openBrowser({ address: "203.0.113.5" });
  await elsewhere.logIn(member);
  const chosen = await choose(browser);
  expect(chosen).toMatchObject({ status: 303, location: "/login?reset=4" });
  const fourth = await browser.get("/login?reset=4");
  expect(readHeading(fourth.text)).toBe("Your password has been reset");
  expect(linkNamed(fourth.text, "Go to my videos")).toBe("/");
  expect((await browser.get("/")).status).toBe(200);
  expect(fourth.text).not.toContain("Return to login");

  expect(await elsewhere.get("/")).toMatchObject({ status: 302, location: "/signup" });
  expect((await logInWith(site.openBrowser(), "sleep-well-tonight")).status).toBe(400);
  expect(await logInWith(site.openBrowser(), NEW_PASSWORD)).toMatchObject({ status: 303, location: "/" });
});

test("a reset leads to the page that was asked for, and logs in once more where its answer was lost", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  const before = [...browser.cookies];
  const lose = () => {
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
  };
  const set = (password = NEW_PASSWORD) =>
    browser.post("/login?reset=3&to=%2F%3Fview%3Dread", {
      intent: "reset-password",
      password,
      passwordConfirmation: password,
    });
  for (let time = 1; time <= 2; time += 1) {
    await set();
    lose();
  }
  expect(await set("quite-another-42")).toMatchObject({ location: "/login?reset=1&to=%2F%3Fview%3Dread&over=1" });
  lose();
  const last = await set();
  expect(last).toMatchObject({ status: 303, location: "/login?reset=4&to=%2F%3Fview%3Dread" });
  const { text } = await browser.get(last.location ?? "");
  expect(linkNamed(text, "Go to my videos")).toBe("/?view=read");
  const { id = 0 } = (await site.services.accounts.findByEmail(member)) ?? {};
  expect(await site.services.sessions.list(id)).toHaveLength(1);

  // Logged out, the form has no effect.
  await browser.post("/", { intent: "log-out" });
  lose();
  expect(await set()).toMatchObject({ location: "/login?reset=1&to=%2F%3Fview%3Dread&over=1" });
});

test("an unknown address reads the same at every step, and gets no email", async () => {
  await using site = await openQuietSite();
  const pages: string[] = [];
  for (const email of [member, "nobody@dormouse.example"]) {
    const browser = site.openBrowser();
    const first = await askFor(browser, email);
    expect(first).toMatchObject({ status: 303, location: "/login?reset=2" });
    const [cookie = ""] = first.headers.getSetCookie();
    pages.push(cookie.replace(/=[^;]+/, "=…"));
    for (const answer of [await browser.get("/login?reset=2"), await typeCode(browser, "")]) {
      pages.push(answer.text.replaceAll(/nonce="[^"]+"/g, ""));
    }
  }
  expect(pages.slice(3)).toEqual(pages.slice(0, 3));
  await site.services.outbox.deliver();
  expect(site.emails.map(({ to }) => to)).toEqual([member]);
});

test("the right to change a password is in no page, address or readable cookie, and the member's email only on the last step", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser({ origin: "https://members.dormouse.test" });
  const answer = await askFor(browser);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-dormouse-reset=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=900$/),
  ]);
  await site.services.outbox.deliver();
  const checked = await typeCode(browser, codeIn(site.emails.at(-1)));
  const secrets = [...browser.cookies.values()];
  expect(secrets).toHaveLength(1);
  expect(Buffer.from(secrets[0] ?? "", "base64url").toString("latin1")).not.toContain(member);
  for (const path of ["/login?reset=1", "/login?reset=2", checked.location ?? ""]) {
    const { text } = await browser.get(path);
    // A password manager stores the new password under it. Before the right code it is shown to no visitor.
    expect(text.includes(member), path).toBe(path === "/login?reset=3");
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  expect(answer.location).toBe("/login?reset=2");
  expect(checked.location).toBe("/login?reset=3");
});

test("a step that is not earned leads to the furthest that is", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const stepsShown = async () => {
    const shown: (string | null | number)[] = [];
    for (const step of [1, 2, 3, 4]) {
      const { status, location } = await browser.get(`/login?reset=${step}`);
      shown.push(status === 200 ? step : location);
    }
    return shown;
  };
  const [one, two, three, four] = [1, 2, 3, 4].map((step) => `/login?reset=${step}`);
  expect(await stepsShown()).toEqual([1, one, one, one]);
  await askFor(browser);
  expect(await stepsShown()).toEqual([1, 2, two, two]);
  await typeCode(browser, (await readEmail(site))?.code ?? "");
  expect(await stepsShown()).toEqual([1, 2, 3, three]);
  await choose(browser);
  expect(await stepsShown()).toEqual([1, four, four, 4]);
  expect((await browser.get("/login?reset=nonsense")).status).toBe(200);
});

test("a form whose step is not this browser's changes nothing and leads to the step that is", async () => {
  await using site = await openQuietSite();
  const asker = site.openBrowser();
  await askFor(asker);
  const code = (await readEmail(site))?.code ?? "";
  const stranger = site.openBrowser();
  expect(await typeCode(stranger, code)).toMatchObject({ status: 303, location: "/login?reset=1" });
  expect(await stranger.post("/login?reset=2", { intent: "reset-again" })).toMatchObject({
    location: "/login?reset=1",
  });
  expect(await choose(stranger)).toMatchObject({ status: 303, location: "/login?reset=1" });
  expect(await choose(asker)).toMatchObject({ status: 303, location: "/login?reset=2" });
  expect((await logInWith(site.openBrowser(), "sleep-well-tonight")).status).toBe(303);
});

test("an altered cookie and one for another purpose are ignored", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await askFor(browser);
  const sealed = browser.cookies.get("dormouse-reset") ?? "";
  const other = site.services.cookieSeal.seal(
    JSON.stringify({ name: "unsent", until: Number.MAX_SAFE_INTEGER, facts: { grant: "x" } }),
  );
  for (const value of [`${sealed}x`, sealed.slice(2), "", "x", other]) {
    browser.cookies.set("dormouse-reset", value);
    expect(await browser.get("/login?reset=2")).toMatchObject({ status: 302, location: "/login?reset=1" });
  }
  browser.cookies.set("dormouse-reset", sealed);
  expect((await browser.get("/login?reset=2")).status).toBe(200);
  site.clock.advance(15 * MINUTE_IN_MS);
  expect(await browser.get("/login?reset=2")).toMatchObject({ status: 302, location: "/login?reset=1" });
});

test("a logged-in member may reset a forgotten password", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await browser.logIn(member);
  expect((await browser.get("/login?reset=1")).status).toBe(200);
  await reachPassword(site, browser);
  const before = browser.cookies.get("dormouse-session");
  await choose(browser);
  expect((await browser.get("/")).status).toBe(200);
  expect(browser.cookies.get("dormouse-session")).not.toBe(before);
});

test("an invalid address and an invalid code each get a plain sentence beside the field", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (const email of ["", "no-dot@domain", "x".repeat(2000)]) {
    const answer = await askFor(browser, email);
    expect(answer.status).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Forgot your password..? – Dormouse");
    expect(readSummary(answer.text)).toEqual([["email", "Please enter a valid email address"]]);
    expect(errorsAt(answer.text, "email")).toBe("Please enter a valid email address");
  }
  await askFor(browser);
  const { code = "" } = (await readEmail(site)) ?? {};
  for (const [typed, sentence] of [
    ["", ASK_CODE],
    ["1".repeat(41), ASK_CODE],
    [otherThan(code), WRONG],
    ["twelve", WRONG],
  ] as const) {
    const answer = await typeCode(browser, typed);
    expect(answer.status).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Check your email... – Dormouse");
    expect(readSummary(answer.text)).toEqual([["code", sentence]]);
    expect(errorsAt(answer.text, "code")).toBe(sentence);
    expect(readValue(answer.text, "code")).toBe(typed);
  }
  for (let tries = 2; tries < 5; tries += 1) await typeCode(browser, otherThan(code));
  expect(errorsAt((await typeCode(browser, code)).text, "code")).toBe(WORN_OUT);

  site.clock.advance(2 * MINUTE_IN_MS);
  await askFor(browser);
  const next = (await readEmail(site))?.code ?? "";
  site.clock.advance(11 * MINUTE_IN_MS);
  expect(errorsAt((await typeCode(browser, next)).text, "code")).toBe(TOO_OLD);
});

test("a new code is sent at most once a minute, with the same answer, and is taken as people type it", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await askFor(browser);
  const old = (await readEmail(site))?.code ?? "";
  const again = await browser.post("/login?reset=2", { intent: "reset-again" });
  expect(again).toMatchObject({ status: 303, location: "/login?reset=2&sent=1" });
  expect((await readEmail(site))?.code).toBe(old);
  site.clock.advance(MINUTE_IN_MS + 1);
  await browser.post("/login?reset=2", { intent: "reset-again" });
  const page = await browser.get("/login?reset=2&sent=1");
  expect(page.text).toMatch(/role="status"[^>]*>.*Only the newest one works\./s);
  const fresh = (await readEmail(site))?.code ?? "";
  const typed = await typeCode(browser, ` ${fresh.slice(0, 3)} ${fresh.slice(3)} `);
  expect(typed.location).toBe("/login?reset=3");
});

test("after too many requests the page says how long to wait", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  let answer = await askFor(browser);
  for (let count = 0; count < 70 && answer.status === 303; count += 1) answer = await askFor(browser);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readSummary(answer.text)[0]?.[1]).toMatch(/^Too many attempts\. Please wait \d+ minutes, then try again\.$/);
  expect(readValue(answer.text, "email")).toBe(member);
});

test("on a fault the form says so, keeps what was typed, and the fault is logged", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await askFor(browser);
  await site.database.db.schema.dropTable("challenges").execute();
  for (const [answer, field, value] of [
    [await askFor(site.openBrowser()), "email", member],
    [await typeCode(browser, "123456"), "code", "123456"],
    [await browser.post("/login?reset=2", { intent: "reset-again" }), "code", ""],
  ] as const) {
    expect(answer.status).toBe(500);
    expect(readSummary(answer.text)).toEqual([[undefined, "Something went wrong, please try again"]]);
    expect(readValue(answer.text, field)).toBe(value);
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toHaveLength(3);
});

test("a bad new password is refused with a sentence and never comes back; a good one is still accepted", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  for (const [password, confirmation, field, sentence] of [
    ["1234567", "1234567", "password", "Password must be at least 8 characters long"],
    ["", "", "password", "Password must be at least 8 characters long"],
    [NEW_PASSWORD, "something else", "passwordConfirmation", "Passwords do not match"],
    ["password1", "password1", "password", "This password is too easy to guess. Please choose another."],
    ["x".repeat(1100), "x".repeat(1100), "password", "Password must be 1024 characters or fewer."],
  ] as const) {
    const answer = await choose(browser, password, confirmation);
    expect(answer.status, sentence).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Enter your new password – Dormouse");
    expect(readSummary(answer.text)).toEqual([[field, sentence]]);
    expect(errorsAt(answer.text, field)).toBe(sentence);
    if (password !== "") expect(answer.text).not.toContain(password);
  }
  expect(await choose(browser, "quietowl")).toMatchObject({ status: 303, location: "/login?reset=4" });
});

test("the email's link works on any device, by one button, once; looking at it changes nothing", async () => {
  await using site = await openQuietSite();
  await askFor(site.openBrowser());
  const { path = "", code = "" } = (await readEmail(site)) ?? {};
  expect(path).toMatch(/^\/login\?reset=3&token=/);
  const phone = site.openBrowser({ address: "203.0.113.5" });
  for (let looks = 0; looks < 2; looks += 1) {
    const page = await phone.get(path);
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(readHeading(page.text)).toBe("Choose a new password");
    expect(page.text.match(/<button(?![^>]*(?:name="scheme"|type="button"))/g)).toHaveLength(1);
  }
  const token = readValue((await phone.get(path)).text, "token") ?? "";
  const opened = await phone.post("/login", { intent: "reset-link", token });
  expect(opened).toMatchObject({ status: 303, location: "/login?reset=3" });
  expect(await phone.get("/login?reset=2")).toMatchObject({ status: 302, location: "/login?reset=3" });
  expect(await choose(phone)).toMatchObject({ location: "/login?reset=4" });

  const bad = await phone.get(path);
  expect(bad.status).toBe(404);
  expect(readHeading(bad.text)).toBe("This link doesn't work");
  expect(linkNamed(bad.text, "Reset password")).toBe("/login?reset=1");
  const late = site.openBrowser();
  expect(await late.post("/login", { intent: "reset-link", token })).toMatchObject({ status: 303, location: path });
  await askFor(late);
  expect((await typeCode(late, code)).status).toBe(400);
});

test("an invalid token leads to a page that says so, for every kind of link", async () => {
  await using site = await openQuietSite();
  for (const token of ["", "x", "x".repeat(3000), "%00", "../../etc"]) {
    for (const name of ["reset=3&token", "undo", "reopen", "confirm"]) {
      const page = await site.openBrowser().get(`/login?${name}=${encodeURIComponent(token)}`);
      expect(page.status, name).toBe(404);
      expect(readHeading(page.text)).toBe("This link doesn't work");
    }
    for (const intent of ["reset-link", "undo-link", "reopen-link", "confirm-link"]) {
      expect((await site.openBrowser().post("/login", { intent, token })).status, intent).toBe(303);
    }
  }
});

test("the grant to choose a password expires after ten minutes, and the page says so", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  site.clock.advance(11 * MINUTE_IN_MS);
  expect(await choose(browser)).toMatchObject({ status: 303, location: "/login?reset=1&over=1" });
  expect(browser.cookies.has("dormouse-reset")).toBe(false);
  expect(readWords((await browser.get("/login?reset=1&over=1")).text)).toContain(
    "Your code has expired. Please start again.",
  );
});
