import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { settleAccounts } from "../../../tests/saga/interference.ts";
import { ada, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { GatewayDispute } from "./card-gateway.ts";

describe.each(engines)("a disputed charge on %s", (engine) => {
  async function openDisputed(on: Engine) {
    const bank = { disputes: [] as GatewayDispute[] };
    const app = await openApp({
      engine: on,
      wrapCardGateway: (gateway) => ({
        ...gateway,
        findDispute: async (id) => bank.disputes.find((each) => each.id === id),
      }),
    });
    const { services, database } = app;
    await pay(app, await prepareDraft(app));
    const member = await services.accounts.findByEmail(ada.email);
    const memberId = member?.id ?? 0;
    const paid = await database.db.selectFrom("payments").select("gatewayId").executeTakeFirstOrThrow();
    const sendEvent = (subject = "du_1") =>
      services.payments.webhookGateway.handle({ id: "evt_1", kind: "dispute", subject });
    const setState = (state: GatewayDispute["state"], id = "du_1") => {
      bank.disputes = [
        ...bank.disputes.filter((each) => each.id !== id),
        { id, paymentId: paid.gatewayId ?? "", state },
      ];
      return sendEvent(id);
    };
    const actions = async () => (await services.audit.listFor(memberId)).map(({ action }) => action).toReversed();
    const hasAccess = async () => (await services.membership.findAccess(memberId)).isActive;
    return { ...app, bank, memberId, setState, sendEvent, actions, hasAccess };
  }

  test("is reported to the operators once, and leaves access until it is decided", async () => {
    await using app = await openDisputed(engine);
    for (let time = 1; time <= 3; time += 1) await app.setState("open");
    expect(await app.hasAccess()).toBe(true);
    const [entry, ...others] = await app.services.audit.listFor(app.memberId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      operator: "handle-webhooks",
      action: "dispute open",
      facts: { order: 1, dispute: "du_1", amountInPence: 6000, isEnded: false },
    });
    expect(app.log.lines.filter(({ event }) => event === "a charge is disputed")).toHaveLength(1);
  });

  test.each<[GatewayDispute["state"][], GatewayDispute["state"][], boolean]>([
    [["open", "won", "open"], ["open", "won"], true],
    [["open", "won", "lost"], ["open", "won", "lost"], false],
    [["lost", "open", "won"], ["lost"], false],
  ])("told as %j is recorded as %j, and whether access stays is %j", async (given, recorded, stays) => {
    await using app = await openDisputed(engine);
    for (const state of given) await app.setState(state);
    expect(await app.actions()).toEqual(recorded.map((state) => `dispute ${state}`));
    expect(await app.hasAccess()).toBe(stays);
    const rows = await app.database.db.selectFrom("disputes").select(["gatewayId", "state"]).execute();
    expect(rows).toEqual([{ gatewayId: "du_1", state: recorded.at(-1) }]);
  });

  test("ends the membership it paid for when it is lost, once, however often it is reported", async () => {
    await using app = await openDisputed(engine);
    await app.setState("open");
    await app.setState("lost");
    expect(await app.hasAccess()).toBe(false);
    // An operator restores her access all the same; a repeat must not end it.
    await app.services.membership.restore(app.memberId);
    await app.setState("lost");
    expect(await app.hasAccess()).toBe(true);
    expect(await app.actions()).toEqual(["dispute open", "dispute lost"]);
  });

  test("is recorded once when it is reported ten times at once", async () => {
    await using app = await openDisputed(engine);
    await Promise.all(Array.from({ length: 10 }, () => app.setState("lost")));
    expect(await app.actions()).toEqual(["dispute lost"]);
  });

  test("leaves the membership of another order", async () => {
    await using app = await openDisputed(engine);
    const { membership } = app.services;
    const [paid] = await membership.listFor(app.memberId);
    const startsAt = paid?.endsAt ?? app.clock();
    await membership.grant({
      memberId: app.memberId,
      planType: 3,
      startsAt,
      endsAt: new Date("2028-11-20T03:00:00Z"),
    });
    await app.setState("lost");
    const held = await membership.listFor(app.memberId);
    expect(held.map(({ revokedAt }) => revokedAt)).toEqual([undefined, app.clock()]);
    expect(await app.hasAccess()).toBe(false);
  });

  test("of an unknown charge, or a mere inquiry, is ignored", async () => {
    await using app = await openDisputed(engine);
    app.bank.disputes = [{ id: "du_2", paymentId: "pay_of_nobody", state: "lost" }];
    await app.sendEvent("du_2");
    await app.sendEvent("du_unknown");
    expect(await app.hasAccess()).toBe(true);
    expect(await app.database.db.selectFrom("disputes").selectAll().execute()).toEqual([]);
    expect(await app.actions()).toEqual([]);
  });
});

