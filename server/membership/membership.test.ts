import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createAccounts } from "../accounts/accounts.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createMembership } from "./membership.ts";
import { addMonths } from "./plans.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const membership = createMembership({ db: database.db, clock });
  const accounts = createAccounts({ db: database.db, clock });
  const register = async (name: string) => {
    const member = await accounts.register({
      email: `${name}@dormouse.example`,
      password: "sleep-well-tonight",
      firstName: name,
      lastName: "Lovell",
      accountType: "individual",
    });
    return member?.id ?? 0;
  };
  const memberId = await register("ada");
  /** A term of so many days, counted from now. */
  const grantDays = (from: number, to: number, more: { memberId?: number; orderId?: number } = {}) =>
    membership.grant({
      memberId,
      planType: 1,
      startsAt: after(clock(), from * DAY_IN_MS),
      endsAt: after(clock(), to * DAY_IN_MS),
      ...more,
    });
  const placeOrder = async () => {
    const { id } = await database.db
      .insertInto("orders")
      .values({
        account_type: "individual",
        plan_type: 1,
        amount_in_pence: 1500,
        currency: "GBP",
        state: "paid",
        email: "ada@dormouse.example",
        first_name: "Ada",
        last_name: "Lovell",
        postcode: "AB1 2CD",
        site: "https://dormouse.example/",
        country: "GB",
        created_at: clock().toISOString(),
        updated_at: clock().toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };
  return { ...database, clock, membership, memberId, register, grantDays, placeOrder };
}

describe.each(engines)("membership on %s", (engine) => {
  test("who has paid for nothing sees nothing", async () => {
    await using house = await openHouse(engine);
    expect(await house.membership.findAccess(house.memberId)).toEqual({ isActive: false });
  });

  test("access begins and ends with its dates, to the millisecond", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    const startsAt = after(clock(), 1);
    const endsAt = after(startsAt, DAY_IN_MS);
    await membership.grant({ memberId, planType: 1, startsAt, endsAt });
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
    clock.advance(1);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    clock.advance(DAY_IN_MS - 1);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    clock.advance(1);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
  });

  test("of two terms the later end counts", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    const later = after(clock(), 9 * DAY_IN_MS);
    await membership.grant({ memberId, planType: 3, startsAt: clock(), endsAt: later });
    await membership.grant({ memberId, planType: 1, startsAt: clock(), endsAt: after(clock(), DAY_IN_MS) });
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt: later });
  });

  test("a plan that does not exist cannot be granted", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    const planType = 4 as 3;
    await expect(membership.grant({ memberId, planType, startsAt: clock(), endsAt: clock() })).rejects.toThrow();
  });
});

