import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { addNamed, openApp, type App } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { findGiftCode, giftDetails, giveGift, payForGift, startGift } from "../helpers/gifts.ts";
import { findRemainder, listFaults, readLedger } from "./ledger.ts";
import { ada, startDraft } from "./visitor.ts";

const { site } = giftDetails;

/** One seat: one winner, whatever comes at the same time. On PostgreSQL really so. */
describe.each(engines)("races for a gift on %s", (engine) => {
  const rounds = Array.from({ length: 50 }, (_, round) => round);
  const sheet = { isSheet: true };

  async function audit(app: App) {
    for (const time of [1000, MINUTE_IN_MS, 91 * MINUTE_IN_MS]) await app.pass(time);
    const ledger = await readLedger(app.db);
    expect(listFaults(ledger)).toEqual([]);
    return ledger;
  }

  async function giveSent(app: App, round: number) {
    const network = { address: `198.51.100.${round + 1}` };
    const { id } = await giveGift(app, { ...sheet, ...network });
    return { id, code: await findGiftCode(app, id) };
  }

  /** Another network each, so that no rate limit applies. */
  function takeUp(app: App, code: string, memberId: number) {
    return app.services.gifts.takeUp({ code, memberId, address: `203.0.113.${memberId % 250}` });
  }

  test("fifty members press at once: one has it, the others read that it is taken up", async () => {
    await using app = await openApp({ engine });
    const { id, code } = await giveSent(app, 0);
    const members = [];
    for (const round of rounds) members.push(await addNamed(app, `Wren${round}`));
    const answers = await Promise.all(members.map((memberId) => takeUp(app, code, memberId)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(answers.map((answer) => (answer.ok ? "ok" : answer.reason)))).toEqual(new Set(["ok", "taken-up"]));
    const { subscriptions, codes } = await audit(app);
    expect(subscriptions).toHaveLength(1);
    expect(codes.map(({ seatsTaken }) => seatsTaken)).toEqual([1]);
    expect(await app.services.gifts.find(id)).toMatchObject({ state: "taken-up" });
  });

  test("fifty double clicks of a member's: one term each, and both answers name it", async () => {
    await using app = await openApp({ engine });
    for (const round of rounds) {
      const { code } = await giveSent(app, round);
      const memberId = await addNamed(app, `Wren${round}`);
      const [first, second] = await Promise.all([takeUp(app, code, memberId), takeUp(app, code, memberId)]);
      expect(first).toMatchObject({ ok: true });
      expect(second).toEqual(first);
    }
    expect((await audit(app)).subscriptions).toHaveLength(50);
  });

  test("a visitor who joins with it and a member with the same link: one of them has it", async () => {
    await using app = await openApp({ engine });
    const winners = new Set<string>();
    for (const round of rounds) {
      const { code } = await giveSent(app, round);
      const network = { address: `192.0.2.${round + 1}` };
      const email = `joining-${round}@example.org`;
      const token = await startDraft(app, { ...ada, ...network, email, giftCode: code });
      await app.db.updateTable("drafts").set({ verifiedAt: app.clock() }).execute();
      const memberId = await addNamed(app, `Wren${round}`);
      const [joined, taken] = await Promise.all([
        app.services.signUp.takeGift(token, { ...network, site }),
        takeUp(app, code, memberId),
      ]);
      expect([joined.ok, taken.ok].filter(Boolean)).toHaveLength(1);
      expect((await app.services.accounts.findByEmail(email)) !== undefined).toBe(joined.ok);
      winners.add(joined.ok ? "visitor" : "member");
    }
    expect((await audit(app)).subscriptions).toHaveLength(50);
    expect(winners.size).toBeGreaterThan(0);
  });

  test("its giver cancels while it is taken up: a refund or a term, never both", async () => {
    await using app = await openApp({ engine });
    for (const round of rounds) {
      const { id, code } = await giveSent(app, round);
      const memberId = await addNamed(app, `Wren${round}`);
      const work = [() => app.services.gifts.cancel(id), () => takeUp(app, code, memberId)];
      const answers = await Promise.all((round % 2 ? work.toReversed() : work).map((each) => each()));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const { isActive } = await app.services.membership.findAccess(memberId);
      expect((await app.services.gifts.find(id))?.state).toBe(isActive ? "taken-up" : "cancelled");
    }
    const { charges, subscriptions } = await audit(app);
    expect(charges.filter((charge) => findRemainder(charge) > 0)).toHaveLength(subscriptions.length);
  });

  test("an operator refunds it while it is taken up: it ends, or the operator is asked", async () => {
    await using app = await openApp({ engine });
    const by = { operator: "olive", reason: "They asked" };
    for (const round of rounds) {
      const { id, code } = await giveSent(app, round);
      const memberId = await addNamed(app, `Wren${round}`);
      const work = [() => app.services.payments.giveBack({ orderId: id, by }), () => takeUp(app, code, memberId)];
      const [one, other] = await Promise.all((round % 2 ? work.toReversed() : work).map((each) => each()));
      const taken = round % 2 ? one : other;
      expect(await app.services.gifts.find(id)).toMatchObject(
        taken?.ok ? { state: "taken-up", question: "refunded" } : { state: "refunded", question: undefined },
      );
    }
    const { charges } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(rounds.map(() => 0));
  });

  test("another address while it is taken up with the code of the earlier one", async () => {
    await using app = await openApp({ engine });
    for (const round of rounds) {
      const { id } = await giveGift(app, { address: `198.51.100.${round + 1}` });
      app.clock.advance(round === 0 ? 6 * 60 * MINUTE_IN_MS : 0);
      await app.services.gifts.lookAfter();
      const code = await findGiftCode(app, id);
      const memberId = await addNamed(app, `Wren${round}`);
      const change = { giftId: id, recipientName: "Bea", recipientEmail: `bea-${round}@here.example` };
      const work = [() => app.services.gifts.changeRecipient(change), () => takeUp(app, code, memberId)];
      const answers = await Promise.all((round % 2 ? work.toReversed() : work).map((each) => each()));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    }
    await audit(app);
  });

  test("two tabs pay, and two servers send it: one charge, one email", async () => {
    await using app = await openApp({ engine });
    for (const round of rounds.slice(0, 10)) {
      const network = { address: `198.51.100.${round + 1}` };
      const token = await startGift(app, { ...network, day: "2026-11-21" });
      const press = () => payForGift(app, token, network);
      const answers = await Promise.all([press(), press()]);
      expect(answers.every(({ ok }) => ok)).toBe(true);
      await app.services.gifts.settle(token);
    }
    app.clock.advance(30 * 60 * MINUTE_IN_MS);
    await Promise.all([1, 2, 3].map(() => app.services.gifts.lookAfter()));
    const { charges, emails } = await audit(app);
    expect(charges.map(findRemainder)).toEqual(Array.from({ length: 10 }, () => 6000));
    expect(emails.filter(({ kind }) => kind === "gift")).toHaveLength(10);
  });
});
