import { expect, test } from "vitest";

import { otherThan } from "../helpers/mailbox.ts";
import { errorsAt, summaryOf, titleOf, valueOf } from "../helpers/page.ts";
import { askFor, member, MINUTE_IN_MS, openQuietSite, readEmail, typeCode } from "../helpers/reset-page.ts";

const ASK_CODE = "Please enter the six digits of the code that we sent you.";
const WRONG = "That is not the code we sent you. Please check it, or send a new one.";
const TOO_OLD = "This code has expired. Please send a new one.";
const WORN_OUT = "There were too many wrong codes, so this one no longer works. Please send a new one.";

/** Six digits that are not the code. */

test.each(["", "nonsense", "two@at@signs.example", "no-dot@domain", "with space@dormouse.example", "x".repeat(2000)])(
  "%j is no address to send a code to",
  async (email) => {
    await using site = await openQuietSite();
    const answer = await askFor(site.openBrowser(), email);
    expect(answer.status).toBe(400);
    expect(titleOf(answer.text)).toBe("Error: Forgot your password..? – Dormouse");
    expect(summaryOf(answer.text)).toEqual([["email", "Please enter a valid email address"]]);
    expect(errorsAt(answer.text, "email")).toBe("Please enter a valid email address");
  },
);

test("a wrong code, an old one and too many are each said in plain words", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
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
    expect(titleOf(answer.text)).toBe("Error: Check your email... – Dormouse");
    expect(summaryOf(answer.text)).toEqual([["code", sentence]]);
    expect(errorsAt(answer.text, "code")).toBe(sentence);
    expect(valueOf(answer.text, "code")).toBe(typed);
  }
  for (let tries = 2; tries < 5; tries += 1) await typeCode(browser, otherThan(code));
  expect(errorsAt((await typeCode(browser, code)).text, "code")).toBe(WORN_OUT);

  site.clock.advance(2 * MINUTE_IN_MS);
  await askFor(browser);
  const next = (await readEmail(site))?.code ?? "";
  site.clock.advance(11 * MINUTE_IN_MS);
  expect(errorsAt((await typeCode(browser, next)).text, "code")).toBe(TOO_OLD);
});

test("a new code voids the old one, and is sent at most once a minute", async () => {
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
  expect(page.text).toMatch(/role="status"[^>]*>.*Only the newest works\./s);
  const fresh = (await readEmail(site))?.code ?? "";
  expect(errorsAt((await typeCode(browser, old)).text, "code")).toBe(old === fresh ? undefined : WRONG);
  expect(await typeCode(browser, ` ${fresh.slice(0, 3)} ${fresh.slice(3)} `)).toMatchObject({
    location: "/login?reset=3",
  });
});

test("whoever asks too often is told how long to wait", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  let answer = await askFor(browser);
  for (let count = 0; count < 70 && answer.status === 303; count += 1) answer = await askFor(browser);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(summaryOf(answer.text)[0]?.[1]).toMatch(
    /^There have been too many attempts\. Please wait \d+ minutes, then try again\.$/,
  );
  expect(valueOf(answer.text, "email")).toBe(member);
});

test("when something breaks the form says so, keeps what was typed, and the fault is noted", async () => {
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
    expect(summaryOf(answer.text)).toEqual([[undefined, "Something went wrong, please try again"]]);
    expect(valueOf(answer.text, field)).toBe(value);
  }
  expect(site.log.lines.filter(({ level }) => level === "error")).toHaveLength(3);
});
