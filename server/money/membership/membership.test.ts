import { describe, expect, test } from "vitest";

import { addMember, addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Engine, Queries } from "../../platform/database/database.ts";
import { createMembership } from "./membership.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { findCover } from "./cover.ts";

async function openMembership(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const { db, clock } = app;
  const { membership } = app.services;
  const { id: memberId } = await addMember(app);
  const inDays = (days: number) => after(clock(), days * DAY_IN_MS);
  const grantDays = (from: number, to: number, more: { memberId?: number; orderId?: number } = {}) =>
    membership.grant({ memberId, planType: 1, startsAt: inDays(from), endsAt: inDays(to), ...more });
  const findAccess = () => membership.findAccess(memberId);
  const placeOrder = async () => {
    const now = clock();
    const person = { email: "ada@dormouse.example", firstName: "Ada", lastName: "Lovell", postcode: "AB1 2CD" };
    const sold = { accountType: "individual", planType: 1, amountInPence: 1500, currency: "GBP" } as const;
    const order = { state: "paid", site: "https://dormouse.example/", country: "GB", createdAt: now, updatedAt: now };
    const added = db.insertInto("orders").values({ ...person, ...sold, ...order });
    return (await added.returning("id").executeTakeFirstOrThrow()).id;
  };
  const admit = (name: string) => addNamed(app, name);
  return { ...app, membership, memberId, admit, inDays, grantDays, findAccess, placeOrder };
}

const NO_ACCESS = { isActive: false, reason: "no-term" };

describe("membership", () => {
  test("gives access until the end of the term, to the millisecond, and none without one", async () => {
    await using app = await openMembership();
    const { clock, membership, memberId } = app;
    const access = { isActive: true, endsAt: app.inDays(1) };
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    expect(await membership.findCoverEnd(memberId)).toBeUndefined();
    await app.grantDays(0, 1);
    clock.advance(DAY_IN_MS - 1);
    expect(await app.findAccess()).toEqual(access);
    expect(await membership.findCoverEnd(memberId)).toEqual(access.endsAt);
    clock.advance(1);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    expect(await membership.findCoverEnd(memberId)).toBeUndefined();
  });

  test.each([10 * SECOND_IN_MS, 2 * HOUR_IN_MS])(
    "a server %i ms behind gives access too, and no longer",
    async (behind) => {
      await using app = await openMembership();
      const { clock, memberId } = app;
      const access = { isActive: true, endsAt: app.inDays(30) };
      const other = createMembership({ ...app.ctx, clock: () => after(clock(), -behind) });
      await app.grantDays(0, 30);
      expect(await other.findAccess(memberId)).toEqual(access);
      // A renewal there is queued behind it.
      expect(await other.findCoverEnd(memberId)).toEqual(access.endsAt);
      await app.grantDays(30, 60);
      const renewed = { isActive: true, endsAt: app.inDays(60) };
      expect(await other.findAccess(memberId)).toEqual(renewed);
      expect(await app.findAccess()).toEqual(renewed);
      clock.advance(60 * DAY_IN_MS + behind - 1);
      expect(await other.findAccess(memberId)).toMatchObject({ isActive: true });
      clock.advance(1);
      expect(await other.findAccess(memberId)).toEqual(NO_ACCESS);
    },
  );

  test("a renewal waits for its start when the term before it is revoked", async () => {
    await using app = await openMembership();
    const orderId = await app.placeOrder();
    await app.grantDays(0, 30, { orderId });
    await app.grantDays(30, 60);
    await app.membership.revokeOrder(orderId);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    app.clock.advance(30 * DAY_IN_MS);
    expect(await app.findAccess()).toMatchObject({ isActive: true });
  });

  test("access ends with the last term that follows without a gap, of that member only", async () => {
    await using app = await openMembership();
    await app.grantDays(0, 9);
    await app.grantDays(0, 1);
    await app.grantDays(9, 60);
    await app.grantDays(60, 90);
    await app.grantDays(0, 400, { memberId: await app.admit("Bo") });
    expect(await app.findAccess()).toEqual({ isActive: true, endsAt: app.inDays(90) });
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(app.inDays(90));
  });

  test("a term that was ended leaves a gap, before which access ends", async () => {
    await using app = await openMembership();
    const orderId = await app.placeOrder();
    await app.grantDays(0, 30);
    await app.grantDays(30, 60, { orderId });
    await app.grantDays(60, 90);
    await app.membership.revokeOrder(orderId);
    expect(await app.findAccess()).toEqual({ isActive: true, endsAt: app.inDays(30) });
    const coverOn = async (days: number) => {
      const cover = findCover(await app.membership.listFor(app.memberId), app.inDays(days));
      return cover.state === "active" || cover.state === "waiting" ? [cover.state, cover.endsAt] : [cover.state];
    };
    expect(await coverOn(29)).toEqual(["active", app.inDays(30)]);
    expect(await coverOn(30)).toEqual(["waiting", app.inDays(90)]);
    expect(await coverOn(60)).toEqual(["active", app.inDays(90)]);
    expect(await coverOn(90)).toEqual(["over"]);
    expect(findCover([], app.clock())).toEqual({ state: "none" });
  });

  test("lists all terms of one member, the last end first", async () => {
    await using app = await openMembership();
    const orderId = await app.placeOrder();
    await app.grantDays(-60, -30);
    await app.grantDays(0, 30, { orderId });
    await app.grantDays(0, 90, { memberId: await app.admit("Bo") });
    const term = { id: expect.any(Number), memberId: app.memberId, planType: 1, revokedAt: undefined };
    expect(await app.membership.listFor(app.memberId)).toEqual([
      { ...term, startsAt: app.clock(), endsAt: app.inDays(30), orderId },
      { ...term, startsAt: app.inDays(-60), endsAt: app.inDays(-30), orderId: undefined },
    ]);
  });
});

