import { expect, test } from "vitest";

import { createNewcomer, readCharges, reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readSummary, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, openQuietSite } from "../helpers/site.ts";
import { createInterference, failing } from "../saga/interference.ts";

const MINUTE_IN_MS = 60_000;
const UNREACHED =
  "We couldn't reach our payment provider. You haven't been charged. Wait a minute, then pay again. What you typed is still here.";

test("a gateway out of reach takes nothing, and says so", async () => {
  const interference = createInterference();
  await using site = await openSite({}, { ...withoutContent, wrapCardGateway: interference.wrapCardGateway });
  const visitor = await reachPayment(site);
  interference.meddle(failing("createCustomer", "before"));
  const answer = await visitor.pay({ card: "paid" });
  expect(answer.status).toBe(400);
  expect(readSummary(answer.text)).toEqual([[undefined, UNREACHED]]);
  interference.stop();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a payment whose answer was lost is looked up: the page waits and then shows the outcome", async () => {
  const interference = createInterference();
  await using site = await openSite({}, { ...withoutContent, wrapCardGateway: interference.wrapCardGateway });
  const visitor = await reachPayment(site);
  interference.meddle((call, moment) => {
    const isLost = call === "startPayment" && moment === "after";
    if (isLost || call === "listPaymentsFor" || call === "findPayment") throw new Error("no answer");
  });
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4&payment=checking");
  const waiting = await visitor.browser.get("/signup?step=4&payment=checking");
  expect(waiting.status).toBe(200);
  expect(readWords(waiting.text)).toContain("We're checking your payment.");
  expect(linkNamed(waiting.text, "Check again")).toBe("/signup?step=4&payment=checking");
  expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"/i);
  expect(waiting.headers.getSetCookie()).toEqual([]);
  // While the outcome is unknown, no other sign-up may begin.
  expect((await visitor.browser.get("/signup?step=1")).location).toBe("/signup?step=4");
  expect((await visitor.enterDetails({ firstName: "Mallory" })).location).toBe("/signup?step=3");
  expect((await visitor.choosePlan("1")).location).toBe("/signup?step=3");
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4&payment=checking");

  interference.stop();
  expect(readHeading((await visitor.browser.get("/signup?step=4&payment=checking")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a payment for an address that was taken in the meantime is returned, and the page says so", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const { location } = await visitor.pay({ card: "authentication" });
  const other = createNewcomer(site, { browser: site.openBrowser({ address: "203.0.113.5" }) });
  site.clock.advance(MINUTE_IN_MS);
  await other.reachPayment();
  await other.pay({ card: "paid" });
  await visitor.browser.post(location ?? "", { intent: "complete" });
  const { text } = await visitor.browser.get("/signup?step=4");
  expect(readHeading(text)).toBe("We're refunding your payment");
  expect(readWords(text)).toContain("You paid £60, but we couldn't open your membership");
  expect(linkNamed(text, "Log in")).toBe("/login");
  const charges = await readCharges(site);
  expect(charges.map(({ refunds }) => refunds)).toEqual([[6000], []]);
});
