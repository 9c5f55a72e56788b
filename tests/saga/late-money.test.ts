import { describe } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { engines } from "../helpers/databases.ts";
import { createGate, expect, failing, findView, payTooLate, settleAccounts, test } from "./interference.ts";
import { findRemainder, listFaults, readLedger } from "./ledger.ts";
import { settleAll } from "../helpers/app.ts";
import { authenticate, pay, prepareDraft, startDraft } from "./visitor.ts";

/**
 * Payments given up, stopped, closed or overtaken that succeed after all (reliability C6, C7, C15): a membership, or a
 * refund.
 */
describe.each(engines)("money that comes late, on %s", (engine) => {
  test.override({ engine });

  test("a declined payment is closed at the gateway and can take nothing later", async ({ app, token }) => {
    await pay(app, token, { card: "declined" });
    const begun = await pay(app, token, { card: "authentication" });
    await authenticate(app, begun, false);
    await app.services.signUp.settle(token);
    expect(await findView(app, token)).toEqual({ state: "failed", decline: "authentication-failed" });
    const { pays } = await readLedger(app.database.db);
    expect(pays.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });

  test("money that comes after a payment was given up for lost becomes the membership", async ({ app, token }) => {
    const slow = await payTooLate(app, token);
    expect(await findView(app, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    slow.arrive();
    expect(await slow.paid).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("late money goes back, with an email, when another payment was made meanwhile", async ({ app, token }) => {
    const slow = await payTooLate(app, token);
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    slow.arrive();
    await slow.paid;
    const { charges, charged } = await settleAccounts(app);
    expect({ charges, charged }).toEqual({ charges: 2, charged: [6000] });
    expect(await findView(app, token)).toBeUndefined();
    expect(app.emails.filter(({ subject }) => subject === "Your refund of £60 is on its way")).toHaveLength(1);
  });

  test("late money for a plan that was changed meanwhile buys the plan it paid for", async ({ app }) => {
    const token = await prepareDraft(app, { planType: 1 });
    const slow = await payTooLate(app, token, { shownPlanType: 1 });
    expect(await app.services.signUp.choosePlan(token, 3)).toEqual({ ok: true });
    slow.arrive();
    expect(await slow.paid).toEqual({ ok: true, next: "completed" });
    expect(await findView(app, token)).toMatchObject({ state: "completed", amountInPence: 1500 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [1500] });
  });

  test("late money for a plan goes back when another plan was paid for meanwhile", async ({ app }) => {
    const token = await prepareDraft(app, { planType: 1 });
    const slow = await payTooLate(app, token, { shownPlanType: 1 });
    await app.services.signUp.choosePlan(token, 3);
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    slow.arrive();
    await slow.paid;
    expect(await findView(app, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 2, charged: [6000] });
    expect(app.emails.filter(({ subject }) => subject === "Your refund of £15 is on its way")).toHaveLength(1);
  });

  test("money that comes after its draft was purged goes back without an email", async ({ app }) => {
    const token = await prepareDraft(app, { planType: 1 });
    const slow = await payTooLate(app, token, { shownPlanType: 1 });
    await app.services.signUp.choosePlan(token, 3);
    app.gateway.stop();
    app.clock.advance(30 * DAY_IN_MS);
    await app.services.jobs.run("purge-expired");
    slow.arrive();
    await slow.paid;
    await settleAll(app);
    const ledger = await readLedger(app.database.db);
    expect(ledger.charges.map(findRemainder)).toEqual([0]);
    expect(listFaults(ledger)).toEqual(["payment 1: no word about its refund"]);
  });

  test("late money of a draft that has become corporate makes an individual account", async ({ app, token }) => {
    const slow = await payTooLate(app, token);
    await app.services.codes.create({ code: "ACME-2026", seats: 1 });
    await startDraft(app, { token, accountType: "corporate", code: "ACME-2026", email: "work@example.org" });
    await app.services.codes.revoke("ACME-2026");
    slow.arrive();
    await slow.paid;
    const { charged, ledger } = await settleAccounts(app);
    expect(charged).toEqual([6000]);
    expect(ledger.members.map(({ email, accountType: type }) => [email, type])).toEqual([
      ["ada@example.org", "individual"],
    ]);
    expect(ledger.seats).toEqual([]);
  });

  test("the account gets the verified address, although another tab changes the draft", async ({ app, token }) => {
    let didChange = false;
    app.gateway.meddle(async (call, moment) => {
      if (call !== "startPayment" || moment !== "after" || didChange) return;
      didChange = true;
      // As a tab does that looked before the order was opened.
      await app.database.db.updateTable("drafts").set({ email: "mallory@example.org", verifiedAt: null }).execute();
    });
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    const { ledger } = await settleAccounts(app);
    expect(ledger.members.map(({ email }) => email)).toEqual(["ada@example.org"]);
  });

  test("a payment that turns out to be paid while it is being cancelled counts as paid", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    app.gateway.meddle(async (call, moment) => {
      if (call === "cancelPayment" && moment === "before") await authenticate(app, begun);
    });
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await findView(app, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("no other card is charged until the gateway says that the first payment is stopped", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    app.gateway.meddle(failing("cancelPayment", "before"));
    expect(await pay(app, token)).toMatchObject({ ok: true, next: "continue" });
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await findView(app, token)).toMatchObject({ state: "unfinished" });
    app.gateway.stop();
    await authenticate(app, begun);
    await app.services.signUp.settle(token);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("an order is not closed while another tab has begun to pay for it again", async ({ app, token }) => {
    await pay(app, token, { card: "authentication" });
    const gate = createGate("cancelPayment", "after");
    app.gateway.meddle(gate.meddling);
    const choosing = app.services.signUp.choosePlan(token, 1);
    await gate.arrived;
    app.gateway.stop();
    const begun = await pay(app, token, { card: "authentication" });
    gate.open();
    expect(await choosing).toEqual({ ok: false, reason: "paying" });
    await authenticate(app, begun);
    await app.services.signUp.settle(token);
    expect(await findView(app, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("a stop whose answer was lost counts once the gateway says so", async ({ app, token }) => {
    await pay(app, token, { card: "authentication" });
    app.gateway.meddle(failing("cancelPayment", "after", 1));
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: true });
    expect(await pay(app, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [1500] });
  });

  test("an abandoned authentication is closed after 90 minutes and can take nothing", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    await app.pass(89 * MINUTE_IN_MS);
    expect(await findView(app, token)).toMatchObject({ state: "unfinished" });
    await app.pass(MINUTE_IN_MS);
    expect(await findView(app, token)).toEqual({ state: "failed", decline: "cancelled" });
    await authenticate(app, begun);
    expect(await settleAccounts(app)).toMatchObject({ charges: 0, charged: [] });
  });

  test("an authentication that succeeds while it is being closed is a membership", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    app.gateway.meddle(async (call, moment) => {
      if (call === "cancelPayment" && moment === "before") await authenticate(app, begun);
    });
    await app.pass(90 * MINUTE_IN_MS);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });
});
