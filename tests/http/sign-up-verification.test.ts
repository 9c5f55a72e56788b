import { expect, test } from "vitest";

import { otherThan } from "../helpers/mailbox.ts";
import { createNewcomer, listCharges, readCharges } from "../helpers/newcomer.ts";
import { errorsAt, readHeading, readSummary, tagWith, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const ASK_CODE = "Please enter the six-digit code we sent you.";
const WRONG = "That isn't the code we sent you. Please check it, or send a new one.";

test("without a verified address nothing is charged, and the page says what is missing", async () => {
  await using site = await openQuietSite();
  for (const [email, fields] of [
    ["nora@example.org", {}],
    ["tom@example.org", { accountType: "corporate", code: "DORMOUSE-DEMO" }],
  ] as const) {
    const visitor = createNewcomer(site, { email });
    await visitor.enterDetails(fields);
    await visitor.choosePlan();
    for (const card of ["paid", undefined] as const) {
      const answer = await visitor.pay({ card });
      expect(answer.status).toBe(400);
      expect(readTitle(answer.text)).toBe("Error: Payment – Dormouse");
      expect(readSummary(answer.text)).toEqual([["oneTimeCode", "Please verify your email"]]);
      expect(errorsAt(answer.text, "oneTimeCode")).toBe("Please verify your email");
      expect(readValue(answer.text, "postcode")).toBe("EX1 1AA");
    }
    expect(await site.services.accounts.findByEmail(email)).toBeUndefined();
  }
  expect(await listCharges(site)).toEqual([]);
});

test("a wrong code is answered beside its field; the right one is accepted as people type it", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const { code } = await visitor.readEmail();
  for (const [typed, sentence] of [
    ["", ASK_CODE],
    ["1".repeat(41), ASK_CODE],
    [otherThan(code), WRONG],
    ["１２３４５６", WRONG],
  ] as const) {
    const answer = await visitor.typeCode(typed);
    expect(answer.status, typed).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Your plan – Dormouse");
    expect(readSummary(answer.text)).toEqual([["oneTimeCode", sentence]]);
    expect(errorsAt(answer.text, "oneTimeCode")).toBe(sentence);
    expect(tagWith(answer.text, "input", 'name="oneTimeCode"', 'autocomplete="one-time-code"')).toBeDefined();
  }
  const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `;
  expect(await visitor.typeCode(spaced)).toMatchObject({ status: 303, location: "/signup?step=2" });
  expect(readWords((await visitor.browser.get("/signup?step=2")).text)).toContain("Your email is verified.");
});

test("one press takes the code and goes on with the plan; a wrong code stays with the plan that was chosen", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const { code } = await visitor.readEmail();
  const confirm = (fields: Record<string, string>) =>
    visitor.browser.post("/signup?step=2", { intent: "plan", ...fields });
  const isVerified = async () => (await visitor.browser.get("/signup?step=3")).text.includes("Your email is verified.");
  const wrong = await confirm({ planType: "2", oneTimeCode: otherThan(code) });
  expect([wrong.status, readSummary(wrong.text)]).toEqual([400, [["oneTimeCode", WRONG]]]);
  expect(tagWith(wrong.text, "input", 'value="2"', "checked")).toBeDefined();
  const both = await confirm({ oneTimeCode: "1".repeat(41) });
  expect(readSummary(both.text).map(([field]) => field)).toEqual(["oneTimeCode", "planType"]);
  expect(await isVerified()).toBe(false);
  expect(await confirm({ planType: "2", oneTimeCode: code })).toMatchObject({
    status: 303,
    location: "/signup?step=3",
  });
  expect(await isVerified()).toBe(true);
  expect(readWords((await visitor.browser.get("/signup?step=3")).text)).toContain("Submit payment of £30");
});

test("a company's member confirms and proves the address with one press", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  const { code } = await visitor.readEmail();
  await visitor.browser.post("/signup?step=2", { intent: "plan", oneTimeCode: code });
  expect((await visitor.pay()).location).toBe("/signup?step=4");
});

test("paying takes a code that was typed above; a wrong one is said and nothing is charged", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  await visitor.choosePlan();
  const { code } = await visitor.readEmail();
  const wrong = await visitor.pay({ card: "paid", fields: { oneTimeCode: otherThan(code) } });
  expect([wrong.status, readSummary(wrong.text)]).toEqual([400, [["oneTimeCode", WRONG]]]);
  expect(readValue(wrong.text, "postcode")).toBe("EX1 1AA");
  expect(await listCharges(site)).toEqual([]);
  const paid = await visitor.pay({ card: "paid", fields: { oneTimeCode: code } });
  expect(paid).toMatchObject({ status: 303, location: "/signup?step=4" });
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
});

test("checking a code and asking for another keep a plan that was chosen and not confirmed", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const { code } = await visitor.readEmail();
  site.clock.advance(2 * MINUTE_IN_MS);
  const chosen = async (planType: string) =>
    tagWith((await visitor.browser.get("/signup?step=2")).text, "input", `value="${planType}"`, "checked");
  await visitor.browser.post("/signup?step=2", { intent: "verify", planType: "1", oneTimeCode: otherThan(code) });
  expect(await chosen("1")).toBeDefined();
  await visitor.browser.post("/signup?step=2", { intent: "resend", planType: "2" });
  expect(await chosen("2")).toBeDefined();
});

test("a new code is sent a minute after the one before, not earlier", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  const resend = () => browser.post("/signup?step=2&to=%2F%3Fview%3Dread", { intent: "resend" });
  await visitor.enterDetails();
  const soon = await resend();
  expect(soon.status).toBe(429);
  expect(soon.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readWords(soon.text)).toContain("We sent a code a moment ago. Please wait a minute, then ask for another.");
  site.clock.advance(MINUTE_IN_MS - 1000);
  expect(readWords((await resend()).text)).toContain("Please wait a second,");

  site.clock.advance(1000);
  const sent = await resend();
  expect(sent).toMatchObject({ status: 303, location: "/signup?step=2&to=%2F%3Fview%3Dread&sent=1" });
  expect(readWords((await browser.get(sent.location ?? "")).text)).toContain(
    "A new code is on its way. Older codes no longer work.",
  );
  expect((await visitor.typeCode()).status).toBe(303);
  // An unneeded email is not sent, which is no fault.
  expect((await resend()).status).toBe(303);
  expect(await visitor.listSubjects()).toHaveLength(2);
});

test("after six emails in an hour the page says how long to wait", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const resend = () => visitor.browser.post("/signup?step=2", { intent: "resend" });
  for (let count = 0; count < 5; count += 1) {
    site.clock.advance(MINUTE_IN_MS);
    expect((await resend()).status).toBe(303);
  }
  site.clock.advance(MINUTE_IN_MS);
  const answer = await resend();
  expect(answer.status).toBe(429);
  expect(readWords(answer.text)).toContain(
    "We've sent a lot of codes to this address. Please wait 54 minutes, then ask",
  );
});

test("following the email's link changes nothing, however it is followed", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
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
    if (!("method" in init)) expect(readHeading(answer.text)).toBe("Verify your email");
  }
  expect(readWords((await visitor.browser.get("/signup?step=2")).text)).toContain("We've sent a code to");
});

test("the link's button works on another device, once, and uses up the code", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const { code, link } = await visitor.readEmail();
  const phone = site.openBrowser({ address: "203.0.113.5" });
  const page = await phone.get(link);
  expect(readWords(page.text)).toContain(`Are you signing up with ${visitor.email} ? If not, just close this page.`);
  const token = readValue(page.text, "token") ?? "";
  expect(link).toContain(token);

  const pressed = await phone.post("/signup", { intent: "verify-link", token });
  expect(pressed).toMatchObject({ status: 303, location: "/signup?verified=1" });
  expect(readHeading((await phone.get("/signup?verified=1")).text)).toBe("Your email is verified.");
  expect(phone.cookies.size).toBe(0);
  const again = await phone.post("/signup", { intent: "verify-link", token });
  const after = await phone.get(again.location ?? "");
  expect(after.status).toBe(404);
  expect(readWords(after.text)).toContain("You may have used it already, or it may be too old.");

  expect(readWords((await visitor.browser.get("/signup?step=2")).text)).toContain("Your email is verified.");
  // The right code of a verified address is no fault.
  expect((await visitor.typeCode(code)).status).toBe(303);
  await visitor.choosePlan();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("in the browser that signs up the button leads on to its step", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  await visitor.choosePlan();
  const { link } = await visitor.readEmail();
  const token = readValue((await visitor.browser.get(link)).text, "token") ?? "";
  const pressed = await visitor.browser.post("/signup", { intent: "verify-link", token });
  expect(pressed).toMatchObject({ status: 303, location: "/signup?step=3" });
  // The answer may have been lost: a repeat leads to the same step.
  const again = await visitor.browser.post("/signup", { intent: "verify-link", token });
  expect(again).toMatchObject({ status: 303, location: "/signup?step=3" });
  expect(await visitor.browser.get(link)).toMatchObject({ status: 302, location: "/signup?step=3" });
});

test("an invalid token leads to a page that says so and a way on", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (const token of ["", "A".repeat(32), "A".repeat(10_000), "../../x", "\u0000", "__proto__", "ﷺ"]) {
    const answer = await browser.get(`/signup?verify=${encodeURIComponent(token)}`);
    expect(answer.status, token).toBe(404);
    expect(readHeading(answer.text)).toBe("This link doesn't work");
    expect(answer.text).toContain(">Go to sign up</a>");
    const pressed = await browser.post("/signup", { intent: "verify-link", token });
    expect(pressed.status).toBe(303);
    expect((await browser.get(pressed.location ?? "")).status).toBe(404);
  }
});
