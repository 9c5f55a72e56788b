import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../clock.ts";

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
    expect((await app.services.audit.list(5, second?.id)).map(({ action }) => action)).toEqual(["order refund"]);
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
