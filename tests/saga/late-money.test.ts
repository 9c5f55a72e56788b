import { describe, expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { createGate, failing } from "./interference.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";
import { findView, openTroubledHouse, payTooLate, settleAccounts } from "./troubled-house.ts";
import { authenticate, pay, prepareDraft, startDraft } from "./visitor.ts";

/** Payments that were given up, stopped, closed or overtaken, and succeed after all (reliability C6, C7, C15): a membership, or money back. */
describe.each(engines)("money that comes late, on %s", (engine) => {
  test("a declined payment is closed at the gateway, so that nothing can be taken by it later", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun, false);
    await house.rooms.signUp.settle(token);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "authentication-failed" });
    const { pays } = await readLedger(house.database.db);
    expect(pays.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });

  test("money that comes after a payment was given up for lost becomes the membership", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const slow = await payTooLate(house, token);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    slow.arrive();
    expect(await slow.paid).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("money that comes after another payment has been made instead goes back, with a letter", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const slow = await payTooLate(house, token);
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    slow.arrive();
    await slow.paid;
    const { charges, kept } = await settleAccounts(house);
    expect({ charges, kept }).toEqual({ charges: 2, kept: [6000] });
    expect(await findView(house, token)).toBeUndefined();
    expect(house.letters.filter(({ subject }) => subject === "Your £60 is on its way back")).toHaveLength(1);
  });

  test("money for a plan that was changed meanwhile still becomes a membership: that of the plan it paid for", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house, { planType: 1 });
    const slow = await payTooLate(house, token, { shownPlanType: 1 });
    expect(await house.rooms.signUp.choosePlan(token, 3)).toEqual({ ok: true });
    slow.arrive();
    expect(await slow.paid).toEqual({ ok: true, next: "completed" });
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 1500 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [1500] });
  });

  test("money for a plan goes back when another plan has been paid for meanwhile", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house, { planType: 1 });
    const slow = await payTooLate(house, token, { shownPlanType: 1 });
    await house.rooms.signUp.choosePlan(token, 3);
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    slow.arrive();
    await slow.paid;
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 2, kept: [6000] });
    expect(house.letters.filter(({ subject }) => subject === "Your £15 is on its way back")).toHaveLength(1);
  });

  test("money that comes after whose it is was forgotten goes back without a word", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house, { planType: 1 });
    const slow = await payTooLate(house, token, { shownPlanType: 1 });
    await house.rooms.signUp.choosePlan(token, 3);
    house.gateway.stop();
    house.clock.advance(30 * DAY_IN_MS);
    await house.rooms.tasks.run("purge-expired");
    slow.arrive();
    await slow.paid;
    await house.comeToRest();
    const ledger = await readLedger(house.database.db);
    expect(ledger.charges.map(keptOf)).toEqual([0]);
    expect(listFaults(ledger)).toEqual(["payment 1: no word about its refund"]);
  });

  test("late money of a sign-up that has become a company's makes the account it paid for, and takes no seat", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const slow = await payTooLate(house, token);
    await house.rooms.codes.create({ code: "ACME-2026", seats: 1 });
    await startDraft(house, { token, accountType: "corporate", code: "ACME-2026", email: "work@example.org" });
    await house.rooms.codes.revoke("ACME-2026");
    slow.arrive();
    await slow.paid;
    const { kept, ledger } = await settleAccounts(house);
    expect(kept).toEqual([6000]);
    expect(ledger.members.map(({ email, account_type: type }) => [email, type])).toEqual([
      ["ada@example.org", "individual"],
    ]);
    expect(ledger.seats).toEqual([]);
  });

  test("an account is made for the address that was proved, whatever another tab types while the money moves", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    let didChange = false;
    house.gateway.meddle(async (call, moment) => {
      if (call !== "startPayment" || moment !== "after" || didChange) return;
      didChange = true;
      // As a tab does that looked before the order was opened.
      await house.database.db.updateTable("drafts").set({ email: "mallory@example.org", verified_at: null }).execute();
    });
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    const { ledger } = await settleAccounts(house);
    expect(ledger.members.map(({ email }) => email)).toEqual(["ada@example.org"]);
  });

  test("a payment that is being cancelled and turns out paid is paid", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    house.gateway.meddle(async (call, moment) => {
      if (call === "cancelPayment" && moment === "before") await authenticate(house, begun);
    });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("another card is not charged while the gateway does not say whether the first payment is stopped", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    house.gateway.meddle(failing("cancelPayment", "before"));
    expect(await pay(house, token)).toMatchObject({ ok: true, next: "continue" });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await findView(house, token)).toMatchObject({ state: "unfinished" });
    house.gateway.stop();
    await authenticate(house, begun);
    await house.rooms.signUp.settle(token);
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("an order is not closed while another tab has begun to pay for it again", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    await pay(house, token, { card: "authentication" });
    const gate = createGate("cancelPayment", "after");
    house.gateway.meddle(gate.meddling);
    const choosing = house.rooms.signUp.choosePlan(token, 1);
    await gate.arrived;
    house.gateway.stop();
    const begun = await pay(house, token, { card: "authentication" });
    gate.open();
    expect(await choosing).toEqual({ ok: false, reason: "paying" });
    await authenticate(house, begun);
    await house.rooms.signUp.settle(token);
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a stop whose answer was lost counts once the gateway says so", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    await pay(house, token, { card: "authentication" });
    house.gateway.meddle(failing("cancelPayment", "after", 1));
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: true });
    expect(await pay(house, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [1500] });
  });

  test("an authentication that is left is closed after an hour and a half; then nothing can be taken by it", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    await house.pass(89 * MINUTE_IN_MS);
    expect(await findView(house, token)).toMatchObject({ state: "unfinished" });
    await house.pass(MINUTE_IN_MS);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "cancelled" });
    await authenticate(house, begun);
    expect(await settleAccounts(house)).toMatchObject({ charges: 0, kept: [] });
  });

  test("an authentication that succeeds while it is being closed for its age is a membership", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    house.gateway.meddle(async (call, moment) => {
      if (call === "cancelPayment" && moment === "before") await authenticate(house, begun);
    });
    await house.pass(90 * MINUTE_IN_MS);
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });
});
