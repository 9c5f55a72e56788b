import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { AuditFilter } from "./audit.ts";

describe.each(engines)("the audit on %s", (engine) => {
  test("records what was done, by whom, to whom and when, and nothing that was rolled back", async () => {
    await using app = await openApp({ engine });
    const facts = { plans: [1, 2], until: "2026-12-20", "odd \u0000 name": { isNested: true, nothing: null } };
    const author = { operator: "night desk", reason: "They wrote to us" };
    const action = { ...author, action: "subscription end" as const, memberId: 7, facts };
    await rollBack(app.db, (trx) => app.services.audit.record(action, trx));
    expect(await app.services.audit.list(10)).toEqual([]);
    await app.services.audit.record(action);
    expect(await app.services.audit.list(10)).toEqual([{ ...action, id: expect.any(Number), at: app.clock() }]);
  });

  test("lists the latest first, even after the clock was set back, for all or for one member", async () => {
    await using app = await openApp({ engine });
    const actions = [
      { action: "order refund", memberId: 1 },
      { action: "dispute open", memberId: 2 },
      { action: "mail test", memberId: undefined },
    ] as const;
    for (const { action, memberId } of actions) {
      await app.services.audit.record({ operator: "op", action, memberId, facts: {} });
      app.clock.advance(-DAY_IN_MS);
    }
    expect((await app.services.audit.list(2)).map(({ action, memberId }) => [action, memberId])).toEqual([
      ["mail test", undefined],
      ["dispute open", 2],
    ]);
    expect((await app.services.audit.listFor(2)).map(({ action }) => action)).toEqual(["dispute open"]);
    expect(await app.services.audit.listFor(3)).toEqual([]);
    const [, second] = await app.services.audit.list(2);
    expect((await app.services.audit.list(5, { before: second?.id })).map(({ action }) => action)).toEqual([
      "order refund",
    ]);
  });

  test("finds by operator, act, member and days, and by all of them together", async () => {
    await using app = await openApp({ engine });
    const { audit } = app.services;
    const start = app.clock();
    const done = [
      { operator: "olive", action: "order refund", memberId: 1 },
      { operator: "olive", action: "dispute open", memberId: 2 },
      { operator: "oscar", action: "order refund", memberId: 2 },
      { operator: "olive", action: "order refund", memberId: 2 },
    ] as const;
    for (const each of done) {
      await audit.record({ ...each, facts: {} });
      app.clock.advance(DAY_IN_MS);
    }
    const entries = (await audit.list(9)).toReversed();
    const find = async (filter: AuditFilter) => {
      const found = await audit.list(9, filter);
      return found.map(({ id }) => entries.findIndex((entry) => entry.id === id));
    };
    expect(await find({ operator: "olive" })).toEqual([3, 1, 0]);
    expect(await find({ action: "order refund" })).toEqual([3, 2, 0]);
    expect(await find({ memberId: 2 })).toEqual([3, 2, 1]);
    expect(await find({ span: { from: after(start, DAY_IN_MS), to: undefined } })).toEqual([3, 2, 1]);
    expect(
      await find({ span: { from: undefined, to: after(start, DAY_IN_MS) } }),
      "up to the end of the day before",
    ).toEqual([0]);
    const span = { from: after(start, DAY_IN_MS), to: after(start, 3 * DAY_IN_MS) };
    expect(await find({ span })).toEqual([2, 1]);
    const all = { operator: "olive", action: "order refund", memberId: 2 };
    expect(await find(all)).toEqual([3]);
    expect(await find({ ...all, span })).toEqual([]);
    expect(await find({ action: "order refund", before: entries[3]?.id })).toEqual([2, 0]);
  });

  test("forgets the reasons of one member's lines, and keeps the lines", async () => {
    await using app = await openApp({ engine });
    const { audit } = app.services;
    for (const memberId of [1, 2]) {
      await audit.record({ operator: "op", reason: "Ada rang us", action: "dispute won", memberId, facts: {} });
    }
    await app.db.transaction().execute((trx) => audit.forgetReasons(1, trx));
    expect((await audit.list(5)).map(({ reason }) => reason)).toEqual(["Ada rang us", undefined]);
  });
});
