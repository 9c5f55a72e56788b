import { describe, expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import type { CardGateway } from "../../server/payments/card-gateway.ts";
import { engines } from "../helpers/databases.ts";
import { openHouse, type House, type HouseOptions } from "../helpers/house.ts";
import { createGate, createInterference, failing } from "./interference.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";
import { authenticate, pay, paymentIdIn, payOnPage, prepareDraft, startDraft } from "./visitor.ts";

/** What may go wrong between the house and the gateway (reliability C3–C25), and where it ends: membership or money back, once. */
describe.each(engines)("a gateway at fault, on %s", (engine) => {
  async function openTroubledHouse(options: HouseOptions = {}) {
    const gateway = createInterference();
    const house = await openHouse(engine, { wrapCards: gateway.wrapCards, ...options });
    return Object.assign(house, { gateway });
  }

  async function findView(house: House, token: string) {
    return (await house.rooms.signUp.findDraft(token))?.payment;
  }

  /** What was charged in the end and kept, with nothing wrong anywhere. */
  async function settleAccounts(house: House) {
    await house.comeToRest();
    const ledger = await readLedger(house.database.db);
    expect(listFaults(ledger)).toEqual([]);
    return { charges: ledger.charges.length, kept: ledger.charges.map(keptOf).filter((pence) => pence > 0), ledger };
  }

  /** Somebody joins with the address of a draft before it is paid for. */
  async function takeEmail({ rooms }: House, email = "ada@example.org") {
    const other = { firstName: "Ann", lastName: "Other", accountType: "individual" as const };
    await rooms.accounts.register({ ...other, email, password: "quite-another-one" });
  }

  test("a customer that could not be made is a payment that has failed; paying again succeeds", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("createCustomer", "before"));
    expect(await pay(house, token)).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a customer whose making was not answered is made once", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("createCustomer", "after"));
    expect(await pay(house, token)).toMatchObject({ reason: "declined" });
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    const { ledger } = await settleAccounts(house);
    expect(ledger.customers).toHaveLength(1);
  });

  test("a payment that never reached the gateway is being looked for, then known to have failed", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("startPayment", "before"));
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    await house.pass(MINUTE_IN_MS);
    expect(await findView(house, token)).toEqual({ state: "checking" });
    await house.pass(MINUTE_IN_MS);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("pressing again while the first press is not answered repeats it; nothing is charged twice", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("startPayment", "before", 1));
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    house.clock.advance(30 * SECOND_IN_MS);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a payment whose answer was lost is found at the gateway at once", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("startPayment", "after"));
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a decline whose answer was lost is told as what it is, and another card may be tried", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("startPayment", "after"));
    expect(await pay(house, token, { card: "poor" })).toEqual({
      ok: false,
      reason: "declined",
      decline: "insufficient-funds",
    });
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test.each([
    ["a notice", async (house: House) => house.pass(SECOND_IN_MS)],
    [
      "the reconciling task",
      async (house: House) => house.rooms.payments.reconcile().then(() => house.clock.advance(0)),
    ],
    ["the page that is loaded again", undefined],
  ])("an outcome that nobody could tell is never shown as failed; %s finds it", async (_finder, find) => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle((call, moment) => {
      if (call === "startPayment" && moment === "before") return;
      throw new Error("The gateway is out of reach");
    });
    // The customer is known from an earlier try.
    house.gateway.meddle((call, moment) => {
      if (call === "createCustomer" || (call === "startPayment" && moment === "before")) return;
      throw new Error("The gateway is out of reach");
    });
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    expect(await findView(house, token)).toEqual({ state: "checking" });
    house.clock.advance(5 * MINUTE_IN_MS);
    await house.rooms.signUp.settle(token);
    await house.rooms.payments.reconcile();
    expect(await findView(house, token)).toEqual({ state: "checking" });
    house.gateway.stop();
    house.clock.advance(2 * MINUTE_IN_MS);
    await (find?.(house) ?? house.rooms.signUp.settle(token));
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 6000 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("however often one presses, an outcome that nobody could tell is not called too many tries", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle((call, moment) => {
      if (call === "createCustomer" || (call === "startPayment" && moment === "before")) return;
      throw new Error("The gateway is out of reach");
    });
    for (let press = 1; press <= 13; press += 1) {
      expect(await pay(house, token), `press ${press}`).toEqual({ ok: true, next: "checking" });
    }
    house.gateway.stop();
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a declined payment is closed at the gateway, so that nothing can be taken by it later", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun, false);
    await house.rooms.signUp.settle(token);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "authentication-failed" });
    const { pays } = await readLedger(house.database.db);
    expect(pays.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });

  test("a hosted page whose opening was not answered is opened once and can be gone to", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(failing("startHostedPayment", "after"));
    const result = await pay(house, token, { card: "hosted" });
    expect(result).toMatchObject({ ok: true, next: "continue" });
    await payOnPage(house, result);
    await house.rooms.signUp.settle(token);
    expect(await findView(house, token)).toMatchObject({ state: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a second press whose customer cannot be made does not fail the first one's payment", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    // Both presses read an order without a customer. One waits for the payment's answer, the other one's customer fails meanwhile.
    const slow = createGate("startPayment", "after");
    const broken = createGate("createCustomer", "before");
    let customers = 0;
    house.gateway.meddle(async (call, moment) => {
      if (call !== "createCustomer" || moment !== "before") return slow.meddling(call, moment);
      customers += 1;
      if (customers === 1) return broken.arrived;
      await broken.meddling(call, moment);
      throw new Error("The gateway gives no answer");
    });
    const presses = [pay(house, token), pay(house, token)];
    await Promise.all([slow.arrived, broken.arrived]);
    broken.open();
    expect(await Promise.race(presses)).toEqual({ ok: true, next: "completed" });
    slow.open();
    const completed = { ok: true, next: "completed" };
    expect(await Promise.all(presses)).toEqual([completed, completed]);
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a press whose customer comes after the payment was told to have failed charges nothing", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const slow = createGate("createCustomer", "before");
    let customers = 0;
    house.gateway.meddle(async (call, moment) => {
      if (call !== "createCustomer" || moment !== "before") return;
      customers += 1;
      if (customers === 1) return slow.meddling(call, moment);
      throw new Error("The gateway gives no answer");
    });
    const first = pay(house, token);
    await slow.arrived;
    const declined = { ok: false, reason: "declined", decline: "gateway-unavailable" };
    expect(await pay(house, token)).toEqual(declined);
    slow.open();
    expect(await first).toEqual(declined);
    expect(await settleAccounts(house)).toMatchObject({ charges: 0 });
  });

  test("a payment that is slow is not asked for again by another tab, nor by the reconciling task", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const gate = createGate("startPayment", "before");
    let isFirst = true;
    house.gateway.meddle((call, moment) => {
      if (call !== "startPayment" || moment !== "before" || !isFirst) return;
      isFirst = false;
      return gate.meddling(call, moment);
    });
    const slow = pay(house, token);
    await gate.arrived;
    await house.pass(MINUTE_IN_MS);
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    gate.open();
    expect(await slow).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("money that comes after a payment was given up for lost becomes the membership", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const gate = createGate("startPayment", "before");
    house.gateway.meddle(gate.meddling);
    const slow = pay(house, token);
    await gate.arrived;
    await house.pass(3 * MINUTE_IN_MS);
    expect(await findView(house, token)).toEqual({ state: "failed", decline: "gateway-unavailable" });
    gate.open();
    expect(await slow).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("money that comes after another payment has been made instead goes back, with a letter", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const gate = createGate("startPayment", "before");
    house.gateway.meddle(gate.meddling);
    const slow = pay(house, token);
    await gate.arrived;
    await house.pass(3 * MINUTE_IN_MS);
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    gate.open();
    await slow;
    const { charges, kept } = await settleAccounts(house);
    expect({ charges, kept }).toEqual({ charges: 2, kept: [6000] });
    expect(await findView(house, token)).toBeUndefined();
    expect(house.letters.filter(({ subject }) => subject === "Your £60 is on its way back")).toHaveLength(1);
  });

  test("money for a plan that was changed meanwhile still becomes a membership: that of the plan it paid for", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house, { planType: 1 });
    const gate = createGate("startPayment", "before");
    house.gateway.meddle(gate.meddling);
    const slow = pay(house, token, { shownPlanType: 1 });
    await gate.arrived;
    await house.pass(3 * MINUTE_IN_MS);
    expect(await house.rooms.signUp.choosePlan(token, 3)).toEqual({ ok: true });
    gate.open();
    expect(await slow).toEqual({ ok: true, next: "completed" });
    expect(await findView(house, token)).toMatchObject({ state: "completed", amountInPence: 1500 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [1500] });
  });

  test("late money of a sign-up that has become a company's makes the account it paid for, and takes no seat", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const gate = createGate("startPayment", "before");
    house.gateway.meddle(gate.meddling);
    const slow = pay(house, token);
    await gate.arrived;
    await house.pass(3 * MINUTE_IN_MS);
    await house.rooms.codes.create({ code: "ACME-2026", seats: 1 });
    await startDraft(house, { token, accountType: "corporate", code: "ACME-2026", email: "work@example.org" });
    await house.rooms.codes.revoke("ACME-2026");
    gate.open();
    await slow;
    const { kept, ledger } = await settleAccounts(house);
    expect(kept).toEqual([6000]);
    expect(ledger.members.map(({ email, account_type: type }) => [email, type])).toEqual([
      ["ada@example.org", "individual"],
    ]);
    expect(ledger.seats).toEqual([]);
  });

  test("an account is made for the address that was proved, whatever another tab types while the money moves", async () => {
    await using house = await openTroubledHouse();
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
    await using house = await openTroubledHouse();
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
    await using house = await openTroubledHouse();
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

  test("a stop whose answer was lost counts once the gateway says so", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    await pay(house, token, { card: "authentication" });
    house.gateway.meddle(failing("cancelPayment", "after", 1));
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: true });
    expect(await pay(house, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [1500] });
  });

  test("an authentication that is left is closed after an hour and a half; then nothing can be taken by it", async () => {
    await using house = await openTroubledHouse();
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
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    house.gateway.meddle(async (call, moment) => {
      if (call === "cancelPayment" && moment === "before") await authenticate(house, begun);
    });
    await house.pass(90 * MINUTE_IN_MS);
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a gateway that cannot be asked for one payment does not keep the others from being looked at", async () => {
    await using house = await openTroubledHouse();
    const tokens = [
      await prepareDraft(house, { email: "one@example.org" }),
      await prepareDraft(house, { email: "two@example.org" }),
    ];
    for (const token of tokens) await authenticate(house, await pay(house, token, { card: "authentication" }));
    house.gateway.meddle(failing("findPayment", "before", 1));
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    const views = await Promise.all(tokens.map(async (token) => (await findView(house, token))?.state));
    expect(new Set(views)).toEqual(new Set(["completed", "unfinished"]));
    expect(await settleAccounts(house)).toMatchObject({ charges: 2, kept: [6000, 6000] });
  });

  test("a hundred pages that nobody finishes do not hide one that somebody has", async () => {
    await using house = await openTroubledHouse();
    const drafts = 101;
    const { db } = house.database;
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    const [order, attempt] = await Promise.all([
      db.selectFrom("orders").selectAll().executeTakeFirstOrThrow(),
      db.selectFrom("payments").selectAll().executeTakeFirstOrThrow(),
    ]);
    // As old as ours and before it in every list.
    for (let count = 1; count < drafts; count += 1) {
      const { id } = await db
        .insertInto("orders")
        .values({ ...withoutId(order), draft_id: null, customer_id: `cus_${count}` })
        .returning("id")
        .executeTakeFirstOrThrow();
      const updatedAt = new Date(Date.parse(attempt.updated_at) - count).toISOString();
      await db
        .insertInto("payments")
        .values({ ...withoutId(attempt), order_id: id, gateway_id: `pay_${count}`, updated_at: updatedAt })
        .execute();
    }
    await authenticate(house, begun);
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    expect(await findView(house, token)).toMatchObject({ state: "completed" });
  });

  test.each(["before", "after"] as const)(
    "a refund that failed %s the gateway did it is asked for again, and made once",
    async (moment) => {
      await using house = await openTroubledHouse();
      const token = await prepareDraft(house);
      const begun = await pay(house, token, { card: "authentication" });
      await takeEmail(house);
      house.gateway.meddle(failing("refund", moment, 3));
      await authenticate(house, begun);
      await house.rooms.signUp.settle(token);
      expect(await findView(house, token)).toEqual({ state: "refunded", amountInPence: 6000 });
      expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [] });
      expect(house.letters.filter(({ subject }) => subject === "Your £60 is on its way back")).toHaveLength(1);
    },
  );

  test("a refund that the gateway refuses for good waits for somebody, and ends when it is mended there", async () => {
    const refunds = new Map<string, "pending" | "failed" | "succeeded">();
    let next: "pending" | "failed" = "pending";
    await using house = await openTroubledHouse({
      wrapCards: (cards): CardGateway => ({
        ...cards,
        async refund(wanted) {
          const made = await cards.refund(wanted);
          refunds.set(made.id, next);
          return { ...made, state: next };
        },
        findRefund: async (id) => {
          const found = await cards.findRefund(id);
          return found && { ...found, state: refunds.get(id) ?? "succeeded" };
        },
      }),
    });
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    await takeEmail(house);
    await authenticate(house, begun);
    await house.rooms.signUp.settle(token);
    expect(await house.rooms.payments.listStuck()).toEqual([]);
    await house.pass(MINUTE_IN_MS);
    expect(await house.rooms.payments.listStuck()).toEqual([]);
    for (const id of refunds.keys()) refunds.set(id, "failed");
    next = "failed";
    await house.pass(MINUTE_IN_MS);
    expect(await house.rooms.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
    expect(house.log.lines.some(({ level, event }) => level === "error" && event === "a refund has failed")).toBe(true);
    // An operator mends it; the gateway tells.
    refunds.clear();
    const { id } = await house.database.db
      .selectFrom("demo_objects")
      .select("id")
      .where("kind", "=", "re")
      .executeTakeFirstOrThrow();
    await house.rooms.payments.noticeGateway.handle({ id: "evt_1", kind: "refund", subject: id });
    expect(await house.rooms.payments.listStuck()).toEqual([]);
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [] });
  });

  test("a second charge that cannot be sent back waits for somebody too, though its order is completed", async () => {
    await using house = await openTroubledHouse({
      wrapCards: (cards): CardGateway => ({
        ...cards,
        refund: async (wanted) => ({ ...(await cards.refund(wanted)), state: "failed" }),
        findRefund: async (id) => ({ id, paymentId: (await cards.findRefund(id))?.paymentId ?? "", state: "failed" }),
      }),
    });
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    // The first try went through after all, at the gateway.
    await succeedAtGateway(house, 1);
    await house.pass(SECOND_IN_MS);
    expect(await house.rooms.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
  });

  test.each([
    ["less than was asked for", { amountInPence: 100 }, "Your £1 is on its way back"],
    ["in another currency", { currency: "EUR" as "GBP" }, "Your £60 is on its way back"],
  ])("a payment %s buys nothing: it goes back, with a line in the log", async (_what, altered, subject) => {
    let isWrong = true;
    await using house = await openTroubledHouse({
      wrapCards: (cards): CardGateway => ({
        ...cards,
        startPayment: (wanted) => cards.startPayment({ ...wanted, ...(isWrong && altered) }),
      }),
    });
    const token = await prepareDraft(house);
    await pay(house, token);
    expect(await findView(house, token)).toMatchObject({ state: "refunded" });
    expect(await house.rooms.accounts.findByEmail("ada@example.org")).toBeUndefined();
    expect(house.log.lines.filter(({ level }) => level === "error").map(({ event }) => event)).toEqual([
      "a payment is not what was asked for",
    ]);
    isWrong = false;
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 2, kept: [6000] });
    expect(house.letters.filter((letter) => letter.subject === subject)).toHaveLength(1);
  });

  test("somebody else's payment is none of ours, whatever it says of itself", async () => {
    let foreignId = "";
    await using house = await openTroubledHouse({
      wrapCards: (cards): CardGateway => ({
        ...cards,
        async startPayment(wanted) {
          // Another house at the same gateway has the same numbers, and is a moment earlier.
          const methodId = wanted.methodId;
          const foreign = await cards.startPayment({
            ...wanted,
            methodId,
            key: "elsewhere",
            customerId: "cus_elsewhere",
          });
          foreignId = foreign.id;
          await house.rooms.payments.noticeGateway.handle({ id: "evt_1", kind: "payment", subject: foreignId });
          return cards.startPayment(wanted);
        },
      }),
    });
    const token = await prepareDraft(house);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    await house.comeToRest();
    const { payments, charges } = await readLedger(house.database.db);
    expect(payments.map(({ state, gateway_id: id }) => ({ state, isForeign: id === foreignId }))).toEqual([
      { state: "succeeded", isForeign: false },
    ]);
    expect(charges.find(({ id }) => id === foreignId)?.refunds).toEqual([]);
  });

  test("a payment whose answer was lost is found among somebody else's with the same numbers", async () => {
    let isLost = false;
    await using house = await openTroubledHouse({
      wrapCards: (cards): CardGateway => ({
        ...cards,
        async startPayment(wanted) {
          await cards.startPayment({ ...wanted, key: "elsewhere", customerId: "cus_elsewhere" });
          if (!isLost) house.clock.advance(SECOND_IN_MS);
          isLost = true;
          await cards.startPayment(wanted);
          throw new Error("The answer was lost");
        },
      }),
    });
    const token = await prepareDraft(house);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
  });

  test("a notice about a payment that we never heard of changes nothing", async () => {
    await using house = await openTroubledHouse();
    const { noticeGateway } = house.rooms.payments;
    await noticeGateway.handle({ id: "evt_1", kind: "payment", subject: "pay_demo_nobody" });
    await noticeGateway.handle({ id: "evt_2", kind: "refund", subject: "re_demo_nobody" });
    await noticeGateway.handle({ id: "evt_3", kind: "other", subject: "cus_demo_nobody" });
    expect(await readLedger(house.database.db)).toMatchObject({ orders: [], payments: [] });
  });

  test("a notice that the gateway did not sign is refused, and looked at by nobody", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun);
    const body = JSON.stringify({ notices: [{ id: "evt_1", kind: "payment", subject: paymentIdIn(begun) }] });
    const { notices } = house.rooms;
    const forged = new Headers({ "Demo-Signature": "0".repeat(64) });
    expect(await notices.receive({ gateway: "demo-cards", body, headers: forged })).toBe("refused");
    expect(await notices.receive({ gateway: "demo-cards", body, headers: new Headers() })).toBe("refused");
    expect(await notices.handleWaiting()).toBe(0);
    expect(await findView(house, token)).toMatchObject({ state: "unfinished" });
  });

  test("notices that come thrice and the latest first end the same", async () => {
    await using house = await openTroubledHouse({ noticeManner: { copies: 3, isReversed: true } });
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun);
    await house.pass(SECOND_IN_MS);
    expect(await findView(house, token)).toMatchObject({ state: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a browser that never comes back is a member within a minute, by the notice alone", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    await authenticate(house, await pay(house, token, { card: "authentication" }));
    await house.pass(SECOND_IN_MS);
    expect(await house.rooms.accounts.findByEmail("ada@example.org")).toBeDefined();
  });

  test("a gateway that is out of reach for a day loses no notice", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    const gate = createGate("startPayment", "before");
    house.gateway.meddle(gate.meddling);
    const slow = pay(house, token);
    await gate.arrived;
    // Given up for lost; so nothing but the notice will tell of it.
    await house.pass(3 * MINUTE_IN_MS);
    house.gateway.meddle((call, moment) => {
      if (call === "startPayment" && moment === "before") return;
      throw new Error("The gateway is out of reach");
    });
    gate.open();
    await slow;
    for (let second = 0; second < 2000; second += 1) {
      house.clock.advance(SECOND_IN_MS);
      await house.rooms.tasks.run("handle-notices");
    }
    await house.pass(DAY_IN_MS);
    house.gateway.stop();
    await house.pass(DAY_IN_MS);
    expect(await house.rooms.accounts.findByEmail("ada@example.org")).toBeDefined();
  });

  test("an address that is taken between paying and completing sends the money back, told on the page and in a letter", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle(async (call, moment) => {
      if (call === "startPayment" && moment === "after") await takeEmail(house);
    });
    expect(await pay(house, token)).toMatchObject({ ok: true });
    expect(await findView(house, token)).toEqual({ state: "refunded", amountInPence: 6000 });
    expect(await house.rooms.signUp.claimSession(token)).toBeUndefined();
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [] });
  });

  test("who pays again with an address that was taken meanwhile is not told that nothing was taken while something was", async () => {
    await using house = await openTroubledHouse();
    const token = await prepareDraft(house);
    house.gateway.meddle((call, moment) => {
      if (call === "createCustomer" || (call === "startPayment" && moment === "before")) return;
      throw new Error("The gateway is out of reach");
    });
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    await takeEmail(house);
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    house.gateway.stop();
    expect(await pay(house, token)).toEqual({ ok: true, next: "checking" });
    expect(await findView(house, token)).toEqual({ state: "refunded", amountInPence: 6000 });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [] });
  });

  /** As a payer does who succeeds after all, behind our back. */
  async function succeedAtGateway({ rooms, database: { db } }: House, attempt: number) {
    const row = await db.selectFrom("payments").selectAll().where("attempt", "=", attempt).executeTakeFirstOrThrow();
    const id = row.gateway_id ?? "";
    const { body } = await db.selectFrom("demo_objects").select("body").where("id", "=", id).executeTakeFirstOrThrow();
    const changed = JSON.stringify({ ...(JSON.parse(body) as object), state: "succeeded" });
    await db.updateTable("demo_objects").set({ body: changed }).where("id", "=", id).execute();
    await rooms.payments.noticeGateway.handle({ id: "evt_late", kind: "payment", subject: id });
  }
});

function withoutId<Row extends { id: number }>(row: Row): Omit<Row, "id"> {
  const { id: _id, ...rest } = row;
  return rest;
}
