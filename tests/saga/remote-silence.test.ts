import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { gatewayPage, meddleOnce, type Trouble } from "../helpers/provider-line.ts";
import { openRemoteShop, type RemoteShop } from "../helpers/remote-shop.ts";
import { readBooks } from "./remote-books.ts";
import { findView } from "./troubled-app.ts";
import { makeMethod, pay, payment, prepareDraft } from "./visitor.ts";

/** A provider that has the money and says nothing of it, or what is not so: the front says nothing either that it does not know. */

/** From when the provider has taken the money it answers nothing but this. */
function goAwayOnceItHasTheMoney({ line }: RemoteShop, trouble: Trouble): void {
  let isAway = false;
  line.meddle((name, moment) => {
    isAway ||= name === "sendcombined" && moment === "after";
    return isAway ? trouble : undefined;
  });
}

describe.each(engines)("a front whose provider has the money, drafts on %s", (engine) => {
  test("while a provider that has taken the money says nothing more, nothing is said but that we are looking", async () => {
    await using shop = await openRemoteShop({ engine });
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
    shop.line.stop();
    // Whoever has not answered for so long is asked again after a pause.
    await shop.pass(MINUTE_IN_MS);
    expect(await findView(shop, token)).toMatchObject({ state: "completed" });
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });

  test("a payment that is not settled when the draft's day is over is waited for, without its password", async () => {
    await using shop = await openRemoteShop({ engine });
    const token = await prepareDraft(shop);
    const methodId = await makeMethod(shop);
    goAwayOnceItHasTheMoney(shop, "hang-up");
    await pay(shop, token, { methodId });
    shop.clock.advance(25 * 60 * MINUTE_IN_MS);
    await shop.services.jobs.run("purge-expired");
    const kept = await shop.database.db.selectFrom("drafts").select("password_hash").execute();
    expect(kept).toEqual([{ password_hash: null }]);
    shop.line.stop();
    await shop.pass(MINUTE_IN_MS);
    await shop.services.jobs.run("purge-expired");
    expect(await shop.database.db.selectFrom("drafts").select("id").execute()).toEqual([]);
    expect(await shop.database.db.selectFrom("admissions").select("token").execute()).toEqual([]);
    expect(await shop.database.db.selectFrom("orders").select("state").execute()).toEqual([{ state: "completed" }]);
  });

  test("money that the provider takes while the front looks away is never taken again", async () => {
    await using shop = await openRemoteShop({ engine });
    const token = await prepareDraft(shop);
    const begun = await pay(shop, token, { card: "hosted" });
    const url = begun.ok && begun.next === "continue" ? begun.url : "";
    const card = { number: "4242 4242 4242 4242", expiry: "12/30", cvc: "123" };
    await shop.provider.services.demoGateways?.payCardPage(/\/card\/(\w+)$/.exec(url)?.[1] ?? "", card);
    await shop.provider.pass(SECOND_IN_MS);
    // The status that is told is a lie.
    const body = JSON.stringify({
      clientSecret: "",
      paymentId: "x",
      status: "requires_payment_method",
      nextActionUrl: null,
    });
    shop.line.meddle(meddleOnce("createpaymentintent", "before", { status: 200, type: "application/json", body }));
    await shop.services.signUp.settle(token);
    shop.line.stop();
    expect(await pay(shop, token)).toEqual({ ok: true, next: "completed" });
    expect(await readBooks(shop)).toEqual({ completed: 1, taken: 1, isActive: true });
  });
});
