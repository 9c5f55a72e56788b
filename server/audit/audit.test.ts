import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createAudit } from "./audit.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  return { ...database, clock, audit: createAudit({ db: database.db, clock }) };
}

describe.each(engines)("the audit on %s", (engine) => {
  test("tells what was done, by whom, to whom and when, as it was written", async () => {
    await using app = await openApp(engine);
    const facts = { plans: [1, 2], until: "2026-12-20", "odd \u0000 name": { isNested: true, nothing: null } };
    await app.audit.record({ operator: "night desk", action: "member activate", memberId: 7, facts });
    expect(await app.audit.list(10)).toEqual([
      {
        id: expect.any(Number),
        at: app.clock(),
        operator: "night desk",
        action: "member activate",
        memberId: 7,
        facts,
      },
    ]);
  });

  test("lists the latest first, even when the clock was set back", async () => {
    await using app = await openApp(engine);
    for (const action of ["first", "second", "third"]) {
      await app.audit.record({ operator: "op", action, facts: {} });
      app.clock.advance(-DAY_IN_MS);
    }
    expect((await app.audit.list(2)).map(({ action }) => action)).toEqual(["third", "second"]);
  });

  test("keeps members apart, and what is about none from all of them", async () => {
    await using app = await openApp(engine);
    await app.audit.record({ operator: "op", action: "member show", memberId: 1, facts: {} });
    await app.audit.record({ operator: "op", action: "member erase", memberId: 2, facts: {} });
    await app.audit.record({ operator: "op", action: "code create", facts: { seats: 50 } });
    expect((await app.audit.listFor(2)).map(({ action }) => action)).toEqual(["member erase"]);
    expect(await app.audit.listFor(3)).toEqual([]);
    expect((await app.audit.list(10)).map(({ memberId }) => memberId)).toEqual([undefined, 2, 1]);
  });

  test("an action that was undone was not recorded", async () => {
    await using app = await openApp(engine);
    const crash = app.db.transaction().execute(async (trx) => {
      await app.audit.record({ operator: "op", action: "member erase", memberId: 2, facts: {} }, trx);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await app.audit.list(10)).toEqual([]);
  });
});