describe.each(engines)("an order that an operator gives back on %s", (engine) => {
  const by = { operator: "olive@desk.example", reason: "They could not use it" };

  async function openPaid(options: Parameters<typeof openApp>[0] = {}) {
    const app = await openApp({ engine, ...options });
    await pay(app, await prepareDraft(app));
    const member = await app.services.accounts.findByEmail(ada.email);
    const memberId = member?.id ?? 0;
    const giveBack = () => app.services.payments.giveBack({ orderId: 1, by });
    const hasAccess = async () => (await app.services.membership.findAccess(memberId)).isActive;
    return { ...app, memberId, giveBack, hasAccess };
  }

  test("brings the money back once, ends its term at once, and tells the member, however often it is asked for", async () => {
    await using app = await openPaid();
    const results = await Promise.all(Array.from({ length: 10 }, app.giveBack));
    expect(results.filter(({ ok }) => ok)).toEqual([{ ok: true, amountInPence: 6000 }]);
    expect(await app.giveBack()).toEqual({ ok: false, reason: "not-completed" });
    expect(await app.hasAccess()).toBe(false);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
    const refund = app.emails.filter(({ subject }) => subject === "Your refund of £60 is on its way");
    expect(refund).toHaveLength(1);
    expect(refund[0]?.text).toContain("We're refunding the £60 you paid");
    const facts = { order: 1, receipt: "D-2026-000001", amountInPence: 6000, isEnded: true };
    expect(await app.services.audit.listFor(app.memberId)).toMatchObject([{ ...by, action: "order refund", facts }]);
    const [receipt] = await app.services.payments.listReceipts(app.memberId);
    expect(receipt).toMatchObject({ number: "D-2026-000001", planLabel: "Yearly, refunded" });
  });

  test("goes back after all when the gateway was away, and leaves the terms of other orders", async () => {
    let isAway = true;
    await using app = await openPaid({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        refund: (wanted) => (isAway ? Promise.reject(new Error("away")) : gateway.refund(wanted)),
      }),
    });
    const endsAt = new Date("2030-11-20T03:00:00Z");
    await app.services.membership.grant({ memberId: app.memberId, planType: 3, startsAt: app.clock(), endsAt });
    expect((await app.giveBack()).ok).toBe(true);
    expect(await app.hasAccess()).toBe(true);
    const order = await app.db.selectFrom("orders").select("state").executeTakeFirst();
    expect(order?.state).toBe("refund-pending");
    const labels = async () =>
      (await app.services.payments.listReceipts(app.memberId)).map(({ planLabel }) => planLabel);
    expect(await labels()).toEqual(["Yearly, refund on its way"]);
    isAway = false;
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
    expect(await labels()).toEqual(["Yearly, refunded"]);
  });

  test("waits for an operator when the gateway refuses, and the term stays ended", async () => {
    await using app = await openPaid({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        refund: async ({ amountInPence }) => ({ id: "re_1", paymentId: "", amountInPence, state: "failed" }),
      }),
    });
    expect((await app.giveBack()).ok).toBe(true);
    await app.pass(2 * MINUTE_IN_MS);
    const order = await app.db.selectFrom("orders").select("state").executeTakeFirst();
    expect(order?.state).toBe("refund-failed");
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 6000 }]);
    expect(await app.hasAccess()).toBe(false);
    expect(await app.giveBack()).toEqual({ ok: false, reason: "not-completed" });
  });

  test("is refused where nothing was paid, where nothing is completed, and for an order that is not there", async () => {
    await using app = await openPaid();
    await app.db.updateTable("orders").set({ amountInPence: 0 }).execute();
    expect(await app.giveBack()).toEqual({ ok: false, reason: "nothing-paid" });
    expect(await app.services.payments.giveBack({ orderId: 99, by })).toEqual({ ok: false, reason: "not-completed" });
    expect(await app.hasAccess()).toBe(true);
    expect(await app.services.audit.list(9)).toEqual([]);
  });

  test("is found by its receipt's number, or the last digits of it", async () => {
    await using app = await openPaid();
    const { payments } = app.services;
    const found = { memberId: app.memberId, number: "D-2026-000001" };
    for (const text of [
      "D-2026-000001",
      " d-2026-000001 ",
      "D\u20112026\u2013000001",
      "D - 2026 - 000001",
      "Your receipt D-2026-000001.",
    ]) {
      expect(await payments.findByReceipt(text), text).toEqual({ ...found, isWhole: true });
    }
    for (const text of ["000001", "1", " 01 "]) {
      expect(await payments.findByReceipt(text), text).toEqual({ ...found, isWhole: false });
    }
    for (const text of ["D-2025-000001", "2", "0", "", "D-", "D-2026-00000", "D-2026-0000011", "9999999999"]) {
      expect(await payments.findByReceipt(text), text).toBeUndefined();
    }
  });
});