describe.each(engines)("granting on %s", (engine) => {
  test("one order grants one term, however often, concurrently or late it is granted", async () => {
    await using app = await openMembership(engine);
    const orderId = await app.placeOrder();
    const grants = await Promise.all(Array.from({ length: 10 }, () => app.grantDays(0, 30, { orderId })));
    expect(grants.filter(Boolean)).toHaveLength(1);
    expect(await app.grantDays(30, 60, { orderId })).toBe(false);
    expect(await app.membership.listFor(app.memberId)).toHaveLength(1);
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(app.inDays(30));
  });

  test("operators may grant twice without an order, and a rolled-back grant does not count", async () => {
    await using app = await openMembership(engine);
    const { membership, memberId } = app;
    const term = { memberId, planType: 1 as const, startsAt: app.clock(), endsAt: app.inDays(1) };
    await rollBack(app.db, (trx) => membership.grant(term, trx));
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    expect([await app.grantDays(0, 30), await app.grantDays(0, 30)]).toEqual([true, true]);
    expect(await membership.listFor(memberId)).toHaveLength(2);
  });

  test("three simultaneous renewals are queued one after the other", async () => {
    await using app = await openMembership(engine);
    const { clock, membership, memberId } = app;
    await app.grantDays(-20, 10);
    const renew = async () => {
      const orderId = await app.placeOrder();
      await app.db.transaction().execute(async (trx) => {
        const startsAt = (await membership.findCoverEnd(memberId, trx)) ?? clock();
        await membership.grant({ memberId, planType: 1, startsAt, endsAt: addMonths(startsAt, 1), orderId }, trx);
      });
    };
    await Promise.all([renew(), renew(), renew()]);
    const terms = (await membership.listFor(memberId)).toReversed();
    expect(terms).toHaveLength(4);
    expect(terms.slice(1).map(({ startsAt }) => startsAt)).toEqual(terms.slice(0, -1).map(({ endsAt }) => endsAt));
  });
});

