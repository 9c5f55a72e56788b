import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestContext, rollBack } from "../../tests/helpers/test-context.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createAudit } from "./audit.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const { clock } = createTestContext(database.db);
  return { ...database, clock, audit: createAudit({ db: database.db, clock }) };
}

describe.each(engines)("the audit on %s", (engine) => {
  test("tells what was done, by whom, to whom and when, as it was written, and nothing that was undone", async () => {
    await using app = await openApp(engine);
    const facts = { plans: [1, 2], until: "2026-12-20", "odd \u0000 name": { isNested: true, nothing: null } };
    const action = { operator: "night desk", action: "member activate", memberId: 7, facts };
    await rollBack(app.db, (trx) => app.audit.record(action, trx));
    expect(await app.audit.list(10)).toEqual([]);
    await app.audit.record(action);
    expect(await app.audit.list(10)).toEqual([{ ...action, id: expect.any(Number), at: app.clock() }]);
  });

  test("lists the latest first, even when the clock was set back, and of one member alone", async () => {
    await using app = await openApp(engine);
    const actions = [{ memberId: 1 }, { memberId: 2 }, { memberId: undefined }];
    for (const [index, { memberId }] of actions.entries()) {
      await app.audit.record({ operator: "op", action: `${index}`, memberId, facts: {} });
      app.clock.advance(-DAY_IN_MS);
    }
    expect((await app.audit.list(2)).map(({ action, memberId }) => [action, memberId])).toEqual([
      ["2", undefined],
      ["1", 2],
    ]);
    expect((await app.audit.listFor(2)).map(({ action }) => action)).toEqual(["1"]);
    expect(await app.audit.listFor(3)).toEqual([]);
  });
});
