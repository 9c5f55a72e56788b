import { expect, test } from "vitest";

import { createNewcomer, listCharges, readCharges } from "../helpers/newcomer.ts";
import { errorsAt, headingOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const NO_LINK = "This link does not work";

test("following the email's link changes nothing, however it is followed", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const { link } = await visitor.readEmail();
  const scanner = site.openBrowser({ address: "203.0.113.77" });
  for (const init of [
    {},
    { method: "HEAD" },
    { headers: { "Sec-Purpose": "prefetch;prerender" } },
    { headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" } },
  ]) {
    const answer = await scanner.request(link, init);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    if (!("method" in init)) expect(headingOf(answer.text)).toBe("Verify your email");
  }
  expect(wordsOf((await visitor.browser.get("/signup?step=2")).text)).toContain("We have sent a code to");
  expect((await visitor.typeCode()).status).toBe(303);
});

test("the link's button works on another device, once, and uses up the code", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const { code, link } = await visitor.readEmail();
  const phone = site.openBrowser({ address: "203.0.113.5" });
  const page = await phone.get(link);
  expect(wordsOf(page.text)).toContain(
    `Someone is signing up with ${visitor.email} . If that is not you, close this page`,
  );
  const token = valueOf(page.text, "token") ?? "";
  expect(link).toContain(token);

  const pressed = await phone.post("/signup", { intent: "verify-link", token });
  expect(pressed).toMatchObject({ status: 303, location: "/signup?verified=1" });
  expect(headingOf((await phone.get("/signup?verified=1")).text)).toBe("Your email is verified.");
  expect(phone.cookies.size).toBe(0);
  const again = await phone.post("/signup", { intent: "verify-link", token });
  const after = await phone.get(again.location ?? "");
  expect(after.status).toBe(404);
  expect(headingOf(after.text)).toBe(NO_LINK);
  expect(wordsOf(after.text)).toContain("It was used already, or it is too old.");

  expect(wordsOf((await visitor.browser.get("/signup?step=2")).text)).toContain("Your email is verified.");
  // The right code of a verified address is no news, and no fault.
  expect((await visitor.typeCode(code)).status).toBe(303);
  await visitor.choosePlan();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("in the browser that signs up the button leads on to its step", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  await visitor.choosePlan();
  const { link } = await visitor.readEmail();
  const token = valueOf((await visitor.browser.get(link)).text, "token") ?? "";
  const pressed = await visitor.browser.post("/signup", { intent: "verify-link", token });
  expect(pressed).toMatchObject({ status: 303, location: "/signup?step=3" });
});

test("another address has to be proved anew: code and link of the old one are void", async () => {
  await using site = await openSite({}, withoutContent);
  const browser = site.openBrowser();
  const typo = createNewcomer(site, { email: "nroa@example.org", browser });
  await typo.tellDetails();
  const old = await typo.readEmail();
  const visitor = createNewcomer(site, { browser });
  expect((await visitor.tellDetails()).status).toBe(303);
  expect(wordsOf((await browser.get("/signup?step=2")).text)).toContain("We have sent a code to nora@example.org");
  const stranger = site.openBrowser({ address: "203.0.113.5" });
  expect((await stranger.get(old.link)).status).toBe(404);
  const token = new URL(old.link).searchParams.get("verify") ?? "";
  await stranger.post("/signup", { intent: "verify-link", token });
  const { code } = await visitor.readEmail();
  if (old.code !== code) expect((await visitor.typeCode(old.code)).status).toBe(400);
  expect((await visitor.typeCode(code)).status).toBe(303);

  // A proved address that is exchanged is no longer proved.
  await createNewcomer(site, { email: "other@example.org", browser }).tellDetails();
  await visitor.choosePlan();
  expect(errorsAt((await visitor.pay({ card: "paid" })).text, "oneTimeCode")).toBe("Please verify your email");
  expect(await listCharges(site)).toEqual([]);
});

test.each([
  ["no", ""],
  ["a short", "x"],
  ["an unknown", "A".repeat(32)],
  ["a very long", "A".repeat(10_000)],
  ["a path as", "../../x"],
  ["a NUL as", "\u0000"],
  ["SQL as", "'; drop table drafts; --"],
  ["__proto__ as", "__proto__"],
  ["foreign emails as", "ﷺ"],
])("a link with %s token is a page with words and a way on", async (_name, token) => {
  await using site = await openSite({}, withoutContent);
  const browser = site.openBrowser();
  const answer = await browser.get(`/signup?verify=${encodeURIComponent(token)}`);
  expect(answer.status).toBe(404);
  expect(headingOf(answer.text)).toBe(NO_LINK);
  expect(answer.text).toContain(">Go to sign up</a>");
  const pressed = await browser.post("/signup", { intent: "verify-link", token });
  expect(pressed.status).toBe(303);
  expect((await browser.get(pressed.location ?? "")).status).toBe(404);
});

test("the email leads to the site as its visitor met it, and to no other", async () => {
  await using site = await openSite({}, withoutContent);
  const browser = site.openBrowser({ origin: "https://members.dormouse.test" });
  const visitor = createNewcomer(site, { browser });
  await visitor.tellDetails();
  const { link } = await visitor.readEmail();
  expect(link).toMatch(/^https:\/\/members\.dormouse\.test\/signup\?verify=[\w-]{20,}$/);
  expect((await browser.get(link)).status).toBe(200);
});