describe("revoking", () => {
  test("ends access at once, future terms included, and keeps the dates and the time of the first revocation", async () => {
    await using app = await openMembership();
    const { clock, membership, memberId } = app;
    await app.grantDays(-60, -30);
    expect(await membership.revoke(memberId), "nothing to end").toBe(false);
    await app.grantDays(-30, 10);
    await app.grantDays(10, 40);
    const [now, lastEnd] = [clock(), app.inDays(40)];
    expect(await membership.revoke(memberId)).toBe(true);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    expect(await membership.findCoverEnd(memberId)).toBeUndefined();
    clock.advance(15 * DAY_IN_MS);
    expect(await membership.revoke(memberId)).toBe(false);
    const list = await membership.listFor(memberId);
    expect(list.map(({ revokedAt }) => revokedAt)).toEqual([now, now, undefined]);
    expect(list[0]?.endsAt).toEqual(lastEnd);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
  });

  test("ends neither another member's access nor a term bought afterwards, and nothing if rolled back", async () => {
    await using app = await openMembership();
    const bo = await app.admit("Bo");
    await app.grantDays(0, 30, { memberId: bo });
    await app.grantDays(0, 60);
    await rollBack(app.db, (trx) => app.membership.revoke(app.memberId, trx));
    expect(await app.findAccess()).toMatchObject({ isActive: true });
    await app.membership.revoke(app.memberId);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    await app.grantDays(0, 30);
    expect(await app.membership.findAccess(bo)).toMatchObject({ isActive: true });
    expect(await app.findAccess()).toEqual({ isActive: true, endsAt: app.inDays(30) });
  });

  test("can be undone while the term runs, and not once it is over", async () => {
    await using app = await openMembership();
    const { clock, membership, memberId } = app;
    await app.grantDays(0, 30);
    const access = { isActive: true, endsAt: app.inDays(30) };
    await membership.revoke(memberId);
    clock.advance(30 * DAY_IN_MS - 1);
    expect(await membership.restore(memberId)).toBe(true);
    expect(await app.findAccess()).toEqual(access);
    expect(await membership.restore(memberId)).toBe(false);
    await membership.revoke(memberId);
    clock.advance(1);
    expect(await membership.restore(memberId)).toBe(false);
    expect((await membership.listFor(memberId))[0]?.revokedAt).toBeDefined();
  });
});

async function openTerms(engine: Engine = "sqlite") {
  const app = await openMembership(engine);
  const { membership, memberId, inDays } = app;
  const grant = (days: number, whose = memberId) => app.grantDays(days - 28, days, { memberId: whose });
  const claimReminders = async (trx: Queries, limit = 100) =>
    (await membership.claimReminders({ from: app.clock(), to: inDays(7), limit }, trx)).endings;
  const remind = (limit?: number) => app.services.transact((trx) => claimReminders(trx, limit));
  const claimEnds = (limit = 100) =>
    app.services.transact((trx) => membership.claimEndEmails({ from: inDays(-7), to: app.clock(), limit }, trx));
  const announceEnds = async () => (await claimEnds()).endings;
  const passDays = (days: number) => app.clock.advance(days * DAY_IN_MS);
  return { ...app, grant, claimReminders, remind, claimEnds, announceEnds, passDays };
}

