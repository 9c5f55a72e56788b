import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import type { CallName } from "../../server/provider/wire.ts";
import { engines } from "../helpers/databases.ts";
import type { App } from "../helpers/app.ts";
import { gatewayPage, meddleOnce, type Trouble } from "../helpers/provider.ts";
import { openFrontFor, openRemoteApp, type RemoteApp } from "../helpers/provider.ts";
import { findView } from "./interference.ts";
import { makeMethod, pay, payment, prepareDraft } from "./visitor.ts";

/**
 * A front whose provider has accounts and money. Every call on the way to a membership is cut off before and after the
 * provider's work: by a lost answer, a false answer, or the end of the front. No visitor is charged twice or reads
 * wrongly that nothing was taken, and a visitor who returns becomes a member.
 */

/** The address that `prepareDraft` signs up. */
const EMAIL = "ada@example.org";

/** The truth is in the provider's books. */
async function readBooks({ provider }: RemoteApp) {
  const records = await provider.site.services.payments.listFor({ memberId: 0, email: EMAIL });
  const member = await provider.site.services.accounts.findByEmail(EMAIL);
  const own = member ? await provider.site.services.payments.listFor({ memberId: member.id, email: EMAIL }) : records;
  const completed = own.filter(({ order }) => order.state === "completed");
  const taken = own.flatMap(({ payments }) => payments).filter(({ state }) => state === "succeeded");
  const access = member && (await provider.site.services.membership.findAccess(member.id));
  return { completed: completed.length, taken: taken.length, isActive: access?.isActive ?? false };
}

/** The calls of a payment, in their order. */
const calls = [
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

/** A bad answer has the same effect on both engines; a lost one is tested on each. */
const troublesOn: Record<Engine, Record<string, Trouble>> = {
  sqlite: troubles,
  postgres: { "no answer": "hang-up" },
};

/** The visitor returns until it is done, and pays where the page asks. */
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
  const cuts = calls.flatMap((call) => (["before", "after"] as const).map((moment) => ({ call, moment })));

  test.each(cuts)(
    "nothing is charged twice or lost where $call is cut off $moment it is done",
    async ({ call, moment }) => {
      for (const [name, trouble] of Object.entries(troublesOn[engine])) {
        await using shop = await openRemoteApp({ engine });
        const token = await prepareDraft(shop);
        const methodId = await makeMethod(shop);
        const callsBefore = shop.provider.calls.length;
        shop.provider.meddle(meddleOnce(call, moment, trouble));
        const result = await pay(shop, token, { methodId });
        shop.provider.stop();
        expect(shop.provider.calls.slice(callsBefore), name).toContain(call);
        const books = await readBooks(shop);
        // "Nothing was taken" must be true.
        if (!result.ok) expect(books, `${name}: ${JSON.stringify(result)}`).toMatchObject({ taken: 0, completed: 0 });
        await comeBack(shop, token);
        expect(await readBooks(shop), name).toEqual({ completed: 1, taken: 1, isActive: true });
        expect(await findView(shop, token), name).toMatchObject({ state: "completed" });
        expect(await shop.services.signUp.claimSession(token), name).toBeDefined();
      }
    },
  );

  test.each(cuts)("a front that dies where $call is $moment is opened again, and goes on", async ({ call, moment }) => {
    await using shop = await openRemoteApp({ engine });
    const token = await prepareDraft(shop);
    const methodId = await makeMethod(shop);
    const arrival = Promise.withResolvers<void>();
    const dead = meddleOnce(call, moment, "hang");
    shop.provider.meddle((name, now) => {
      const trouble = dead(name, now);
      if (trouble) arrival.resolve();
      return trouble;
    });
    // The dead front gets no answer and no further request.
    const left = pay(shop, token, { methodId }).catch(() => undefined);
    await arrival.promise;
    shop.provider.stop();
    const front = await openFrontFor(shop.provider, { database: shop.database });
    await comeBack(front, token);
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
    expect(await findView(front, token)).toMatchObject({ state: "completed" });
    shop.provider.hangUp();
    await left;
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });

  test.each(cuts.filter(({ call }) => call === "usersignup" || call === "grabtoken" || call === "sendcombined"))(
    "a seat is taken once where $call is cut off $moment it is done",
    async ({ call, moment }) => {
      for (const trouble of Object.values(troubles)) {
        await using shop = await openRemoteApp({ engine });
        const { codes } = shop.provider.site.services;
        await codes.create({ code: "PILLOW", seats: 2 });
        const token = await prepareDraft(shop, { accountType: "corporate", code: "PILLOW" });
        const press = () => shop.services.signUp.pay(token, { ...payment, shownPlanType: undefined });
        shop.provider.meddle(meddleOnce(call, moment, trouble));
        await press();
        shop.provider.stop();
        expect(await press()).toEqual({ ok: true, next: "completed" });
        expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
      }
    },
  );
});

