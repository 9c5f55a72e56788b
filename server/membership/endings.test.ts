import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createMembership } from "./membership.ts";

const WEEK_IN_MS = 7 * DAY_IN_MS;

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const { clock } = ctx;
  const membership = createMembership(ctx);
  const { accounts } = createTestAccounts(ctx);
  const register = async (name: string) => {
    const details = { firstName: name, lastName: "L", accountType: "individual", password: "sleep-well" } as const;
    const member = await accounts.register({ ...details, email: `${name}@dormouse.example` });
    return member?.id ?? 0;
  };
  const memberId = await register("ada");
  /** A term that ends so many milliseconds from now. */
  const grantUntil = (ms: number, whose = memberId) =>
    membership.grant({
      memberId: whose,
      planType: 2,
      startsAt: after(clock(), ms - WEEK_IN_MS * 4),
      endsAt: after(clock(), ms),
    });
  const remind = (limit = 100) =>
    database.db
      .transaction()
      .execute((trx) => membership.claimReminders({ from: clock(), to: after(clock(), WEEK_IN_MS), limit }, trx));
  const tellEnds = (limit = 100) =>
    database.db
      .transaction()
      .execute((trx) => membership.claimEndEmails({ from: after(clock(), -WEEK_IN_MS), to: clock(), limit }, trx));
  return { ...database, clock, membership, memberId, register, grantUntil, remind, tellEnds };
}

describe.each(engines)("endings on %s", (engine) => {
  test("a term is reminded of from seven days before its end, once", async () => {
    await using app = await openApp(engine);
    const { clock, memberId } = app;
    await app.grantUntil(WEEK_IN_MS + 1);
    const endsAt = after(clock(), WEEK_IN_MS + 1);
    expect(await app.remind()).toEqual([]);
    clock.advance(1);
    expect(await app.remind()).toEqual([{ id: expect.any(Number), memberId, planType: 2, endsAt }]);
    expect(await app.remind()).toEqual([]);
    clock.advance(DAY_IN_MS);
    expect(await app.remind()).toEqual([]);
  });

  test("a job that slept through the seventh day reminds later, but never of what is over", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(WEEK_IN_MS);
    await app.grantUntil(2 * WEEK_IN_MS, await app.register("bo"));
    app.clock.advance(WEEK_IN_MS);
    expect(await app.remind()).toMatchObject([{ endsAt: after(app.clock(), WEEK_IN_MS) }]);
  });

  test("the end is told when it is there, once, whether it was reminded of or not", async () => {
    await using app = await openApp(engine);
    const { clock, memberId } = app;
    await app.grantUntil(DAY_IN_MS);
    await app.grantUntil(DAY_IN_MS, await app.register("bo"));
    expect(await app.remind(1)).toHaveLength(1);
    clock.advance(DAY_IN_MS - 1);
    expect(await app.tellEnds()).toEqual([]);
    clock.advance(1);
    expect(await app.tellEnds()).toMatchObject([{ memberId, endsAt: clock() }, { endsAt: clock() }]);
    expect(await app.tellEnds()).toEqual([]);
  });

  test("an end that is long past is not told any more", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    app.clock.advance(DAY_IN_MS + WEEK_IN_MS);
    expect(await app.tellEnds()).toEqual([]);
  });

  test("who has renewed already is not reminded of the old term, nor told of its end", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    await app.grantUntil(4 * WEEK_IN_MS);
    expect(await app.remind()).toEqual([]);
    app.clock.advance(DAY_IN_MS);
    expect(await app.tellEnds()).toEqual([]);
    app.clock.advance(3 * WEEK_IN_MS);
    expect(await app.remind()).toHaveLength(1);
    app.clock.advance(WEEK_IN_MS - DAY_IN_MS);
    expect(await app.tellEnds()).toMatchObject([{ endsAt: app.clock() }]);
  });

  test("who renews after the reminder is not told of the old end", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    expect(await app.remind()).toHaveLength(1);
    await app.grantUntil(4 * WEEK_IN_MS);
    app.clock.advance(DAY_IN_MS);
    expect(await app.tellEnds()).toEqual([]);
  });

  test("another member's later term hides nothing", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    await app.grantUntil(4 * WEEK_IN_MS, await app.register("bo"));
    expect(await app.remind()).toMatchObject([{ memberId: app.memberId }]);
  });

  test("of two terms that end together one is told of", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    await app.grantUntil(DAY_IN_MS);
    expect(await app.remind()).toHaveLength(1);
    expect(await app.remind()).toEqual([]);
    app.clock.advance(DAY_IN_MS);
    expect(await app.tellEnds()).toHaveLength(1);
    expect(await app.tellEnds()).toEqual([]);
  });

  test("what was revoked is neither reminded of nor told, until it is restored", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    await app.membership.revoke(app.memberId);
    expect(await app.remind()).toEqual([]);
    await app.membership.restore(app.memberId);
    expect(await app.remind()).toHaveLength(1);
    await app.membership.revoke(app.memberId);
    app.clock.advance(DAY_IN_MS);
    expect(await app.tellEnds()).toEqual([]);
  });

  test("a revoked renewal does not hide the end of the term before", async () => {
    await using app = await openApp(engine);
    await app.grantUntil(DAY_IN_MS);
    const rest = await app.membership.listFor(app.memberId);
    await app.grantUntil(4 * WEEK_IN_MS);
    await app.db
      .updateTable("subscriptions")
      .set({ revoked_at: app.clock().toISOString() })
      .where("id", "!=", rest[0]?.id ?? 0)
      .execute();
    expect(await app.remind()).toMatchObject([{ id: rest[0]?.id }]);
  });

  test("a batch takes the first to end, and the next batch the rest", async () => {
    await using app = await openApp(engine);
    const members = [await app.register("bo"), await app.register("cy"), await app.register("di")] as const;
    await app.grantUntil(3 * DAY_IN_MS, members[0]);
    await app.grantUntil(1 * DAY_IN_MS, members[1]);
    await app.grantUntil(2 * DAY_IN_MS, members[2]);
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[1], members[2]]);
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[0]]);
    expect(await app.remind(2)).toEqual([]);
  });

  test("a revoked one takes up no place in a batch", async () => {
    await using app = await openApp(engine);
    const bo = await app.register("bo");
    await app.grantUntil(DAY_IN_MS);
    await app.grantUntil(2 * DAY_IN_MS, bo);
    await app.membership.revoke(app.memberId);
    expect(await app.remind(1)).toMatchObject([{ memberId: bo }]);
  });

  test("five processes at once claim each ending once between them", async () => {
    await using app = await openApp(engine);
    for (let count = 0; count < 20; count += 1) {
      await app.grantUntil(DAY_IN_MS + count, await app.register(`member${count}`));
    }
    const claimed = (await Promise.all(Array.from({ length: 5 }, () => app.remind(10)))).flat();
    const late = await app.remind();
    const ids = [...claimed, ...late].map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  test("a claim whose emails were not written is made again", async () => {
    await using app = await openApp(engine);
    const { clock, membership } = app;
    await app.grantUntil(DAY_IN_MS);
    const crash = app.db.transaction().execute(async (trx) => {
      const window = { from: clock(), to: after(clock(), WEEK_IN_MS), limit: 10 };
      expect(await membership.claimReminders(window, trx)).toHaveLength(1);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await app.remind()).toHaveLength(1);
  });
});
