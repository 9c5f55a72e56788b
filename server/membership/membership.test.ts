import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openMembershipApp as openApp } from "../../tests/helpers/membership-app.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createMembership } from "./membership.ts";
import { addMonths } from "./plans.ts";

describe.each(engines)("membership on %s", (engine) => {
  test("who has paid for nothing sees nothing", async () => {
    await using app = await openApp(engine);
    expect(await app.membership.findAccess(app.memberId)).toEqual({ isActive: false });
  });

  test("a granted term gives access until its end, to the millisecond", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    const endsAt = after(clock(), DAY_IN_MS);
    await membership.grant({ memberId, planType: 1, startsAt: clock(), endsAt });
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    clock.advance(DAY_IN_MS - 1);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    clock.advance(1);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
  });

  test.each([10 * SECOND_IN_MS, 2 * HOUR_IN_MS])(
    "a server %i ms behind gives access too, and no longer",
    async (behind) => {
      await using app = await openApp(engine);
      const { clock, memberId } = app;
      const endsAt = after(clock(), 30 * DAY_IN_MS);
      const other = createMembership({ ...app.ctx, clock: () => after(clock(), -behind) });
      await app.grantDays(0, 30);
      expect(await other.findAccess(memberId)).toEqual({ isActive: true, endsAt });
      // A renewal there is queued behind it, and the running term is what access speaks of.
      expect(await other.findCoverEnd(memberId)).toEqual(endsAt);
      await app.grantDays(30, 60);
      expect(await other.findAccess(memberId)).toEqual({ isActive: true, endsAt });
      expect(await app.membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
      clock.advance(60 * DAY_IN_MS + behind - 1);
      expect(await other.findAccess(memberId)).toMatchObject({ isActive: true });
      clock.advance(1);
      expect(await other.findAccess(memberId)).toEqual({ isActive: false });
    },
  );

  test("a renewal waits for its start when the term before it is revoked", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    const orderId = await app.placeOrder();
    await app.grantDays(0, 30, { orderId });
    await app.grantDays(30, 60);
    await membership.revokeOrder(orderId);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
    clock.advance(30 * DAY_IN_MS);
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
  });

  test("of two terms the later end counts", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    const later = after(clock(), 9 * DAY_IN_MS);
    await membership.grant({ memberId, planType: 3, startsAt: clock(), endsAt: later });
    await membership.grant({ memberId, planType: 1, startsAt: clock(), endsAt: after(clock(), DAY_IN_MS) });
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt: later });
  });
});

describe.each(engines)("granting on %s", (engine) => {
  test("one order gives one term, however often and at whatever time it is granted", async () => {
    await using app = await openApp(engine);
    const orderId = await app.placeOrder();
    expect(await app.grantDays(0, 30, { orderId })).toBe(true);
    expect(await app.grantDays(30, 60, { orderId })).toBe(false);
    expect(await app.membership.listFor(app.memberId)).toHaveLength(1);
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(after(app.clock(), 30 * DAY_IN_MS));
  });

  test("of ten grants of one order at once one is the first", async () => {
    await using app = await openApp(engine);
    const orderId = await app.placeOrder();
    const grants = Array.from({ length: 10 }, () => app.grantDays(0, 30, { orderId }));
    expect((await Promise.all(grants)).filter(Boolean)).toHaveLength(1);
    expect(await app.membership.listFor(app.memberId)).toHaveLength(1);
  });

  test("what operators give needs no order and may be given twice", async () => {
    await using app = await openApp(engine);
    expect(await app.grantDays(0, 30)).toBe(true);
    expect(await app.grantDays(0, 30)).toBe(true);
    expect(await app.membership.listFor(app.memberId)).toHaveLength(2);
  });

  test("a grant is undone with the transaction it was part of", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    const crash = app.db.transaction().execute(async (trx) => {
      await membership.grant({ memberId, planType: 1, startsAt: clock(), endsAt: after(clock(), DAY_IN_MS) }, trx);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
  });

  test("the list tells everything, the last end first, of one member only", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    const orderId = await app.placeOrder();
    await app.grantDays(-60, -30);
    await app.grantDays(0, 30, { orderId });
    await app.grantDays(0, 90, { memberId: await app.register("bo") });
    const list = await membership.listFor(memberId);
    expect(list).toEqual([
      {
        id: expect.any(Number),
        memberId,
        planType: 1,
        startsAt: clock(),
        endsAt: after(clock(), 30 * DAY_IN_MS),
        orderId,
        revokedAt: undefined,
      },
      {
        id: expect.any(Number),
        memberId,
        planType: 1,
        startsAt: after(clock(), -60 * DAY_IN_MS),
        endsAt: after(clock(), -30 * DAY_IN_MS),
        orderId: undefined,
        revokedAt: undefined,
      },
    ]);
  });
});

describe.each(engines)("the end of the cover on %s", (engine) => {
  test("there is none before anything was paid, nor when all is over", async () => {
    await using app = await openApp(engine);
    expect(await app.membership.findCoverEnd(app.memberId)).toBeUndefined();
    await app.grantDays(0, 30);
    app.clock.advance(30 * DAY_IN_MS - 1);
    expect(await app.membership.findCoverEnd(app.memberId)).toBeDefined();
    app.clock.advance(1);
    expect(await app.membership.findCoverEnd(app.memberId)).toBeUndefined();
  });

  test("what lies ahead counts, what is another's does not", async () => {
    await using app = await openApp(engine);
    await app.grantDays(0, 30);
    await app.grantDays(30, 60);
    await app.grantDays(0, 400, { memberId: await app.register("bo") });
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(after(app.clock(), 60 * DAY_IN_MS));
  });

  test("three renewals at once stand one behind the other", async () => {
    await using app = await openApp(engine);
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
