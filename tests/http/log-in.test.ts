import { expect, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { linkNamed, readHeading, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite } from "../helpers/site.ts";

const member = "member@dormouse.example";
const wrong = { intent: "log-in", email: member, password: "wrong-secret-9" };

test("a visitor is sent to sign-up with the page they wanted, and from log-in back to it", async () => {
  await using site = await openSite();
  const browser = site.openBrowser();
  for (const path of ["/", "/dashboard"]) {
    expect(await browser.get(path)).toMatchObject({ status: 302, location: "/signup" });
  }
  const sent = await browser.get("/?view=read&item=1001");
  expect(sent).toMatchObject({ status: 302, location: "/signup?to=%2F%3Fview%3Dread%26item%3D1001" });
  const signUp = await browser.get(sent.location ?? "");
  expect(signUp.text).toContain('href="/login?to=%2F%3Fview%3Dread%26item%3D1001"');
  const answer = await browser.logIn(member, "/login?to=%2F%3Fview%3Dread%26item%3D1001");
  expect(answer).toMatchObject({ status: 303, location: "/?view=read&item=1001" });
  expect((await browser.get(answer.location ?? "")).text).toContain("turn the brightness down");
  const home = await browser.get("/");
  expect(readHeading(home.text)).toBe(landingTexts.heading);
  expect(home.headers.get("Cache-Control")).toBe("private, no-store");
});

test("the tabs and “Sign up” switch between the forms, and Back leads to the welcome, keeping the wanted page", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const to = `to=${encodeURIComponent("/?view=read")}`;
  const logIn = (await browser.get(`/login?${to}`)).text;
  expect(linkNamed(logIn, "Sign Up")).toBe(`/signup?step=1&${to}`);
  expect(linkNamed(logIn, "Sign up")).toBe(`/signup?step=1&${to}`);
  expect(linkNamed(logIn, "Back")).toBe(`/signup?${to}`);
  for (const path of [`/signup?${to}`, `/signup?step=1&${to}`]) {
    const signUp = (await browser.get(path)).text;
    expect(linkNamed(signUp, "Log In"), path).toBe(`/login?${to}`);
    expect(linkNamed(signUp, "Sign Up"), path).toBe(`/signup?step=1&${to}`);
  }
});

test("log-in never leads to another site", async () => {
  await using site = await openQuietSite();
  for (const to of ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example"]) {
    const answer = await site.openBrowser().logIn(member, `/login?to=${encodeURIComponent(to)}`);
    expect(answer.location, to).toBe("/");
  }
});

test("a logged-in member is sent home from log-in and sign-up", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await browser.logIn(member);
  for (const path of ["/login", "/signup"]) {
    expect(await browser.get(path)).toMatchObject({ status: 302, location: "/" });
  }
});

test("/signmeup leads to the first step of sign-up and keeps the wanted page", async () => {
  await using site = await openQuietSite();
  expect((await site.openBrowser().get("/signmeup")).location).toBe("/signup?step=1");
  expect((await site.openBrowser().get("/signmeup?to=%2F")).location).toBe("/signup?to=%2F&step=1");
});

test("a wrong password comes back with the address, an error and never the password, and reads like an unknown address", async () => {
  await using site = await openQuietSite();
  const answer = await site.openBrowser().post("/login", wrong);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`value="${member}"`);
  expect(readWords(answer.text)).toContain("This email and password don't match. Please check both and try again.");
  expect(answer.text).toContain("Please try again");
  expect(answer.text).toContain("<title>Error: Log in – Dormouse</title>");
  expect(answer.text).not.toContain("wrong-secret-9");
  expect(answer.headers.getSetCookie()).toEqual([]);
  const unknown = await site.openBrowser().post("/login", { ...wrong, email: "nobody@dormouse.example" });
  const plain = (text: string) => text.replaceAll(/nonce="[^"]+"/g, "").replaceAll("nobody@", "member@");
  expect([unknown.status, plain(unknown.text)]).toEqual([400, plain(answer.text)]);
});

test("each empty field has its message", async () => {
  await using site = await openQuietSite();
  const answer = await site.openBrowser().post("/login", { intent: "log-in", email: "", password: "" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('<a href="#log-in-email">Please enter your email.</a>');
  expect(answer.text).toContain('aria-describedby="log-in-password-error"');
});

test("after ten failures the page says how long to wait", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (let count = 0; count < 10; count += 1) await browser.post("/login", wrong);
  const answer = await browser.logIn(member);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(answer.text).toContain("Please wait 15 minutes");
});

test("logging out ends the session on the server, not only in the browser", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await browser.logIn(member);
  const stolen = new Map(browser.cookies);
  const answer = await browser.post("/", { intent: "log-out" });
  expect(answer).toMatchObject({ status: 303, location: "/login" });
  expect(browser.cookies.size).toBe(0);
  for (const [name, value] of stolen) browser.cookies.set(name, value);
  expect(await browser.get("/")).toMatchObject({ status: 302, location: "/signup" });
});

test("a new log-in ends the session that the browser had", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await browser.logIn(member);
  const [first] = browser.cookies.values();
  await browser.logIn("team@dormouse.example");
  expect(await site.services.sessions.find(first ?? "")).toBeUndefined();
});

test("over https the cookie is bound to the host; nowhere can script read it", async () => {
  await using site = await openQuietSite();
  const secure = await site.openBrowser({ origin: "https://members.dormouse.test" }).logIn(member);
  expect(secure.headers.getSetCookie()[0]).toMatch(
    /^__Host-dormouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=/,
  );
  const plain = await site.openBrowser().logIn(member);
  expect(plain.headers.getSetCookie()[0]).toMatch(
    /^dormouse-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
  );
});

test("a page asked for by script gets its redirect and its data without a document", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const answer = await browser.post("/login.data", { intent: "log-in", email: member, password: DEMO_PASSWORD });
  expect(answer.text).toContain(`"redirect","/","status",303`);
  expect(browser.cookies.size).toBe(1);
});
