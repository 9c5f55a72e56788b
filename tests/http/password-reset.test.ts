import { expect, test } from "vitest";

import { codeIn } from "../helpers/mailbox.ts";
import { headingOf, linkNamed, titleOf, wordsOf } from "../helpers/page.ts";
import {
  askFor,
  choose,
  member,
  MINUTE_IN_MS,
  NEW_PASSWORD,
  openQuietSite,
  reachPassword,
  readEmail,
  typeCode,
} from "../helpers/reset-page.ts";
import { openSite, withoutContent, type Browser } from "../helpers/site.ts";

const logInWith = (browser: Browser, password: string, email = member) =>
  browser.post("/login", { intent: "log-in", email, password });

test("who forgot their password gets in by four steps, each in the spec's words", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const logIn = await browser.get("/login?to=%2F%3Fview%3Dread");
  expect(wordsOf(logIn.text)).toContain("Forgot your password? Reset password");
  const first = await browser.get(linkNamed(logIn.text, "Reset password") ?? "");
  expect(headingOf(first.text)).toBe("Forgot your password..?");
  expect(titleOf(first.text)).toBe("Forgot your password..? – Dormouse");
  expect(wordsOf(first.text)).toContain("Get code Remembered your password? Return to login");
  expect(linkNamed(first.text, "Return to login")).toBe("/login?to=%2F%3Fview%3Dread");

  const asked = await browser.post("/login?reset=1&to=%2F%3Fview%3Dread", { intent: "reset-request", email: member });
  expect(asked).toMatchObject({ status: 303, location: "/login?reset=2&to=%2F%3Fview%3Dread" });
  const second = await browser.get(asked.location ?? "");
  expect(headingOf(second.text)).toBe("Check your email...");
  expect(wordsOf(second.text)).toContain("Validation code Check code");
  expect(wordsOf(second.text)).toContain("Remembered your password? Return to login");

  const checked = await typeCode(browser, (await readEmail(site))?.code ?? "");
  expect(checked).toMatchObject({ status: 303, location: "/login?reset=3" });
  const third = await browser.get("/login?reset=3");
  expect(headingOf(third.text)).toBe("Enter you new password");
  expect(wordsOf(third.text)).toContain("Change password Remembered your password? Return to login");

  const chosen = await choose(browser);
  expect(chosen).toMatchObject({ status: 303, location: "/login?reset=4" });
  const fourth = await browser.get("/login?reset=4");
  expect(headingOf(fourth.text)).toBe("Your password has been reset");
  expect(linkNamed(fourth.text, "Log in")).toBe("/login");
  expect(fourth.text).not.toContain("Return to login");

  expect((await logInWith(site.openBrowser(), "sleep-well-tonight")).status).toBe(400);
  expect(await logInWith(browser, NEW_PASSWORD)).toMatchObject({ status: 303, location: "/" });
});

test("an unknown address reads the same at every step, and gets no email", async () => {
  await using site = await openQuietSite();
  const pages: string[] = [];
  for (const email of [member, "nobody@dormouse.example"]) {
    const browser = site.openBrowser();
    const asked = await askFor(browser, email);
    expect(asked).toMatchObject({ status: 303, location: "/login?reset=2" });
    const [cookie = ""] = asked.headers.getSetCookie();
    pages.push(cookie.replace(/=[^;]+/, "=…"));
    for (const answer of [await browser.get("/login?reset=2"), await typeCode(browser, "")]) {
      pages.push(answer.text.replaceAll(/nonce="[^"]+"/g, ""));
    }
  }
  expect(pages.slice(3)).toEqual(pages.slice(0, 3));
  await site.services.outbox.deliver();
  expect(site.emails.map(({ to }) => to)).toEqual([member]);
});

test("neither the address nor the right to change the password stands in a page, in an address or readable in the cookie", async () => {
  await using site = await openSite({}, withoutContent);
  const browser = site.openBrowser({ origin: "https://members.dormouse.test" });
  const asked = await askFor(browser);
  expect(asked.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-dormouse-reset=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=900$/),
  ]);
  await site.services.outbox.deliver();
  const checked = await typeCode(browser, codeIn(site.emails.at(-1)));
  const secrets = [...browser.cookies.values()];
  expect(secrets).toHaveLength(1);
  expect(Buffer.from(secrets[0] ?? "", "base64url").toString("latin1")).not.toContain(member);
  for (const path of ["/login?reset=1", "/login?reset=2", checked.location ?? ""]) {
    const { text } = await browser.get(path);
    expect(text).not.toContain(member);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  expect(asked.location).toBe("/login?reset=2");
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

test("an altered cookie and one from another purpose are none", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await askFor(browser);
  const sealed = browser.cookies.get("dormouse-reset") ?? "";
  const other = site.services.cookieSeal.seal(
    JSON.stringify({ name: "unsent", until: Infinity, facts: { grant: "x" } }),
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

test("a member who is logged in may reset a password that they forgot", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await browser.logIn(member);
  expect((await browser.get("/login?reset=1")).status).toBe(200);
  await reachPassword(site, browser);
  await choose(browser);
  expect((await browser.get("/login")).status).toBe(200);
});