/** The refunds of the only charge once all is settled, the smallest first. */
async function readRefunds(app: Parameters<typeof settleAccounts>[0]): Promise<number[] | undefined> {
  const { ledger } = await settleAccounts(app);
  return ledger.charges[0]?.refunds.toSorted((a, b) => a - b);
}

describe.each(engines)("a part of an order that an operator gives back on %s", (engine) => {
  const by = { operator: "olive@desk.example", reason: "The film would not play for a week" };

  async function openPaid(options: Parameters<typeof openApp>[0] = {}) {
    const app = await openApp({ engine, ...options });
    await pay(app, await prepareDraft(app));
    const member = await app.services.accounts.findByEmail(ada.email);
    const memberId = member?.id ?? 0;
    const { payments, membership } = app.services;
    return {
      ...app,
      memberId,
      person: { memberId, email: ada.email },
      makePartRefund: (amountInPence: number) => payments.makePartRefund({ orderId: 1, amountInPence, by }),
      giveBack: () => payments.giveBack({ orderId: 1, by }),
      hasAccess: async () => (await membership.findAccess(memberId)).isActive,
      readParts: async () => await app.db.selectFrom("partRefunds").selectAll().orderBy("number").execute(),
      readLabel: async () => (await payments.listReceipts(memberId))[0]?.planLabel,
    };
  }

  test("goes back once, tells the member, and leaves order and term; several add up", async () => {
    await using app = await openPaid();
    expect(await app.makePartRefund(1000)).toEqual({ ok: true, amountInPence: 1000, isWhole: false });
    expect(await app.makePartRefund(250)).toEqual({ ok: true, amountInPence: 250, isWhole: false });
    expect(await app.hasAccess()).toBe(true);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [4750] });
    const subjects = app.emails.map(({ subject }) => subject).filter((subject) => subject.includes("refund of"));
    expect(subjects).toEqual(["Your refund of £10 is on its way", "Your refund of £2.50 is on its way"]);
    expect(app.emails.findLast(({ subject }) => subject.includes("£2.50"))?.text).toContain(
      "Your membership stays the same.",
    );
    const facts = { order: 1, receipt: "D-2026-000001", amountInPence: 1000, part: 1 };
    expect((await app.services.audit.listFor(app.memberId)).at(-1)).toMatchObject({
      ...by,
      action: "order part refund",
      facts,
    });
    expect(await app.readLabel()).toBe("Yearly, £12.50 refunded");
    const [exported] = await app.services.payments.listFor(app.person);
    expect(exported).toMatchObject({
      leftInPence: 4750,
      parts: [
        { number: 1, amountInPence: 1000, state: "refunded" },
        { number: 2, amountInPence: 250, state: "refunded" },
      ],
    });
  });

  test("is never more than is left, and the part that leaves nothing ends the term as a whole refund does", async () => {
    await using app = await openPaid();
    expect(await app.makePartRefund(6001)).toEqual({ ok: false, reason: "more-than-left", leftInPence: 6000 });
    await app.makePartRefund(4000);
    expect(await app.makePartRefund(2001)).toEqual({ ok: false, reason: "more-than-left", leftInPence: 2000 });
    expect(await app.hasAccess()).toBe(true);
    expect(await app.makePartRefund(2000)).toEqual({ ok: true, amountInPence: 2000, isWhole: true });
    expect(await app.hasAccess()).toBe(false);
    expect(await app.makePartRefund(1)).toEqual({ ok: false, reason: "not-completed" });
    expect(await readRefunds(app)).toEqual([2000, 4000]);
    expect(app.emails.filter(({ subject }) => subject === "Your refund of £20 is on its way")).toHaveLength(1);
    expect(await app.readLabel()).toBe("Yearly, refunded");
  });

  test("lets the whole refund after it give back the rest", async () => {
    await using app = await openPaid();
    await app.makePartRefund(1000);
    expect(await app.giveBack()).toEqual({ ok: true, amountInPence: 5000 });
    expect(await app.hasAccess()).toBe(false);
    expect(await readRefunds(app)).toEqual([1000, 5000]);
    expect(app.emails.filter(({ subject }) => subject === "Your refund of £50 is on its way")).toHaveLength(1);
  });

  test("is decided once each when ten are asked for at once, and together they stay within the sum", async () => {
    await using app = await openPaid();
    const results = await Promise.all(Array.from({ length: 10 }, () => app.makePartRefund(1100)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(5);
    expect(await settleAccounts(app)).toMatchObject({ charged: [500] });
    expect((await app.readParts()).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  test("goes back after all when the gateway was away; a whole refund and an erasure wait for that", async () => {
    let isAway = true;
    await using app = await openPaid({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        refund: (wanted) => (isAway ? Promise.reject(new Error("away")) : gateway.refund(wanted)),
      }),
    });
    expect(await app.makePartRefund(1000)).toMatchObject({ ok: true });
    expect(await app.giveBack()).toEqual({ ok: false, reason: "part-under-way" });
    expect(await app.makePartRefund(5000)).toEqual({ ok: false, reason: "part-under-way" });
    expect(await app.hasAccess()).toBe(true);
    const erase = () => app.services.personalData.erase(app.person, "olive@desk.example");
    expect(await erase()).toEqual({ ok: false, reason: "payment-under-way" });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 1000 }]);
    isAway = false;
    expect(await settleAccounts(app)).toMatchObject({ charged: [5000] });
    expect(await app.services.payments.listStuck()).toEqual([]);
    expect(await erase()).toMatchObject({ ok: true });
  });

  test("is made once when the gateway has forgotten the key of a request whose answer was lost", async () => {
    const keys = new Map<string, string>();
    let isLost = true;
    await using app = await openPaid({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        async refund(wanted) {
          // The gateway knows a part by its mark alone: another request is another refund.
          const key = `${wanted.key} ${keys.size}`;
          keys.set(wanted.key, key);
          const made = await gateway.refund({ ...wanted, key });
          if (isLost) throw new Error("The answer is lost");
          return made;
        },
        findPartRefund: ({ key, paymentId }) => gateway.findPartRefund({ key: keys.get(key) ?? key, paymentId }),
      }),
    });
    await app.makePartRefund(1000);
    expect(await app.readParts()).toMatchObject([{ state: "refunding", refundId: null }]);
    isLost = false;
    app.clock.advance(2 * DAY_IN_MS);
    expect(await readRefunds(app)).toEqual([1000]);
  });

  test("waits for an operator when the gateway refuses it, until a later part takes its place", async () => {
    let isRefused = true;
    await using app = await openPaid({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        refund: async (wanted) =>
          isRefused ? { id: "re_1", ...wanted, state: "failed" as const } : gateway.refund(wanted),
      }),
    });
    await app.makePartRefund(1000);
    expect(await app.readParts()).toMatchObject([{ state: "refund-failed", refundId: "re_1" }]);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 1000 }]);
    expect(app.log.lines.filter(({ level }) => level === "error").map(({ event }) => event)).toEqual([
      "a part of a refund has failed",
    ]);
    expect(await app.readLabel()).toBe("Yearly");
    isRefused = false;
    expect(await app.makePartRefund(6000)).toMatchObject({ ok: true, isWhole: true });
    expect(await app.services.payments.listStuck()).toEqual([]);
  });

  test("is refused where a company paid, where nothing is completed, and for an order that is not there", async () => {
    await using app = await openPaid();
    expect(await app.services.payments.makePartRefund({ orderId: 99, amountInPence: 1, by })).toEqual({
      ok: false,
      reason: "not-completed",
    });
    await app.db.updateTable("orders").set({ amountInPence: 0 }).execute();
    await app.db.deleteFrom("payments").execute();
    expect(await app.makePartRefund(100)).toEqual({ ok: false, reason: "nothing-paid" });
    expect(await app.services.audit.list(9)).toEqual([]);
  });
});
