import { expect, test } from "vitest";

import { emailsTo } from "../helpers/mailbox.ts";
import { errorsAt, headingOf, linkNamed, summaryOf, titleOf, valueOf, wordsOf } from "../helpers/page.ts";
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

const badPasswords: { password: string; confirmation?: string; field: string; sentence: string }[] = [
  { password: "1234567", field: "password", sentence: "Password must be at least 8 characters long" },
  { password: "", field: "password", sentence: "Password must be at least 8 characters long" },
  {
    password: NEW_PASSWORD,
    confirmation: "something else",
    field: "passwordConfirmation",
    sentence: "Passwords do not match",
  },
  {
    password: "password1",
    field: "password",
    sentence: "This password is too easy to guess. Please choose another.",
  },
  { password: "x".repeat(1100), field: "password", sentence: "Password must be 1024 characters or fewer." },
];

test.each(badPasswords)("a new password is refused: $sentence", async ({ password, confirmation, field, sentence }) => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  const answer = await choose(browser, password, confirmation);
  expect(answer.status).toBe(400);
  expect(titleOf(answer.text)).toBe("Error: Enter you new password – Dormouse");
  expect(summaryOf(answer.text)).toEqual([[field, sentence]]);
  expect(errorsAt(answer.text, field)).toBe(sentence);
  if (password !== "") expect(answer.text).not.toContain(password);
  expect(await choose(browser)).toMatchObject({ location: "/login?reset=4" });
});

test("eight characters are enough", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  expect(await choose(browser, "quietowl")).toMatchObject({ status: 303, location: "/login?reset=4" });
});

test("the email's link works on any device, by one button, once; looking at it changes nothing", async () => {
  await using site = await openQuietSite();
  await askFor(site.openBrowser());
  const { path = "", code = "" } = (await readEmail(site)) ?? {};
  expect(path).toMatch(/^\/login\?reset=3&token=/);
  const phone = site.openBrowser({ address: "203.0.113.5" });
  for (let looks = 0; looks < 3; looks += 1) {
    const page = await phone.get(path);
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(headingOf(page.text)).toBe("Choose a new password");
    expect(page.text.match(/<button(?![^>]*(?:name="scheme"|type="button"))/g)).toHaveLength(1);
  }
  const token = valueOf((await phone.get(path)).text, "token") ?? "";
  const opened = await phone.post("/login", { intent: "reset-link", token });
  expect(opened).toMatchObject({ status: 303, location: "/login?reset=3" });
  expect(await phone.get("/login?reset=2")).toMatchObject({ status: 302, location: "/login?reset=3" });
  expect(await choose(phone)).toMatchObject({ location: "/login?reset=4" });

  const bad = await phone.get(path);
  expect(bad.status).toBe(404);
  expect(headingOf(bad.text)).toBe("This link does not work");
  expect(linkNamed(bad.text, "Reset password")).toBe("/login?reset=1");
  const late = site.openBrowser();
  expect(await late.post("/login", { intent: "reset-link", token })).toMatchObject({ status: 303, location: path });
  await askFor(late);
  expect((await typeCode(late, code)).status).toBe(400);
});

test.each(["", "x", "x".repeat(3000), "%00", "../../etc"])("%.10j is no link", async (token) => {
  await using site = await openQuietSite();
  for (const name of ["reset=3&token", "undo", "reopen", "confirm"]) {
    const page = await site.openBrowser().get(`/login?${name}=${encodeURIComponent(token)}`);
    expect(page.status, name).toBe(404);
    expect(headingOf(page.text)).toBe("This link does not work");
  }
  for (const intent of ["reset-link", "undo-link", "reopen-link", "confirm-link"]) {
    expect((await site.openBrowser().post("/login", { intent, token })).status, intent).toBe(303);
  }
});

test("a new password ends every session and tells the owner", async () => {
  await using site = await openQuietSite();
  const elsewhere = site.openBrowser({ address: "203.0.113.5" });
  await elsewhere.logIn(member);
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  await choose(browser);
  expect(await elsewhere.get("/")).toMatchObject({ status: 302, location: "/signup" });
  await site.services.outbox.deliver();
  expect(emailsTo(member, site.emails)).toHaveLength(2);
});

test("the right to choose a password wears off, and the page says so", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  await reachPassword(site, browser);
  site.clock.advance(11 * MINUTE_IN_MS);
  const answer = await choose(browser);
  expect(answer).toMatchObject({ status: 303, location: "/login?reset=1&over=1" });
  expect(browser.cookies.has("dormouse-reset")).toBe(false);
  expect(wordsOf((await browser.get("/login?reset=1&over=1")).text)).toContain(
    "That took longer than we keep a code. Please start again here.",
  );
});
