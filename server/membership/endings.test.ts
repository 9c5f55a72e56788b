import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openMembershipApp } from "../../tests/helpers/membership-app.ts";
import { rollBack } from "../../tests/helpers/test-context.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Engine, Queries } from "../database/database.ts";

async function openApp(engine: Engine = "sqlite") {
  const app = await openMembershipApp(engine);
  const { db, membership, memberId, inDays } = app;
  /** A term of which so many days are left. */
  const grant = (days: number, whose = memberId) => app.grantDays(days - 28, days, { memberId: whose });
  const claimReminders = (trx: Queries, limit = 100) =>
    membership.claimReminders({ from: app.clock(), to: inDays(7), limit }, trx);
  const remind = (limit?: number) => db.transaction().execute((trx) => claimReminders(trx, limit));
  const tellEnds = () =>
    db
      .transaction()
      .execute((trx) => membership.claimEndEmails({ from: inDays(-7), to: app.clock(), limit: 100 }, trx));
  const passDays = (days: number) => app.clock.advance(days * DAY_IN_MS);
  return { ...app, grant, claimReminders, remind, tellEnds, passDays };
}

describe("the end of a term", () => {
  test("is reminded of from seven days before it, once", async () => {
    await using app = await openApp();
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

  test("is reminded of later by a job that slept through the seventh day, but never when it is over", async () => {
    await using app = await openApp();
    await app.grant(7);
    await app.grant(14, await app.admit("Bo"));
    app.passDays(7);
    expect(await app.remind()).toMatchObject([{ endsAt: app.inDays(7) }]);
  });

  test("is told when it is there, once, whether it was reminded of or not, and not long after", async () => {
    await using app = await openApp();
    const { clock, memberId } = app;
    await app.grant(1);
    await app.grant(1, await app.admit("Bo"));
    await app.grant(-6, await app.admit("Cy"));
    expect(await app.remind(1)).toHaveLength(1);
    clock.advance(DAY_IN_MS - 1);
    expect((await app.tellEnds()).map(({ endsAt }) => endsAt < clock())).toEqual([true]);
    clock.advance(1);
    expect(await app.tellEnds()).toMatchObject([{ memberId, endsAt: clock() }, { endsAt: clock() }]);
    expect(await app.tellEnds()).toEqual([]);
    await app.grant(-7, await app.admit("Di"));
    expect(await app.tellEnds()).toEqual([]);
  });

  test("is neither reminded of nor told when a later term of the same member follows", async () => {
    await using app = await openApp();
    await app.grant(1);
    await app.grant(28);
    const bo = await app.admit("Bo");
    await app.grant(1, bo);
    expect(await app.remind(), "another member's later term hides nothing").toMatchObject([{ memberId: bo }]);
    await app.grant(28, bo);
    app.passDays(1);
    expect(await app.tellEnds(), "renewed after the reminder").toEqual([]);
    app.passDays(21);
    expect(await app.remind()).toHaveLength(2);
    app.passDays(6);
    expect(await app.tellEnds()).toMatchObject([{ endsAt: app.clock() }, { endsAt: app.clock() }]);
  });

  test("is told of once where two terms end together", async () => {
    await using app = await openApp();
    for (let count = 0; count < 2; count += 1) await app.grant(1);
    expect([(await app.remind()).length, (await app.remind()).length]).toEqual([1, 0]);
    app.passDays(1);
    expect([(await app.tellEnds()).length, (await app.tellEnds()).length]).toEqual([1, 0]);
  });

  test("that was revoked is neither reminded of nor told until it is restored, nor takes a place in a batch", async () => {
    await using app = await openApp();
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
    expect(await app.tellEnds()).toEqual([]);
  });

  test("is not hidden by a revoked renewal", async () => {
    await using app = await openApp();
    const orderId = await app.placeOrder();
    await app.grant(1);
    await app.grantDays(1, 28, { orderId });
    await app.membership.revokeOrder(orderId);
    expect(await app.remind()).toMatchObject([{ endsAt: app.inDays(1) }]);
  });
});

describe.each(engines)("claiming endings on %s", (engine) => {
  test("takes the first to end, the next time the rest, and again what was rolled back", async () => {
    await using app = await openApp(engine);
    const members = [await app.admit("Bo"), await app.admit("Cy"), await app.admit("Di")] as const;
    for (const [index, days] of [3, 1, 2].entries()) await app.grant(days, members[index]);
    await rollBack(app.db, async (trx) => expect(await app.claimReminders(trx)).toHaveLength(3));
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[1], members[2]]);
    expect((await app.remind(2)).map(({ memberId }) => memberId)).toEqual([members[0]]);
    expect(await app.remind(2)).toEqual([]);
  });

  test("by five processes at once takes each once between them", async () => {
    await using app = await openApp(engine);
    for (let count = 0; count < 20; count += 1) await app.grant(1 + count / 100, await app.admit(`member${count}`));
    const claimed = (await Promise.all(Array.from({ length: 5 }, () => app.remind(10)))).flat();
    const ids = [...claimed, ...(await app.remind())].map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });
});
