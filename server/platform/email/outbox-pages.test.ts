import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { type App, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { OutboxPage } from "./outbox.ts";
import { countTrouble, listPage } from "./outbox-pages.ts";

const mail = { subject: "Hello", text: "Hello.", html: "" };

async function addEmails({ services, db, clock }: App, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    // Two of each moment, so that the number decides.
    if (index % 2 === 0) clock.advance(SECOND_IN_MS);
    await services.outbox.add({ key: `${clock().getTime()} ${index}`, kind: "welcome", to: "a@b.example", mail }, db);
  }
}

async function fail({ db, clock }: App, ids: number[], more: object = {}): Promise<void> {
  for (const id of ids) {
    const set = { failedAt: clock(), dueAt: null, ...more };
    await db.updateTable("emails").set(set).where("id", "=", id).execute();
    clock.advance(1);
  }
}

const listIds = ({ emails }: OutboxPage) => emails.map(({ id }) => id);

describe.each(engines)("lists of emails on %s", (engine) => {
  test("failures are paged, the latest first, while others come and go", async () => {
    await using app = await openApp({ engine });
    const { outbox } = app.services;
    await addEmails(app, 8);
    await fail(app, [3, 1, 2, 5, 4]);
    const first = await outbox.listPage({ state: "failed", limit: 2 });
    expect(listIds(first)).toEqual([4, 5]);
    // The last of the page leaves the list, and another one fails.
    expect(await outbox.resend(5)).toBe("queued");
    await fail(app, [8]);
    const second = await outbox.listPage({ state: "failed", limit: 2, before: first.next });
    expect(listIds(second)).toEqual([2, 1]);
    const third = await outbox.listPage({ state: "failed", limit: 2, before: second.next });
    expect([listIds(third), third.next]).toEqual([[3], undefined]);
  });

  test("those that wait are paged, the newest first", async () => {
    await using app = await openApp({ engine });
    await addEmails(app, 5);
    await fail(app, [4]);
    await app.db.updateTable("emails").set({ sentAt: app.clock() }).where("id", "=", 2).execute();
    const first = await app.services.outbox.listPage({ state: "waiting", limit: 2 });
    expect(listIds(first)).toEqual([5, 3]);
    const second = await app.services.outbox.listPage({ state: "waiting", limit: 2, before: first.next });
    expect([listIds(second), second.next]).toEqual([[1], undefined]);
  });

  test("trouble is counted apart: given up, refused for an unproved address, overdue", async () => {
    await using app = await openApp({ engine });
    const { outbox } = app.services;
    const none = { givenUp: 0, lastGivenUpAt: undefined, unproved: 0, waiting: 0, overdue: 0 };
    expect(await outbox.countTrouble(app.clock())).toEqual(none);
    await addEmails(app, 6);
    await fail(app, [1]);
    app.clock.advance(DAY_IN_MS);
    const lastGivenUpAt = app.clock();
    await fail(app, [2], { isRefused: 1 });
    await fail(app, [3, 4], { isRefused: 1, kind: "verification" });
    await fail(app, [5], { acknowledgedAt: app.clock() });
    const overdueSince = after(app.clock(), -10 * MINUTE_IN_MS);
    const counted = { givenUp: 2, lastGivenUpAt, unproved: 2, waiting: 1, overdue: 1 };
    expect(await outbox.countTrouble(overdueSince)).toEqual(counted);
  });

  test("all failures are tried again at once, but for those that are noted and those whose words are erased", async () => {
    await using app = await openApp({ engine });
    const { outbox } = app.services;
    await addEmails(app, 4);
    await fail(app, [1, 2]);
    await fail(app, [3], { body: null });
    await fail(app, [4], { acknowledgedAt: app.clock() });
    expect(await outbox.resendFailed()).toBe(2);
    expect(listIds(await outbox.listPage({ state: "failed", limit: 9 }))).toEqual([4, 3]);
    expect(await outbox.deliver()).toBe(2);
  });
});

test("no list of emails is made by reading them all", async () => {
  await using app = await openApp();
  const statements: string[] = [];
  const before = { at: app.clock(), id: 1 };
  const listen = app.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(app.db.getExecutor().compileQuery(node, { queryId: "plan" }).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  for (const state of ["failed", "waiting"] as const) {
    await listPage(listen, { state, limit: 25 });
    await listPage(listen, { state, limit: 25, before });
  }
  await countTrouble(listen, app.clock());
  expect(statements).toHaveLength(7);
  for (const statement of statements) {
    const filled = statement.replaceAll("?", "'1'");
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${filled}`).execute(app.db);
    const plan = rows.map(({ detail }) => detail).join("; ");
    expect(plan, statement).toMatch(/INDEX emails_(?:failed|waiting|by_due)/);
    expect(plan, statement).not.toMatch(/ORDER BY/);
  }
});