/** The provider has the money and denies or hides it: the front claims nothing that it does not know. */

/** After the provider has taken the money it answers only this. */
function goAwayOnceItHasTheMoney({ provider }: RemoteApp, trouble: Trouble): void {
  let isAway = false;
  provider.meddle((name, moment) => {
    isAway ||= name === "sendcombined" && moment === "after";
    return isAway ? trouble : undefined;
  });
}

describe.each(engines)("a front whose provider took the money, drafts on %s", (engine) => {
  test("while a provider that took the money is silent, the page says that we are checking", async () => {
    await using shop = await openRemoteApp({ engine });
    const token = await prepareDraft(shop);
    const methodId = await makeMethod(shop);
    goAwayOnceItHasTheMoney(shop, gatewayPage(500));
    const checking = { ok: true, next: "checking" };
    expect(await pay(shop, token, { methodId })).toEqual(checking);
    for (let minute = 1; minute <= 10; minute += 1) {
      await shop.pass(MINUTE_IN_MS);
      expect(await findView(shop, token)).toEqual({ state: "checking" });
      if (minute % 5 === 0)
        expect(await shop.services.signUp.pay(token, { ...payment, methodId: "pm_other" })).toEqual(checking);
      expect(await shop.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    }
    shop.provider.stop();
    // A provider that was silent for so long is tried again after a pause.
    await shop.pass(MINUTE_IN_MS);
    expect(await findView(shop, token)).toMatchObject({ state: "completed" });
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });

  test("a payment that is not settled when the draft's day is over is waited for, without its password", async () => {
    await using shop = await openRemoteApp({ engine });
    const token = await prepareDraft(shop);
    const methodId = await makeMethod(shop);
    goAwayOnceItHasTheMoney(shop, "hang-up");
    await pay(shop, token, { methodId });
    shop.clock.advance(25 * 60 * MINUTE_IN_MS);
    await shop.services.jobs.run("purge-expired");
    const stored = await shop.database.db.selectFrom("drafts").select("passwordHash").execute();
    expect(stored).toEqual([{ passwordHash: null }]);
    shop.provider.stop();
    await shop.pass(MINUTE_IN_MS);
    await shop.services.jobs.run("purge-expired");
    expect(await shop.database.db.selectFrom("drafts").select("id").execute()).toEqual([]);
    expect(await shop.database.db.selectFrom("providerSignUps").select("sealedToken").execute()).toEqual([]);
    expect(await shop.database.db.selectFrom("orders").select("state").execute()).toEqual([{ state: "completed" }]);
  });

  test("money that the provider took unnoticed is not taken again", async () => {
    await using shop = await openRemoteApp({ engine });
    const token = await prepareDraft(shop);
    const begun = await pay(shop, token, { card: "hosted" });
    const url = begun.ok && begun.next === "continue" ? begun.url : "";
    const card = { number: "4242 4242 4242 4242", expiry: "12/30", cvc: "123" };
    await shop.provider.site.services.demoGateways?.payCardPage(/\/card\/(\w+)$/.exec(url)?.[1] ?? "", card);
    await shop.provider.site.pass(SECOND_IN_MS);
    // The reported status is a lie.
    const body = JSON.stringify({
      clientSecret: "",
      paymentId: "x",
      status: "requires_payment_method",
      nextActionUrl: null,
    });
    shop.provider.meddle(meddleOnce("createpaymentintent", "before", { status: 200, type: "application/json", body }));
    await shop.services.signUp.settle(token);
    shop.provider.stop();
    expect(await pay(shop, token)).toEqual({ ok: true, next: "completed" });
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });
});
