import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openApp } from "../../tests/helpers/app.ts";
import { bo, dump, join, joinWithEverything, toPerson, traces } from "../../tests/helpers/personal-data-app.ts";

/** What of a table's rows about a member stands where in the export, and which columns are withheld on purpose. */
const exported: Record<string, { as: string; withheld: string[] }> = {
  members: { as: "member", withheld: ["email_key", "password_hash"] },
  // Its bytes are written in another way: see the test of the picture.
  avatars: { as: "picture", withheld: ["bytes"] },
  subscriptions: { as: "subscriptions", withheld: ["reminded_at", "end_told_at"] },
  sessions: { as: "sessions", withheld: ["token_hash"] },
  favourites: { as: "favourites", withheld: [] },
  seats: { as: "seats", withheld: ["code_id"] },
  drafts: { as: "drafts", withheld: ["token_hash", "password_hash", "verified_at", "session_claimed_at"] },
  orders: { as: "orders", withheld: ["updated_at"] },
  payments: { as: "orders", withheld: ["updated_at"] },
  disputes: { as: "orders", withheld: [] },
  letters: { as: "emails", withheld: ["id", "key", "body", "is_secret", "attempts", "due_at", "last_error"] },
  audit: { as: "operatorActions", withheld: ["operator", "id", "facts"] },
};

/** Tables in which nobody is named, and why. */
const withoutMembers: Record<string, string> = {
  migrations: "names of versions",
  throttles: "keyed hashes that run out",
  challenges: "keyed hashes, and a draft's address for a day",
  companies: "companies and their own contacts",
  codes: "what companies give out",
  collections: "what companies pay",
  notices: "ids at the payment providers, for a month",
  notice_cursors: "names of payment providers",
  task_leases: "names of jobs",
  provider_tokens: "a provider's tokens, which go with their sessions",
  admissions: "keyed hashes and a provider's tokens, for a draft's day",
  provider_payments: "what a provider calls its payments",
  demo_objects: "what the demo's payment providers remember by themselves",
  demo_notices: "what they tell us of it",
};

describe.each(engines)("a member's export on %s", (engine) => {
  test("the export has every table in which a member is named", async () => {
    await using app = await openApp(engine);
    const member = await joinWithEverything(app);
    const tables = await dump(app.database.db);
    expect([...tables.keys()].filter((name) => !exported[name] && !withoutMembers[name])).toEqual([]);

    const records: Record<string, unknown> = await app.services.personalData.gather(toPerson(member));
    const missing: string[] = [];
    const orderIds = new Set((tables.get("orders") ?? []).map(({ id }) => id));
    for (const [table, { as, withheld }] of Object.entries(exported)) {
      const isHers = (row: Record<string, unknown>) =>
        table === "members" ||
        row.member_id === member.id ||
        traces.test(JSON.stringify(row)) ||
        orderIds.has(row.order_id);
      const rows = (tables.get(table) ?? []).filter(isHers);
      expect(rows.length, `${table} has nothing of hers, so this proves nothing`).toBeGreaterThan(0);
      const text = JSON.stringify({ there: records[as] });
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        if (value === null || withheld.includes(column) || column === "member_id") continue;
        if (!text.includes(JSON.stringify(value).slice(1, -1))) missing.push(`${table}.${column}`);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
  });

  test("the export has the picture itself", async () => {
    await using app = await openApp(engine);
    const member = await joinWithEverything(app);
    const { picture } = await app.services.personalData.gather(toPerson(member));
    expect(Buffer.from(picture?.bytes ?? "", "base64").toString()).toBe("a picture of Zsófia");
  });

  test("the export holds no secret and nobody else", async () => {
    await using app = await openApp(engine);
    const other = await join(app, bo);
    const member = await joinWithEverything(app);
    const text = JSON.stringify(await app.services.personalData.gather(toPerson(member)));
    expect(text).not.toMatch(/argon2|Marsh|bo@example/);
    const secrets = [...(await dump(app.database.db)).values()]
      .flat()
      .flatMap((row) => [row.token_hash, row.code_hash]);
    for (const secret of secrets.filter((each) => typeof each === "string")) expect(text).not.toContain(secret);
    expect(JSON.stringify(await app.services.personalData.gather(toPerson(other)))).not.toMatch(traces);
  });
});
