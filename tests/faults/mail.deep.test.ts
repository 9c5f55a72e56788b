import { afterAll, afterEach, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { SmtpManner } from "../fakes/smtp-sink.ts";
import { emailsTo } from "../helpers/mailbox.ts";
import { expectPaidOnce } from "./stripe-ledger.ts";
import { describe, openTours } from "./tour.ts";
import { openTroubledSite } from "./troubled-site.ts";

const site = await openTroubledSite();
const expectUsualTour = await openTours(site);
afterAll(() => site[Symbol.asyncDispose]());

const payment = { fields: { methodId: "pm_card_visa" } };
const behave = (manner: SmtpManner) => () => void (site.parts.mail.manner = manner);

const troubles: { of: string; strike: () => void | Promise<void> }[] = [
  { of: "that is down", strike: () => site.lines.mail.shut() },
  { of: "that resets connections", strike: () => site.lines.mail.reset() },
  { of: "that resets them in the middle of an email", strike: behave("resets-amid-letter") },
  { of: "that asks to be left alone for a while", strike: behave("greylists") },
  { of: "that has no room", strike: behave("is-full") },
  { of: "whose line talks nonsense", strike: () => site.lines.mail.answer(Buffer.from("HTTP/1.1 200 OK\r\n\r\n{}")) },
];

afterEach(mend);

async function mend(): Promise<void> {
  site.parts.mail.manner = "well";
  await site.lines.mail.mend();
}

test.each(troubles)(
  "a mail server $of: pages are as usual, and every email comes once when it is well",
  async ({ strike }) => {
    const fresh = site.openNewcomer();
    const payer = site.openNewcomer();
    await payer.reachPayment();
    await strike();
    expect(describe(await fresh.enterDetails())).toBe("303 /signup?step=2");
    expect(describe(await payer.pay(payment))).toBe("303 /signup?step=4");
    await site.live(1000);
    expect(emailsTo(fresh.email, site.emails)).toEqual([]);
    expect(emailsTo(payer.email, site.emails)).toHaveLength(1);
    await expectUsualTour();

    await mend();
    // The first failure makes an email wait for a minute.
    await site.live(2 * MINUTE_IN_MS);
    expect(emailsTo(fresh.email, site.emails).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^\d{6}: Confirm your email address$/),
    ]);
    expect(describe(await fresh.typeCode())).toMatch(/^303 /);
    await fresh.choosePlan();
    expect(describe(await fresh.pay(payment))).toBe("303 /signup?step=4");
    await expectPaidOnce(site, [fresh, payer]);
  },
);

test("a mail server that is slow: no member waits for it, and the email arrives", async () => {
  const fresh = site.openNewcomer();
  await fresh.enterDetails();
  site.lines.mail.hold();
  let isSent = false;
  const sending = site.services.jobs.run("send-mail").finally(() => void (isSent = true));
  await expectUsualTour();
  expect(isSent).toBe(false);
  await mend();
  expect(await sending).toBe("done");
  await fresh.typeCode();
  await fresh.choosePlan();
  await fresh.pay(payment);
  await expectPaidOnce(site, [fresh]);
});

test("a mail server that goes away before it confirms: the email comes again under the same id, and never a third time", async () => {
  const fresh = site.openNewcomer();
  site.parts.mail.manner = "drops-before-yes";
  await fresh.enterDetails();
  await site.live(1000);
  await mend();
  for (const minutes of [2, 10, 60]) await site.live(minutes * MINUTE_IN_MS);
  const ids = emailsTo(fresh.email, site.emails).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
