import { describe, expect, test } from "vitest";

import { type AppOptions, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { settleAccounts } from "../../../tests/saga/interference.ts";
import { ada, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { after } from "../../platform/clock.ts";

const receiptNumber = "D-2026-000001";

describe.each(engines)("a member who cancels on %s", (engine) => {
  async function openPaid(options: AppOptions = {}) {
    const app = await openApp({ engine, ...options });
    await pay(app, await prepareDraft(app));
    const member = await app.services.accounts.findByEmail(ada.email);
    const memberId = member?.id ?? 0;
    const cancel = (given = {}) => app.services.payments.cancel({ memberId, receiptNumber, ...given });
    const hasAccess = async () => (await app.services.membership.findAccess(memberId)).isActive;
    return { ...app, memberId, cancel, hasAccess };
  }

  test("gets all of it back once, however often it is asked for, and an operator reads who did it", async () => {
    await using app = await openPaid();
    const results = await Promise.all(Array.from({ length: 5 }, () => app.cancel()));
    expect(results.filter(({ ok }) => ok)).toEqual([{ ok: true, amountInPence: 6000 }]);
    expect(await app.cancel()).toEqual({ ok: false, reason: "not-cancellable" });
    expect(await app.hasAccess()).toBe(false);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
    const told = app.emails.filter(({ subject }) => subject === "Your refund of £60 is on its way");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain("You cancelled within 14 days");
    expect(await app.services.audit.listFor(app.memberId)).toMatchObject([
      { operator: "the member", action: "order cancel", facts: { receipt: receiptNumber, amountInPence: 6000 } },
    ]);
  });

  test("may do so until the fourteenth day ends in London, and not on the next", async () => {
    // Half past eleven at night in UTC is the next day in London.
    const paidAt = "2027-06-10T23:30:00.000Z";
    const lastInstant = new Date("2027-06-25T22:59:59.000Z");
    for (const [late, result] of [
      [0, { ok: true, amountInPence: 6000 }],
      [1000, { ok: false, reason: "too-late" }],
    ] as const) {
      const clock = createTestClock(paidAt);
      await using app = await openPaid({ clock });
      clock.advance(after(lastInstant, late).getTime() - clock().getTime());
      expect(await app.cancel({ receiptNumber: "D-2027-000001" })).toEqual(result);
    }
  });

  test("never another member's order, one that a company paid for, or one that began at once", async () => {
    await using app = await openPaid();
    expect(await app.cancel({ memberId: app.memberId + 1 })).toEqual({ ok: false, reason: "not-cancellable" });
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const bea = { accountType: "corporate" as const, code: "NIGHT-SHIFT", email: "bea@example.org" };
    await pay(app, await prepareDraft(app, bea), { card: "hosted" });
    const other = await app.services.accounts.findByEmail(bea.email);
    expect(await app.cancel({ memberId: other?.id, receiptNumber: "D-2026-000002" })).toEqual({
      ok: false,
      reason: "not-cancellable",
    });
    expect(await app.hasAccess()).toBe(true);
  });

  test("not where they have asked to start at once, and no order is paid for without that", async () => {
    await using app = await openApp({ engine, env: { START_AT_ONCE: "true" } });
    const token = await prepareDraft(app);
    expect(await pay(app, token)).toEqual({ ok: false, reason: "incomplete", missing: ["start-missing"] });
    expect(await app.db.selectFrom("orders").selectAll().execute()).toEqual([]);
    expect(await pay(app, token, { startsAtOnce: true })).toEqual({ ok: true, next: "completed" });
    const order = await app.db.selectFrom("orders").select("waivedAt").executeTakeFirstOrThrow();
    expect(order.waivedAt).toEqual(app.clock());
    const member = await app.services.accounts.findByEmail(ada.email);
    const cancelled = await app.services.payments.cancel({ memberId: member?.id ?? 0, receiptNumber });
    expect(cancelled).toEqual({ ok: false, reason: "not-cancellable" });
  });
});
