import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openMembershipApp as openApp } from "../../tests/helpers/membership-app.ts";
import { after, DAY_IN_MS } from "../clock.ts";

describe.each(engines)("revoking on %s", (engine) => {
  test("ends access at once, also what lies ahead, and remembers the dates", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    await app.grantDays(-60, -30);
    await app.grantDays(-30, 10);
    await app.grantDays(10, 40);
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
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    expect(await membership.revoke(memberId)).toBe(false);
    await app.grantDays(-60, -30);
    expect(await membership.revoke(memberId)).toBe(false);
    await app.grantDays(0, 30);
    const revokedAt = clock();
    await membership.revoke(memberId);
    clock.advance(DAY_IN_MS);
    expect(await membership.revoke(memberId)).toBe(false);
    expect((await membership.listFor(memberId))[0]?.revokedAt).toEqual(revokedAt);
  });

  test("ends nobody else's access, nor a term bought afterwards", async () => {
    await using app = await openApp(engine);
    const bo = await app.register("bo");
    await app.grantDays(0, 30, { memberId: bo });
    await app.grantDays(0, 60);
    await app.membership.revoke(app.memberId);
    await app.grantDays(0, 30);
    expect(await app.membership.findAccess(bo)).toMatchObject({ isActive: true });
    const endsAt = after(app.clock(), 30 * DAY_IN_MS);
    expect(await app.membership.findAccess(app.memberId)).toEqual({ isActive: true, endsAt });
  });

  test("is taken back where the dates still run", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    await app.grantDays(0, 30);
    const endsAt = after(clock(), 30 * DAY_IN_MS);
    await membership.revoke(memberId);
    clock.advance(30 * DAY_IN_MS - 1);
    expect(await membership.restore(memberId)).toBe(true);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    expect(await membership.restore(memberId)).toBe(false);
  });

  test("is not taken back once the dates are over", async () => {
    await using app = await openApp(engine);
    const { clock, membership, memberId } = app;
    await app.grantDays(0, 30);
    await membership.revoke(memberId);
    clock.advance(30 * DAY_IN_MS);
    expect(await membership.restore(memberId)).toBe(false);
    expect((await membership.listFor(memberId))[0]?.revokedAt).toBeDefined();
  });

  test("is undone with the transaction it was part of", async () => {
    await using app = await openApp(engine);
    await app.grantDays(0, 30);
    const crash = app.db.transaction().execute(async (trx) => {
      expect(await app.membership.revoke(app.memberId, trx)).toBe(true);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await app.membership.findAccess(app.memberId)).toMatchObject({ isActive: true });
  });
});
