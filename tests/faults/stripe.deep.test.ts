import { afterAll, afterEach, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { readHeading, readSummary, readValue, readWords } from "../helpers/page.ts";
import { expectPaidOnce } from "./stripe-ledger.ts";
import { describe, openTours } from "./tour.ts";
import { openTroubledSite } from "./troubled-site.ts";

const site = await openTroubledSite();
const expectUsualTour = await openTours(site);
afterAll(() => site[Symbol.asyncDispose]());

const UNREACHED =
  "We couldn't reach our payment provider. You haven't been charged. Wait a minute, then pay again. What you typed is still here.";

const payment = { fields: { methodId: "pm_card_visa" } };

/** `isRefusal`: the answer is certain that nothing was done. */
const troubles: { of: string; strike: () => void | Promise<void>; isRefusal?: boolean }[] = [
  { of: "that is down", strike: () => site.lines.stripe.shut() },
  { of: "that resets connections", strike: () => site.parts.stripe.fail({ kind: "reset" }) },
  { of: "that answers 429", strike: () => site.parts.stripe.fail({ kind: "429" }), isRefusal: true },
  { of: "that answers 500", strike: () => site.parts.stripe.fail({ kind: "500" }) },
  { of: "that answers a proxy's page", strike: () => site.parts.stripe.fail({ kind: "garbage" }) },
  { of: "whose line talks nonsense", strike: () => site.lines.stripe.answer(Buffer.from("220 not HTTP at all\r\n")) },
];

afterEach(mend);

async function mend(): Promise<void> {
  site.parts.stripe.heal();
  await site.lines.stripe.mend();
}

test.each(troubles)(
  "a Stripe $of: all else works, a payer reads what happened, and pays once when it is back",
  async ({ strike, isRefusal }) => {
    const fresh = site.openNewcomer();
    await fresh.reachPayment();
    const declined = site.openNewcomer();
    await declined.reachPayment();
    await declined.pay({ fields: { methodId: "pm_card_chargeDeclined" } });
    await strike();

    const [first, second] = await Promise.all([fresh.pay(payment), declined.pay(payment)]);
    expect(first.status).toBe(400);
    expect(readSummary(first.text)).toEqual([[undefined, UNREACHED]]);
    expect(readValue(first.text, "postcode")).toBe("EX1 1AA");
    // Stripe knows this one, so without an answer it is unknown whether Stripe got the second card.
    if (isRefusal) {
      expect(second.status).toBe(400);
      expect(readSummary(second.text)).toEqual([[undefined, UNREACHED]]);
    } else {
      expect(describe(second)).toBe("303 /signup?step=4&payment=checking");
      const waiting = await declined.browser.get(second.location ?? "");
      expect(waiting.status).toBe(200);
      expect(readWords(waiting.text)).toContain("We're checking your payment.");
    }
    await expectUsualTour();

    await mend();
    expect(describe(await fresh.pay(payment))).toBe("303 /signup?step=4");
    await site.live(3 * MINUTE_IN_MS);
    const looked = await declined.browser.get(second.location ?? "/signup?step=3");
    if (readHeading(looked.text) !== "Payment Complete") {
      expect(readWords((await declined.browser.get("/signup?step=3")).text)).toContain(UNREACHED);
      expect(describe(await declined.pay(payment))).toBe("303 /signup?step=4");
    }
    await expectPaidOnce(site, [fresh, declined]);
  },
);

test("a Stripe that is slow: only payers wait", async () => {
  const payer = site.openNewcomer();
  await payer.reachPayment();
  site.lines.stripe.hold();
  let isAnswered = false;
  const answer = payer.pay(payment).finally(() => void (isAnswered = true));
  await expectUsualTour();
  expect(isAnswered).toBe(false);
  await mend();
  expect(describe(await answer)).toBe("303 /signup?step=4");
  await expectPaidOnce(site, [payer]);
});

test("an answer of Stripe's that is lost after the charge: the payer waits, and has paid once", async () => {
  const payer = site.openNewcomer();
  await payer.reachPayment();
  site.parts.stripe.fail({ kind: "lost", on: /POST \/v1\/payment_intents$/ });
  site.parts.stripe.fail({ kind: "500", on: /GET / });
  const answer = await payer.pay(payment);
  expect(describe(answer)).toBe("303 /signup?step=4&payment=checking");
  await mend();
  expect(readHeading((await payer.browser.get(answer.location ?? "")).text)).toBe("Payment Complete");
  await expectPaidOnce(site, [payer]);
});
