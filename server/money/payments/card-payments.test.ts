import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { authenticate, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { parseDay } from "../../operations/acts/fields.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { openStripe } from "../../../tests/helpers/stripe-adapter.ts";

const TODAY = "20/11/2026";

function toDay(text: string) {
  const [from, to] = [parseDay(text, "first"), parseDay(text, "last")];
  if (!from || !to) throw new Error(`${text} is no day`);
  return { from, to };
}

describe.each(engines)("the digits of a card on %s", (engine) => {
  test("find who paid on a day or in the three before it, once the job has asked", async () => {
    await using app = await openApp({ engine });
    const { payments, jobs, accounts } = app.services;
    const find = (last4: string, day = TODAY) => payments.findByCard({ last4, day: toDay(day) });
    await pay(app, await prepareDraft(app, { firstName: "Ann", email: "ann@example.org" }));
    const asked = await prepareDraft(app, { firstName: "Bea", email: "bea@example.org" });
    await authenticate(app, await pay(app, asked, { card: "authentication" }));
    await app.services.signUp.settle(asked);
    await pay(app, await prepareDraft(app, { email: "cat@example.org" }), { card: "declined" });
    expect(await find("4242")).toEqual([]);
    await jobs.run("note-cards");
    const ann = await accounts.findByEmail("ann@example.org");
    expect(await find("4242")).toEqual([
      {
        orderId: 1,
        memberId: ann?.id,
        firstName: "Ann",
        lastName: "Lovell",
        receiptNumber: "D-2026-000001",
        amountInPence: 6000,
        paidAt: app.clock(),
      },
    ]);
    expect(await find("3184")).toMatchObject([{ firstName: "Bea" }]);
    expect(await find("0002")).toEqual([]);
    expect(await find("4242", "23/11/2026")).toHaveLength(1);
    for (const day of ["24/11/2026", "19/11/2026"]) expect(await find("4242", day)).toEqual([]);
    const { id: memberId = 0, email = "" } = ann ?? {};
    const { orders } = await app.services.personalData.gather({ memberId, email });
    expect(orders[0]?.payments).toMatchObject([{ cardLast4: "4242" }]);
  });

  test("are gone with the person, and are not asked for again", async () => {
    await using app = await openApp({ engine });
    const { payments, personalData, accounts, jobs } = app.services;
    await pay(app, await prepareDraft(app, { email: "ann@example.org" }));
    await jobs.run("note-cards");
    const { id: memberId = 0, email = "" } = (await accounts.findByEmail("ann@example.org")) ?? {};
    await personalData.erase({ memberId, email }, "op");
    await jobs.run("note-cards");
    expect(await payments.findByCard({ last4: "4242", day: toDay(TODAY) })).toEqual([]);
  });

  test("are asked for until the gateway answers, for thirty days", async () => {
    let asked = 0;
    let isDown = true;
    await using app = await openApp({
      engine,
      wrapCardGateway: (gateway) => ({
        ...gateway,
        async findCardDigits(paymentId) {
          asked += 1;
          if (isDown) throw new Error("The line is down");
          return gateway.findCardDigits(paymentId);
        },
      }),
    });
    const { jobs, payments } = app.services;
    await pay(app, await prepareDraft(app));
    expect(await jobs.run("note-cards")).toBe("failed");
    app.clock.advance(29 * DAY_IN_MS);
    isDown = false;
    expect(await jobs.run("note-cards")).toBe("done");
    await jobs.run("note-cards");
    expect(asked).toBe(2);
    expect(await payments.findByCard({ last4: "4242", day: toDay(TODAY) })).toHaveLength(1);
  });
});

test("a Stripe key that may not read methods costs the digits, and nothing else", async () => {
  await using stripe = await openStripe();
  const paid = await stripe.pay();
  stripe.fake.fail({ kind: "403" });
  expect(await stripe.gateway.findCardDigits(paid.id)).toBeUndefined();
});
