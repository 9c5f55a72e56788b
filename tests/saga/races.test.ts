import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { PayResult } from "../../server/money/sign-up/sign-up.ts";
import { engines } from "../helpers/databases.ts";
import { settleAll, openApp, type App } from "../helpers/app.ts";
import { findRemainder, listFaults, readLedger } from "./ledger.ts";
import {
  authenticate,
  makeMethod,
  pay,
  payment,
  payOnPage,
  prepareDraft,
  startDraft,
  type CardName,
} from "./visitor.ts";

/** Clicks, links and events at the same time; on PostgreSQL really so. */
describe.each(engines)("races on %s", (engine) => {
  /** Rounds interleave differently, so each race runs more than once. */
  const rounds = Array.from({ length: 8 }, (_, round) => ({
    round,
    details: { email: `round-${round}@example.org`, address: `198.51.100.${round + 1}` },
  }));

  async function audit(app: App) {
    await settleAll(app);
    const ledger = await readLedger(app.database.db);
    expect(listFaults(ledger)).toEqual([]);
    return ledger;
  }

  function isWelcome(result: PayResult): boolean {
    return result.ok && (result.next === "completed" || result.next === "checking");
  }

  test("a double click is one charge, and both answers say so", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      const methodId = await makeMethod(app);
      const press = () => app.services.signUp.pay(token, { ...payment, ...details, methodId });
      const answers = await Promise.all([press(), press()]);
      expect(answers.every(isWelcome), JSON.stringify(answers)).toBe(true);
    }
    const { charges } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(rounds.map(() => 6000));
  });

  test("five tabs with five cards and a hosted page charge once", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      const cardNames: (CardName | "hosted")[] = ["paid", "hosted", "authentication", "paid", "paid"];
      const answers = await Promise.all(cardNames.map((card) => pay(app, token, { card, address: details.address })));
      for (const answer of answers) if (answer.ok && answer.next === "continue") await finish(app, answer);
      await app.services.signUp.settle(token);
      await pay(app, token, details);
      expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("completed");
    }
    const { charges } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(rounds.map(() => 6000));
  });

  /** Does what an open page asks for. */
  async function finish(app: App, answer: PayResult) {
    const isHosted = answer.ok && answer.next === "continue" && answer.url.includes("/card/");
    await (isHosted ? payOnPage(app, answer) : authenticate(app, answer));
  }

  test("a declined card in one tab and a good one in another: one charge in either order", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      await Promise.all([pay(app, token, { card: "declined" }), pay(app, token, { card: "paid" })]);
      const state = (await app.services.signUp.findDraft(token))?.payment.state;
      expect(["failed", "completed"]).toContain(state);
      if (state === "failed") expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    }
    const { charges } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(rounds.map(() => 6000));
  });

  test("a plan that is changed during payment: what was shown is charged, or nothing", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const token = await prepareDraft(app, { ...details, planType: 1 });
      // An order for the plan that is about to be changed is open already.
      await pay(app, token, { ...details, card: "declined", shownPlanType: 1 });
      const [first] = await Promise.all([
        pay(app, token, { ...details, shownPlanType: 1 }),
        app.services.signUp.choosePlan(token, 3),
      ]);
      if (!isWelcome(first)) {
        const last = await pay(app, token, { ...details, shownPlanType: 3 });
        const view = (await app.services.signUp.findDraft(token))?.payment;
        if (isWelcome(last)) expect(view).toMatchObject({ state: "completed", amountInPence: 6000 });
        else expect(await pay(app, token, { ...details, shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
      } else {
        await app.services.signUp.settle(token);
        expect((await app.services.signUp.findDraft(token))?.payment).toMatchObject({
          state: "completed",
          amountInPence: 1500,
        });
      }
    }
    const { charges } = await audit(app);
    expect(charges).toHaveLength(rounds.length);
  });

  test("an order that another tab left for another plan is not what is charged", async () => {
    await using app = await openApp({ engine });
    const token = await prepareDraft(app, { planType: 1 });
    await pay(app, token, { card: "declined", shownPlanType: 1 });
    // As a tab does that asked before the order was opened.
    await app.database.db.updateTable("drafts").set({ planType: 3 }).execute();
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    const { charges, orders } = await audit(app);
    expect(charges.map(findRemainder)).toEqual([6000]);
    expect(orders.map(({ state }) => state)).toEqual(["cancelled", "completed"]);
  });

  test("details that are changed during payment: the account has the verified address", async () => {
    await using app = await openApp({ engine });
    for (const { round, details } of rounds) {
      const token = await prepareDraft(app, details);
      const typed = startDraft(app, { ...details, token, email: `typed-${round}@example.org` }).catch(() => undefined);
      await Promise.all([typed, pay(app, token, details)]);
    }
    const { members } = await audit(app);
    expect(members.filter(({ email }) => email.startsWith("typed"))).toEqual([]);
  });

  test("two sign-ups with one address pay at once: one account, and the other's money goes back", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const one = await prepareDraft(app, details);
      app.clock.advance(MINUTE_IN_MS);
      const other = await prepareDraft(app, { ...details, firstName: "Bea" });
      await Promise.all([pay(app, one, details), pay(app, other, details)]);
      const views = await Promise.all([one, other].map((token) => app.services.signUp.findDraft(token)));
      const states = new Set(views.map((draft) => draft?.payment.state));
      // A visitor who came too late was not charged at all.
      const either = [new Set(["completed", "refunded"]), new Set(["completed", "none"])];
      expect(either).toContainEqual(states);
    }
    const { members, charges } = await audit(app);
    expect(members).toHaveLength(rounds.length);
    expect(charges.filter((charge) => findRemainder(charge) > 0)).toHaveLength(rounds.length);
  });

  test("fifty people pay with the last seat of a code: one gets it, the others read why", async () => {
    await using app = await openApp({ engine });
    await app.services.codes.create({ code: "LAST-SEAT", seats: 1 });
    const people = Array.from({ length: 50 }, (_, number) => ({
      accountType: "corporate" as const,
      code: "last-seat",
      email: `colleague-${number}@example.org`,
      address: `203.0.113.${number}`,
    }));
    const tokens = await Promise.all(people.map((details) => startDraft(app, details)));
    await app.database.db.updateTable("drafts").set({ verifiedAt: app.clock() }).execute();
    const answers = await Promise.all(
      tokens.map((token, number) =>
        app.services.signUp.pay(token, { ...payment, shownPlanType: undefined, address: `203.0.113.${number}` }),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toEqual([{ ok: true, next: "completed" }]);
    const message = "All the places on this code are used. Please ask the person who gave it to you for another one.";
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 49 }, () => ({ ok: false, reason: "code-refused", message })),
    );
    const { codes, seats, members, orders } = await audit(app);
    expect(codes.map((code) => code.seatsTaken)).toEqual([1]);
    expect([seats, members, orders].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test("a company's colleague presses twice: one seat, and both answers say that it is done", async () => {
    await using app = await openApp({ engine });
    await app.services.codes.create({ code: "TWO-SEATS", seats: 2 });
    for (const { details } of rounds.slice(0, 2)) {
      const token = await prepareDraft(app, { ...details, accountType: "corporate", code: "TWO-SEATS" });
      const press = () => app.services.signUp.pay(token, { ...payment, shownPlanType: undefined });
      expect(await Promise.all([press(), press(), press()])).toEqual(
        Array.from({ length: 3 }, () => ({ ok: true, next: "completed" })),
      );
    }
    expect((await audit(app)).codes.map((code) => code.seatsTaken)).toEqual([2]);
  });

  test("webhook event, return page, reconciling and a second press at once: one membership, one session", async () => {
    await using app = await openApp({ engine, webhookManner: { copies: 2, isReversed: true } });
    const { signUp, payments, jobs } = app.services;
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      await authenticate(app, await pay(app, token, { ...details, card: "authentication" }));
      app.clock.advance(MINUTE_IN_MS);
      const work = [
        () => jobs.run("handle-webhooks"),
        () => payments.reconcile(),
        () => signUp.settle(token),
        () => signUp.settle(token),
        () => pay(app, token, details),
        () => payments.reconcile(),
      ];
      await Promise.all(work.map((each) => each()));
      expect((await signUp.findDraft(token))?.payment.state).toBe("completed");
      const sessions = await Promise.all(Array.from({ length: 5 }, () => signUp.claimSession(token)));
      expect(sessions).toEqual(Array.from({ length: 5 }, () => sessions[0]));
      expect(sessions[0]).toBeDefined();
    }
    const { charges, subscriptions } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(rounds.map(() => 6000));
    expect(subscriptions).toHaveLength(rounds.length);
  });

  test("a bank that agrees while another plan is chosen: never both plans", async () => {
    await using app = await openApp({ engine });
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      const begun = await pay(app, token, { ...details, card: "authentication" });
      const [chosen] = await Promise.all([app.services.signUp.choosePlan(token, 1), authenticate(app, begun)]);
      await app.services.signUp.settle(token);
      if (chosen.ok)
        expect(await pay(app, token, { ...details, shownPlanType: 1 })).toMatchObject({ next: "completed" });
      const view = (await app.services.signUp.findDraft(token))?.payment;
      expect(view).toMatchObject({ state: "completed", amountInPence: chosen.ok ? 1500 : 6000 });
    }
    expect((await audit(app)).charges).toHaveLength(rounds.length);
  });

  test("a refund that three jobs ask for at once is made once", async () => {
    await using app = await openApp({ engine });
    const { accounts, payments, signUp, jobs } = app.services;
    for (const { details } of rounds) {
      const token = await prepareDraft(app, details);
      const begun = await pay(app, token, { ...details, card: "authentication" });
      const other = { firstName: "Ann", lastName: "Other", accountType: "individual" as const };
      await accounts.register({ ...other, email: details.email, password: "quite-another-one" });
      await authenticate(app, begun);
      app.clock.advance(MINUTE_IN_MS);
      await Promise.all([
        payments.reconcile(),
        signUp.settle(token),
        jobs.run("handle-webhooks"),
        payments.reconcile(),
      ]);
    }
    const { charges } = await audit(app);
    expect(charges.map(({ refunds }) => refunds)).toEqual(rounds.map(() => [6000]));
  });
});
