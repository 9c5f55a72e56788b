import { expect, test } from "vitest";

import { listCharges, payOnPage, readCharges, reachPayment } from "../helpers/newcomer.ts";
import { errorsAt, readHeading, linkNamed, readTitle, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const DAY_IN_MS = 24 * 60 * MINUTE_IN_MS;
const NOT_YOU = "Your bank couldn't confirm it was you. You haven't been charged. Try again, or use another card.";
const UNFINISHED = "You started this payment but didn't finish it. You haven't been charged.";

test("the gateway's own page tells of a declined card, and step 3 of leaving it", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const { location } = await visitor.pay();
  for (const [card, sentence] of [
    ["declined", "Your bank declined this card. You haven't been charged. Please try another card."],
    ["poor", "There isn't enough money in this account. You haven't been charged. Please try another card."],
  ] as const) {
    const answer = await payOnPage(visitor.browser, location, card);
    expect(answer.status).toBe(400);
    expect(errorsAt(answer.text, "number")).toBe(sentence);
  }
  const left = await visitor.browser.get(`${location}?leave=1`);
  expect(left).toMatchObject({ status: 302, location: "http://dormouse.test/signup?step=3" });
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(readWords(text)).toContain(UNFINISHED);
  expect(linkNamed(text, "Continue")).toBe(location);
  expect((await payOnPage(visitor.browser, location)).location).toBe("http://dormouse.test/signup?step=4");
  expect(readHeading((await visitor.browser.get("/signup?step=4")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a failed authentication is shown in a sentence, and another try pays", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const { location } = await visitor.pay({ card: "authentication" });
  const failed = await visitor.browser.post(location ?? "", { intent: "fail" });
  expect(failed.location).toBe("http://dormouse.test/signup?step=4");
  expect(await visitor.browser.get("/signup?step=4")).toMatchObject({ status: 302, location: "/signup?step=3" });
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(readTitle(text)).toBe("Error: Payment – Dormouse");
  expect(readWords(text)).toContain(NOT_YOU);
  // The bank's page is over: Back to it changes nothing.
  expect(readWords((await visitor.browser.get(location ?? "")).text)).toContain(
    "You've already finished or stopped this.",
  );
  await visitor.browser.post(location ?? "", { intent: "complete" });
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a payment begun as the sign-up's day ends leads back from the bank to the membership, in a browser that still knows it", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  site.clock.advance(DAY_IN_MS - 5 * MINUTE_IN_MS);
  const begun = await visitor.pay({ card: "authentication" });
  const cookie = begun.headers.getSetCookie().find((each) => each.startsWith("dormouse-signup="));
  const [, expires = ""] = /Expires=([^;]+)/.exec(cookie ?? "") ?? [];
  // A bank's page is open for ninety minutes.
  expect(Date.parse(expires) - site.clock().getTime()).toBeGreaterThan(100 * MINUTE_IN_MS);
  await site.pass(85 * MINUTE_IN_MS);
  await site.services.jobs.run("purge-expired");
  expect((await visitor.browser.post(begun.location ?? "", { intent: "complete" })).status).toBe(303);
  const { text } = await visitor.browser.get("/signup?step=4");
  expect(readHeading(text)).toBe("Payment Complete");
  expect((await visitor.browser.get("/")).status).toBe(200);
  expect(await readCharges(site)).toHaveLength(1);
});
