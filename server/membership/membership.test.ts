import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openMembershipApp as openApp } from "../../tests/helpers/membership-app.ts";
import { rollBack } from "../../tests/helpers/test-context.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createMembership } from "./membership.ts";
import { addMonths } from "./plans.ts";

const NO_ACCESS = { isActive: false };

describe("membership", () => {
  test("gives access until the end of the term, to the millisecond, and none without one", async () => {
    await using app = await openApp();
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
      await using app = await openApp();
      const { clock, memberId } = app;
      const access = { isActive: true, endsAt: app.inDays(30) };
      const other = createMembership({ ...app.ctx, clock: () => after(clock(), -behind) });
      await app.grantDays(0, 30);
      expect(await other.findAccess(memberId)).toEqual(access);
      // A renewal there is queued behind it, and the running term is what access speaks of.
      expect(await other.findCoverEnd(memberId)).toEqual(access.endsAt);
      await app.grantDays(30, 60);
      expect(await other.findAccess(memberId)).toEqual(access);
      expect(await app.findAccess()).toEqual(access);
      clock.advance(60 * DAY_IN_MS + behind - 1);
      expect(await other.findAccess(memberId)).toMatchObject({ isActive: true });
      clock.advance(1);
      expect(await other.findAccess(memberId)).toEqual(NO_ACCESS);
    },
  );

  test("a renewal waits for its start when the term before it is revoked", async () => {
    await using app = await openApp();
    const orderId = await app.placeOrder();
    await app.grantDays(0, 30, { orderId });
    await app.grantDays(30, 60);
    await app.membership.revokeOrder(orderId);
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    app.clock.advance(30 * DAY_IN_MS);
    expect(await app.findAccess()).toMatchObject({ isActive: true });
  });

  test("of several terms the latest end counts, also one ahead, and none of another member's", async () => {
    await using app = await openApp();
    await app.grantDays(0, 9);
    await app.grantDays(0, 1);
    await app.grantDays(9, 60);
    await app.grantDays(0, 400, { memberId: await app.admit("Bo") });
    expect(await app.findAccess()).toEqual({ isActive: true, endsAt: app.inDays(9) });
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(app.inDays(60));
  });

  test("the list tells everything, the last end first, of one member only", async () => {
    await using app = await openApp();
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
  test("one order gives one term, however often, at once or at whatever time it is granted", async () => {
    await using app = await openApp(engine);
    const orderId = await app.placeOrder();
    const grants = await Promise.all(Array.from({ length: 10 }, () => app.grantDays(0, 30, { orderId })));
    expect(grants.filter(Boolean)).toHaveLength(1);
    expect(await app.grantDays(30, 60, { orderId })).toBe(false);
    expect(await app.membership.listFor(app.memberId)).toHaveLength(1);
    expect(await app.membership.findCoverEnd(app.memberId)).toEqual(app.inDays(30));
  });

  test("operators may give twice, without an order; what a transaction undoes is not given", async () => {
    await using app = await openApp(engine);
    const { membership, memberId } = app;
    const term = { memberId, planType: 1 as const, startsAt: app.clock(), endsAt: app.inDays(1) };
    await rollBack(app.db, (trx) => membership.grant(term, trx));
    expect(await app.findAccess()).toEqual(NO_ACCESS);
    expect([await app.grantDays(0, 30), await app.grantDays(0, 30)]).toEqual([true, true]);
    expect(await membership.listFor(memberId)).toHaveLength(2);
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

describe("revoking", () => {
  test("ends access at once, also what lies ahead, and remembers the dates and the first time", async () => {
    await using app = await openApp();
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

  test("ends nobody else's access, nor a term bought afterwards, nor anything if it is undone", async () => {
    await using app = await openApp();
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

  test("is taken back while the dates run, and not once they are over", async () => {
    await using app = await openApp();
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
