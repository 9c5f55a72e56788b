import { describe } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import { engines } from "../helpers/databases.ts";
import type { App } from "../helpers/app.ts";
import {
  createGate,
  expect,
  failing,
  findView,
  type Meddling,
  openTroubledApp,
  settleAccounts,
  test,
} from "./interference.ts";
import { pay, payOnPage, prepareDraft } from "./visitor.ts";

/**
 * A slow or unreachable gateway, or lost answers (reliability C3–C5, C13, C19): nothing is charged twice, and nothing
 * unknown is called failed.
 */
describe.each(engines)("calls that are not answered, on %s", (engine) => {
  test.override({ engine });

  test("a payment fails when its customer cannot be made; paying again succeeds", async ({ app, token }) => {
    app.gateway.meddle(failing("createCustomer", "before"));
    expect(await pay(app, token)).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    expect(await findView(app, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a customer whose making was not answered is made once", async ({ app, token }) => {
    app.gateway.meddle(failing("createCustomer", "after"));
    expect(await pay(app, token)).toMatchObject({ reason: "declined" });
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    const { ledger } = await settleAccounts(app);
    expect(ledger.customers).toHaveLength(1);
  });

  test("a payment that never reached the gateway is checked, then known to have failed", async ({ app, token }) => {
    app.gateway.meddle(failing("startPayment", "before"));
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    await app.pass(MINUTE_IN_MS);
    expect(await findView(app, token)).toEqual({ state: "checking" });
    await app.pass(MINUTE_IN_MS);
    expect(await findView(app, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("pressing again before the first answer repeats it and charges once", async ({ app, token }) => {
    app.gateway.meddle(failing("startPayment", "before", 1));
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    app.clock.advance(30 * SECOND_IN_MS);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a payment whose answer was lost is found at the gateway at once", async ({ app, token }) => {
    app.gateway.meddle(failing("startPayment", "after"));
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a decline whose answer was lost is shown, and another card may be tried", async ({ app, token }) => {
    app.gateway.meddle(failing("startPayment", "after"));
    expect(await pay(app, token, { card: "poor" })).toEqual({
      ok: false,
      reason: "declined",
      decline: "insufficient-funds",
    });
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  /** The gateway falls silent once the payment is made. */
  const silence: Meddling = (call, moment) => {
    if (call === "createCustomer" || (call === "startPayment" && moment === "before")) return;
    throw new Error("The gateway is out of reach");
  };

  test.each<[string, (app: App, token: string) => Promise<unknown>]>([
    ["a webhook event", (app) => app.services.jobs.run("handle-webhooks")],
    ["the reconciling job", (app) => app.services.payments.reconcile()],
    ["the page that is loaded again", (app, token) => app.services.signUp.settle(token)],
    ["paying again", (app, token) => pay(app, token)],
  ])("an unknown outcome is never shown as failed; %s finds it", async (_finder, find) => {
    await using app = await openTroubledApp(engine);
    const token = await prepareDraft(app);
    app.gateway.meddle(silence);
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    expect(await findView(app, token)).toEqual({ state: "checking" });
    app.clock.advance(5 * MINUTE_IN_MS);
    await app.services.signUp.settle(token);
    await app.services.payments.reconcile();
    expect(await findView(app, token)).toEqual({ state: "checking" });
    app.gateway.stop();
    app.clock.advance(MINUTE_IN_MS);
    await find(app, token);
    expect(await findView(app, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("pressing often while the outcome is unknown is not called too many tries", async ({ app, token }) => {
    app.gateway.meddle(silence);
    for (let press = 1; press <= 13; press += 1) {
      expect(await pay(app, token), `press ${press}`).toEqual({ ok: true, next: "checking" });
    }
    app.gateway.stop();
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a hosted page whose opening was not answered is opened once and can be gone to", async ({ app, token }) => {
    app.gateway.meddle(failing("startHostedPayment", "after"));
    const result = await pay(app, token, { card: "hosted" });
    expect(result).toMatchObject({ ok: true, next: "continue" });
    await payOnPage(app, result);
    await app.services.signUp.settle(token);
    expect(await findView(app, token)).toMatchObject({ state: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a second press without a customer does not fail the first one's payment", async ({ app, token }) => {
    // Both presses read an order without a customer. While one waits for its payment's answer, the other's customer
    // fails.
    const slow = createGate("startPayment", "after");
    const broken = createGate("createCustomer", "before");
    let customers = 0;
    app.gateway.meddle(async (call, moment) => {
      if (call !== "createCustomer" || moment !== "before") return slow.meddling(call, moment);
      customers += 1;
      if (customers === 1) return broken.arrived;
      await broken.meddling(call, moment);
      throw new Error("The gateway gives no answer");
    });
    const presses = [pay(app, token), pay(app, token)];
    await Promise.all([slow.arrived, broken.arrived]);
    broken.open();
    expect(await Promise.race(presses)).toEqual({ ok: true, next: "completed" });
    slow.open();
    const completed = { ok: true, next: "completed" };
    expect(await Promise.all(presses)).toEqual([completed, completed]);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a customer that comes after its payment has failed is charged nothing", async ({ app, token }) => {
    const slow = createGate("createCustomer", "before");
    let customers = 0;
    app.gateway.meddle(async (call, moment) => {
      if (call !== "createCustomer" || moment !== "before") return;
      customers += 1;
      if (customers === 1) return slow.meddling(call, moment);
      throw new Error("The gateway gives no answer");
    });
    const first = pay(app, token);
    await slow.arrived;
    const declined = { ok: false, reason: "declined", decline: "gateway-unavailable" };
    expect(await pay(app, token)).toEqual(declined);
    slow.open();
    expect(await first).toEqual(declined);
    expect(await settleAccounts(app)).toMatchObject({ charges: 0 });
  });

  test("a slow payment is asked for once, in spite of another tab and the reconciling job", async ({ app, token }) => {
    const gate = createGate("startPayment", "before");
    let isFirst = true;
    app.gateway.meddle((call, moment) => {
      if (call !== "startPayment" || moment !== "before" || !isFirst) return;
      isFirst = false;
      return gate.meddling(call, moment);
    });
    const slow = pay(app, token);
    await gate.arrived;
    await app.pass(MINUTE_IN_MS);
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    gate.open();
    expect(await slow).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a payment whose answer was lost is found among another installation's with the same numbers", async () => {
    let isLost = false;
    await using app = await openTroubledApp(engine, {
      wrapCardGateway: (gateway): CardGateway => ({
        ...gateway,
        async startPayment(wanted) {
          await gateway.startPayment({ ...wanted, key: "elsewhere", customerId: "cus_elsewhere" });
          if (!isLost) app.clock.advance(SECOND_IN_MS);
          isLost = true;
          await gateway.startPayment(wanted);
          throw new Error("The answer was lost");
        },
      }),
    });
    const token = await prepareDraft(app);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });
});
