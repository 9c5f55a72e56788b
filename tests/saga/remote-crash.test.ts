import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import type { CallName } from "../../server/provider/wire.ts";
import { engines } from "../helpers/databases.ts";
import type { App } from "../helpers/app.ts";
import { gatewayPage, meddleOnce, type Trouble } from "../helpers/provider-line.ts";
import { openFront, openRemoteShop } from "../helpers/remote-shop.ts";
import { readBooks } from "./remote-books.ts";
import { findView } from "./troubled-app.ts";
import { makeMethod, pay, payment, prepareDraft } from "./visitor.ts";

/**
 * A front whose provider keeps accounts and takes the money. Every call on the way to a membership is cut off before the provider has
 * it and after it has done it: by a lost answer, by answers of all kinds that are none, and by the end of the front itself. Whatever
 * happened, nobody is charged twice, nobody who was charged is told that nothing was taken, and who comes back ends as a member.
 */

/** What a payment asks, in its order. */
const asked = [
  "grabuserid",
  "usersignup",
  "grabtoken",
  "login",
  "createstripecustomer",
  "createpaymentintent",
  "sendcombined",
  "activatesubscription",
] as const satisfies CallName[];

const troubles: Record<string, Trouble> = {
  "no answer": "hang-up",
  "a 500": gatewayPage(500),
  HTML: gatewayPage(200),
  "wrong types": { status: 200, type: "application/json", body: '{"id":"x","status":7,"paymentId":[]}' },
  "a refusal": { status: 400, type: "application/json", body: '{"message":"No"}' },
};

/** What a bad answer does is the same on both; what a lost one leaves in the database is seen on each. */
const troublesOn: Record<Engine, Record<string, Trouble>> = {
  sqlite: troubles,
  postgres: { "no answer": "hang-up" },
};

/** The visitor comes back until it is done: looks, pays where they are asked to. */
async function comeBack(front: App, token: string): Promise<void> {
  for (let time = 1; time <= 6; time += 1) {
    front.clock.advance(5 * SECOND_IN_MS);
    await front.services.signUp.settle(token);
    const view = await findView(front, token);
    if (view?.state === "completed") return;
    if (view?.state === "checking") await front.pass(MINUTE_IN_MS);
    else await pay(front, token).catch(() => undefined);
  }
}

describe.each(engines)("a front with a provider, drafts on %s", (engine) => {
  const cuts = asked.flatMap((call) => (["before", "after"] as const).map((moment) => ({ call, moment })));

  test.each(cuts)(
    "nothing is charged twice or lost where $call is cut off $moment it is done",
    async ({ call, moment }) => {
      for (const [name, trouble] of Object.entries(troublesOn[engine])) {
        await using shop = await openRemoteShop({ engine });
        const token = await prepareDraft(shop);
        const methodId = await makeMethod(shop);
        const callsBefore = shop.line.calls.length;
        shop.line.meddle(meddleOnce(call, moment, trouble));
        const result = await pay(shop, token, { methodId });
        shop.line.stop();
        expect(shop.line.calls.slice(callsBefore), name).toContain(call);
        const books = await readBooks(shop);
        // "Nothing was taken" is said only where it is so.
        if (!result.ok) expect(books, `${name}: ${JSON.stringify(result)}`).toMatchObject({ taken: 0, completed: 0 });
        await comeBack(shop, token);
        expect(await readBooks(shop), name).toEqual({ completed: 1, taken: 1, isActive: true });
        expect(await findView(shop, token), name).toMatchObject({ state: "completed" });
        expect(await shop.services.signUp.claimSession(token), name).toBeDefined();
      }
    },
  );

  test.each(cuts)("a front that dies where $call is $moment is opened again, and goes on", async ({ call, moment }) => {
    await using shop = await openRemoteShop({ engine });
    const token = await prepareDraft(shop);
    const methodId = await makeMethod(shop);
    const arrival = Promise.withResolvers<void>();
    const dead = meddleOnce(call, moment, "hang");
    shop.line.meddle((name, now) => {
      const trouble = dead(name, now);
      if (trouble) arrival.resolve();
      return trouble;
    });
    // Nobody waits for it any more: this front hears nothing, and is asked nothing.
    const left = pay(shop, token, { methodId }).catch(() => undefined);
    await arrival.promise;
    shop.line.stop();
    const front = await openFront(shop);
    await comeBack(front, token);
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
    expect(await findView(front, token)).toMatchObject({ state: "completed" });
    shop.line.hangUp();
    await left;
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });

  test.each(cuts.filter(({ call }) => call === "usersignup" || call === "grabtoken" || call === "sendcombined"))(
    "a seat is taken once where $call is cut off $moment it is done",
    async ({ call, moment }) => {
      for (const trouble of Object.values(troubles)) {
        await using shop = await openRemoteShop({ engine });
        const { codes } = shop.provider.services;
        await codes.create({ code: "PILLOW", seats: 2 });
        const token = await prepareDraft(shop, { accountType: "corporate", code: "PILLOW" });
        const press = () => shop.services.signUp.pay(token, { ...payment, shownPlanType: undefined });
        shop.line.meddle(meddleOnce(call, moment, trouble));
        await press();
        shop.line.stop();
        expect(await press()).toEqual({ ok: true, next: "completed" });
        expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
      }
    },
  );
});
