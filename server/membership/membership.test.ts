import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createAccounts } from "../accounts/accounts.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createMembership } from "./membership.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const membership = createMembership({ db: database.db, clock });
  const accounts = createAccounts({ db: database.db, clock });
  const member = await accounts.register({
    email: "ada@dormouse.example",
    password: "sleep-well-tonight",
    firstName: "Ada",
    lastName: "Lovell",
    accountType: "individual",
  });
  return { ...database, clock, membership, memberId: member?.id ?? 0 };
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
