import { expect, test } from "vitest";

import { otherThan } from "../helpers/mailbox.ts";
import { createNewcomer, listCharges } from "../helpers/newcomer.ts";
import { errorsAt, summaryOf, tagWith, titleOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const ASK_CODE = "Please enter the six digits of the code that we sent you.";
const WRONG = "That is not the code we sent you. Please check it, or send a new one.";
const TOO_OLD = "This code has expired. Please send a new one.";
const WORN_OUT = "There were too many wrong codes, so this one no longer works. Please send a new one.";

test("without a verified address nothing is charged, and the page says what is missing", async () => {
  await using site = await openSite({}, withoutContent);
  for (const [email, fields] of [
    ["nora@example.org", {}],
    ["tom@example.org", { accountType: "corporate", code: "DORMOUSE-DEMO" }],
  ] as const) {
    const visitor = createNewcomer(site, { email });
    await visitor.tellDetails(fields);
    await visitor.choosePlan();
    for (const card of ["paid", undefined] as const) {
      const answer = await visitor.pay({ card });
      expect(answer.status).toBe(400);
      expect(titleOf(answer.text)).toBe("Error: Payment – Dormouse");
      expect(summaryOf(answer.text)).toEqual([["oneTimeCode", "Please verify your email"]]);
      expect(errorsAt(answer.text, "oneTimeCode")).toBe("Please verify your email");
      expect(valueOf(answer.text, "postcode")).toBe("EX1 1AA");
    }
    expect(await site.services.accounts.findByEmail(email)).toBeUndefined();
  }
  expect(await listCharges(site)).toEqual([]);
});

test("the code is taken as people type it", async () => {
  await using site = await openSite({}, withoutContent);
  for (const [index, spell] of [
    (code: string) => code,
    (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
    (code: string) => `${code}\t`,
  ].entries()) {
    const visitor = createNewcomer(site, { email: `nora${index}@example.org` });
    await visitor.tellDetails();
    const { code } = await visitor.readEmail();
    expect(await visitor.typeCode(spell(code))).toMatchObject({ status: 303, location: "/signup?step=2" });
    expect(wordsOf((await visitor.browser.get("/signup?step=2")).text)).toContain("Your email is verified.");
    // Pressed twice it is as right as the first time.
    expect((await visitor.typeCode(code)).status).toBe(303);
  }
});

test.each([
  ["", ASK_CODE],
  ["   ", WRONG],
  ["12345", WRONG],
  ["1234567", WRONG],
  ["abcdef", WRONG],
  ["１２３４５６", WRONG],
  ["1".repeat(41), ASK_CODE],
])("the code %j is answered in words, beside its field", async (typed, sentence) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const answer = await visitor.typeCode(typed);
  expect(answer.status).toBe(400);
  expect(titleOf(answer.text)).toBe("Error: Your plan – Dormouse");
  expect(summaryOf(answer.text)).toEqual([["oneTimeCode", sentence]]);
  expect(errorsAt(answer.text, "oneTimeCode")).toBe(sentence);
  expect(tagWith(answer.text, "input", 'name="oneTimeCode"', 'autocomplete="one-time-code"')).toBeDefined();
});

test("five wrong codes make the right one void, and a new email mends it", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const { code } = await visitor.readEmail();
  for (let count = 0; count < 5; count += 1) {
    expect(errorsAt((await visitor.typeCode(otherThan(code))).text, "oneTimeCode")).toBe(WRONG);
  }
  expect(errorsAt((await visitor.typeCode(code)).text, "oneTimeCode")).toBe(WORN_OUT);
  site.clock.advance(MINUTE_IN_MS);
  expect((await visitor.browser.post("/signup?step=2", { intent: "resend" })).status).toBe(303);
  expect((await visitor.typeCode()).status).toBe(303);
});

test("a code is good for ten minutes, its link for as long as the sign-up", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const { code, link } = await visitor.readEmail();
  site.clock.advance(10 * MINUTE_IN_MS);
  expect(errorsAt((await visitor.typeCode(code)).text, "oneTimeCode")).toBe(TOO_OLD);
  site.clock.advance(23 * 60 * MINUTE_IN_MS);
  expect((await visitor.browser.get(link)).status).toBe(200);
  site.clock.advance(60 * MINUTE_IN_MS);
  expect((await visitor.browser.get(link)).status).toBe(404);
});

test("a new code is sent a minute after the one before, not earlier, and replaces it", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  await visitor.tellDetails();
  const before = await visitor.readEmail();
  const soon = await browser.post("/signup?step=2", { intent: "resend" });
  expect(soon.status).toBe(429);
  expect(soon.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(wordsOf(soon.text)).toContain("We sent a code a moment ago. Please wait a minute, then ask for another.");
  site.clock.advance(MINUTE_IN_MS - 1000);
  expect(wordsOf((await browser.post("/signup?step=2", { intent: "resend" })).text)).toContain("Please wait a second,");

  site.clock.advance(1000);
  const sent = await browser.post("/signup?step=2&to=%2F%3Fview%3Dread", { intent: "resend" });
  expect(sent).toMatchObject({ status: 303, location: "/signup?step=2&to=%2F%3Fview%3Dread&sent=1" });
  expect(wordsOf((await browser.get(sent.location ?? "")).text)).toContain(
    "A new code is on its way. The ones before no longer work.",
  );
  const after = await visitor.readEmail();
  expect(after.link).not.toBe(before.link);
  expect((await browser.get(before.link)).status).toBe(404);
  if (after.code !== before.code) expect((await visitor.typeCode(before.code)).status).toBe(400);
  expect((await visitor.typeCode(after.code)).status).toBe(303);
  const again = await browser.post("/signup?step=2", { intent: "resend" });
  expect(again.status).toBe(303);
  expect((await visitor.listSubjects()).length).toBe(2);
});

test("an hour of asking fills nobody's inbox", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  for (let count = 0; count < 5; count += 1) {
    site.clock.advance(MINUTE_IN_MS);
    expect((await visitor.browser.post("/signup?step=2", { intent: "resend" })).status).toBe(303);
  }
  site.clock.advance(MINUTE_IN_MS);
  const answer = await visitor.browser.post("/signup?step=2", { intent: "resend" });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(wordsOf(answer.text)).toContain("We have sent many codes to this address. Please wait 54 minutes, then ask");
  expect(await visitor.listSubjects()).toHaveLength(6);
});