describe("the end of a term", () => {
  test("is reminded of from seven days before it, once", async () => {
    await using app = await openTerms();
    const { clock, memberId } = app;
    await app.grant(7);
    clock.advance(-1);
    expect(await app.remind()).toEqual([]);
    clock.advance(1);
    expect(await app.remind()).toMatchObject([
      { id: expect.any(Number), memberId, planType: 1, endsAt: app.inDays(7) },
    ]);
    expect(await app.remind()).toEqual([]);
    app.passDays(1);
    expect(await app.remind()).toEqual([]);
  });

  test("is reminded of later by a job that missed the seventh day, but never after the end", async () => {
    await using app = await openTerms();
    await app.grant(7);
    await app.grant(14, await app.admit("Bo"));
    app.passDays(7);
    expect(await app.remind()).toMatchObject([{ endsAt: app.inDays(7) }]);
  });

  test("is announced once when it comes, with or without a reminder before, and not long after", async () => {
    await using app = await openTerms();
    const { clock, memberId } = app;
    await app.grant(1);
    await app.grant(1, await app.admit("Bo"));
    await app.grant(-6, await app.admit("Cy"));
    expect(await app.remind(1)).toHaveLength(1);
    clock.advance(DAY_IN_MS - 1);
    expect((await app.announceEnds()).map(({ endsAt }) => endsAt < clock())).toEqual([true]);
    clock.advance(1);
    expect(await app.announceEnds()).toMatchObject([{ memberId, endsAt: clock() }, { endsAt: clock() }]);
    expect(await app.announceEnds()).toEqual([]);
    await app.grant(-7, await app.admit("Di"));
    expect(await app.announceEnds()).toEqual([]);
  });

  test("is neither reminded of nor announced when a later term of the same member follows", async () => {
    await using app = await openTerms();
    await app.grant(1);
    await app.grant(28);
    const bo = await app.admit("Bo");
    await app.grant(1, bo);
    expect(await app.remind(), "another member's later term hides nothing").toMatchObject([{ memberId: bo }]);
    await app.grant(28, bo);
    app.passDays(1);
    expect(await app.announceEnds(), "renewed after the reminder").toEqual([]);
    app.passDays(21);
    expect(await app.remind()).toHaveLength(2);
    app.passDays(6);
    expect(await app.announceEnds()).toMatchObject([{ endsAt: app.clock() }, { endsAt: app.clock() }]);
  });

  test("of a member who had renewed is looked at once, however often the job runs", async () => {
    await using app = await openTerms();
    await app.grant(1);
    await app.grant(28);
    app.passDays(1);
    expect(await app.claimEnds(1)).toEqual({ endings: [], hasMore: true });
    expect(await app.claimEnds(1)).toEqual({ endings: [], hasMore: false });
  });

  test("is announced once when two terms end together", async () => {
    await using app = await openTerms();
    for (let count = 0; count < 2; count += 1) await app.grant(1);
    expect([(await app.remind()).length, (await app.remind()).length]).toEqual([1, 0]);
    app.passDays(1);
    expect([(await app.announceEnds()).length, (await app.announceEnds()).length]).toEqual([1, 0]);
  });

  test("is neither reminded of nor announced while the term is revoked, and takes no place in a batch", async () => {
    await using app = await openTerms();
    const bo = await app.admit("Bo");
    await app.grant(1);
    await app.grant(2, bo);
    await app.membership.revoke(app.memberId);
    expect(await app.remind(1)).toMatchObject([{ memberId: bo }]);
    expect(await app.remind()).toEqual([]);
    await app.membership.restore(app.memberId);
    expect(await app.remind()).toHaveLength(1);
    await app.membership.revoke(app.memberId);
    app.passDays(1);
    expect(await app.announceEnds()).toEqual([]);
  });

  test("is not hidden by a revoked renewal", async () => {
    await using app = await openTerms();
    const orderId = await app.placeOrder();
    await app.grant(1);
    await app.grantDays(1, 28, { orderId });
    await app.membership.revokeOrder(orderId);
    expect(await app.remind()).toMatchObject([{ endsAt: app.inDays(1) }]);
  });
});

describe.each(engines)("claiming endings on %s", (engine) => {
  test("takes the first to end, the next time the rest, and again what was rolled back", async () => {
    await using app = await openTerms(engine);
    const members = [await app.admit("Bo"), await app.admit("Cy"), await app.admit("Di")] as const;
    for (const [index, days] of [3, 1, 2].entries()) await app.grant(days, members[index]);
    await rollBack(app.db, async (trx) => expect(await app.claimReminders(trx)).toHaveLength(3));
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[1], members[2]]);
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[0]]);
    expect(await app.remind(2)).toEqual([]);
  });

  test("by five processes at once claims each ending once", async () => {
    await using app = await openTerms(engine);
    for (let count = 0; count < 20; count += 1) await app.grant(1 + count / 100, await app.admit(`member${count}`));
    const claimed = (await Promise.all(Array.from({ length: 5 }, () => app.remind(10)))).flat();
    const ids = [...claimed, ...(await app.remind())].map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });
});