describe.each(engines)("granting on %s", (engine) => {
  test("one order gives one term, however often and at whatever time it is granted", async () => {
    await using house = await openHouse(engine);
    const orderId = await house.placeOrder();
    expect(await house.grantDays(0, 30, { orderId })).toBe(true);
    expect(await house.grantDays(30, 60, { orderId })).toBe(false);
    expect(await house.membership.listFor(house.memberId)).toHaveLength(1);
    expect(await house.membership.findCoverEnd(house.memberId)).toEqual(after(house.clock(), 30 * DAY_IN_MS));
  });

  test("of ten grants of one order at once one is the first", async () => {
    await using house = await openHouse(engine);
    const orderId = await house.placeOrder();
    const grants = Array.from({ length: 10 }, () => house.grantDays(0, 30, { orderId }));
    expect((await Promise.all(grants)).filter(Boolean)).toHaveLength(1);
    expect(await house.membership.listFor(house.memberId)).toHaveLength(1);
  });

  test("what operators give needs no order and may be given twice", async () => {
    await using house = await openHouse(engine);
    expect(await house.grantDays(0, 30)).toBe(true);
    expect(await house.grantDays(0, 30)).toBe(true);
    expect(await house.membership.listFor(house.memberId)).toHaveLength(2);
  });

  test("a grant is undone with the transaction it was part of", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    const crash = house.db.transaction().execute(async (trx) => {
      await membership.grant({ memberId, planType: 1, startsAt: clock(), endsAt: after(clock(), DAY_IN_MS) }, trx);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
  });

  test("the list tells everything, the last end first, of one member only", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    const orderId = await house.placeOrder();
    await house.grantDays(-60, -30);
    await house.grantDays(0, 30, { orderId });
    await house.grantDays(0, 90, { memberId: await house.register("bo") });
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
    await using house = await openHouse(engine);
    expect(await house.membership.findCoverEnd(house.memberId)).toBeUndefined();
    await house.grantDays(0, 30);
    house.clock.advance(30 * DAY_IN_MS - 1);
    expect(await house.membership.findCoverEnd(house.memberId)).toBeDefined();
    house.clock.advance(1);
    expect(await house.membership.findCoverEnd(house.memberId)).toBeUndefined();
  });

  test("what lies ahead counts, what is another's does not", async () => {
    await using house = await openHouse(engine);
    await house.grantDays(0, 30);
    await house.grantDays(30, 60);
    await house.grantDays(0, 400, { memberId: await house.register("bo") });
    expect(await house.membership.findCoverEnd(house.memberId)).toEqual(after(house.clock(), 60 * DAY_IN_MS));
  });

  test("three renewals at once stand one behind the other", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    await house.grantDays(-20, 10);
    const renew = async () => {
      const orderId = await house.placeOrder();
      await house.db.transaction().execute(async (trx) => {
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

describe.each(engines)("revoking on %s", (engine) => {
  test("ends access at once, also what lies ahead, and remembers the dates", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    await house.grantDays(-60, -30);
    await house.grantDays(-30, 10);
    await house.grantDays(10, 40);
    expect(await membership.revoke(memberId)).toBe(true);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
    expect(await membership.findCoverEnd(memberId)).toBeUndefined();
    const list = await membership.listFor(memberId);
    expect(list.map(({ revokedAt }) => revokedAt)).toEqual([clock(), clock(), undefined]);
    expect(list[0]?.endsAt).toEqual(after(clock(), 40 * DAY_IN_MS));
    clock.advance(15 * DAY_IN_MS);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
  });

  test("says when there was nothing to end, and the first time of revoking stays", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    expect(await membership.revoke(memberId)).toBe(false);
    await house.grantDays(-60, -30);
    expect(await membership.revoke(memberId)).toBe(false);
    await house.grantDays(0, 30);
    const revokedAt = clock();
    await membership.revoke(memberId);
    clock.advance(DAY_IN_MS);
    expect(await membership.revoke(memberId)).toBe(false);
    expect((await membership.listFor(memberId))[0]?.revokedAt).toEqual(revokedAt);
  });

  test("ends nobody else's access, nor a term bought afterwards", async () => {
    await using house = await openHouse(engine);
    const bo = await house.register("bo");
    await house.grantDays(0, 30, { memberId: bo });
    await house.grantDays(0, 60);
    await house.membership.revoke(house.memberId);
    await house.grantDays(0, 30);
    expect(await house.membership.findAccess(bo)).toMatchObject({ isActive: true });
    const endsAt = after(house.clock(), 30 * DAY_IN_MS);
    expect(await house.membership.findAccess(house.memberId)).toEqual({ isActive: true, endsAt });
  });

  test("is taken back where the dates still run", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    await house.grantDays(0, 30);
    const endsAt = after(clock(), 30 * DAY_IN_MS);
    await membership.revoke(memberId);
    clock.advance(30 * DAY_IN_MS - 1);
    expect(await membership.restore(memberId)).toBe(true);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    expect(await membership.restore(memberId)).toBe(false);
  });

  test("is not taken back once the dates are over", async () => {
    await using house = await openHouse(engine);
    const { clock, membership, memberId } = house;
    await house.grantDays(0, 30);
    await membership.revoke(memberId);
    clock.advance(30 * DAY_IN_MS);
    expect(await membership.restore(memberId)).toBe(false);
    expect((await membership.listFor(memberId))[0]?.revokedAt).toBeDefined();
  });

  test("is undone with the transaction it was part of", async () => {
    await using house = await openHouse(engine);
    await house.grantDays(0, 30);
    const crash = house.db.transaction().execute(async (trx) => {
      expect(await house.membership.revoke(house.memberId, trx)).toBe(true);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await house.membership.findAccess(house.memberId)).toMatchObject({ isActive: true });
  });
});
