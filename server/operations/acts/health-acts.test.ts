import { describe, expect, test } from "vitest";

import { type App, openApp } from "../../../tests/helpers/app.ts";
import { act, olive, toOutcome } from "../../../tests/helpers/acts.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { createFixedContent } from "../../../tests/helpers/fixed-content.ts";
import type { ContentSource } from "../../content/items/source.ts";
import { formatList } from "../../platform/format.ts";
import { deskHealth as table } from "../../refusals.ts";

const mail = { subject: "Hello", text: "Hello.", html: "" };

async function addFailed({ services, db, clock }: App, key: string, isSecret = false): Promise<number> {
  await services.outbox.add({ key, kind: "welcome", to: "ada@example.org", mail, isSecret }, db);
  const failed = { failedAt: clock(), dueAt: null, ...(isSecret && { body: null }) };
  const row = db.updateTable("emails").set(failed).where("key", "=", key).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

const listLines = async ({ services }: App) =>
  (await services.audit.list(9)).map(({ action, facts, reason }) => ({ action, facts, reason }));

const { reason } = olive;

const resend = async (app: App, item: number | string) =>
  toOutcome(await act(app, "mail resend", { subject: "failed", item }));
const acknowledge = async (app: App, item: number | string) =>
  toOutcome(await act(app, "mail acknowledge", { subject: "failed", item }));

describe.each(engines)("acts on emails on %s", (engine) => {
  test("what cannot be done leaves no line", async () => {
    await using app = await openApp({ engine });
    const secret = await addFailed(app, "secret", true);
    await app.services.outbox.add({ key: "waits", kind: "welcome", to: "ada@example.org", mail }, app.db);
    expect(await resend(app, 99)).toBe(table["no-email"]);
    expect(await resend(app, secret)).toBe(table["email-gone"]);
    expect(await acknowledge(app, 99)).toBe(table["no-email"]);
    const waits = secret + 1;
    // An email of another list, and a value that only a command accepts.
    for (const item of [waits, "all"]) {
      expect([await resend(app, item), await acknowledge(app, item)]).toEqual(Array(2).fill(table["no-email"]));
    }
    expect(await listLines(app)).toEqual([]);
  });

  test("all failures are noted, or tried again, with how many in the line", async () => {
    await using app = await openApp({ engine });
    for (const key of ["a", "b", "c"]) await addFailed(app, key);
    expect(await acknowledge(app, 1)).toEqual({ acknowledged: 1 });
    expect(toOutcome(await act(app, "mail resend-all"))).toEqual({ resent: 2 });
    await addFailed(app, "d");
    expect(toOutcome(await act(app, "mail acknowledge-all"))).toEqual({ acknowledged: 1 });
    expect((await listLines(app)).map(({ facts }) => facts)).toEqual([
      { mail: "all", acknowledged: 1 },
      { mail: "all", resent: 2 },
      { mail: 1, acknowledged: 1 },
    ]);
  });

  test("an act whose line cannot be written is not done", async () => {
    await using app = await openApp({ engine });
    const id = await addFailed(app, "a");
    await app.db.schema.alterTable("audit").renameTo("away").execute();
    await expect(resend(app, id)).rejects.toThrow();
    await app.db.schema.alterTable("away").renameTo("audit").execute();
    expect((await app.services.outbox.find(id))?.state).toBe("failed");
  });
});

test("a webhook event is run again, and the line says what came of it", async () => {
  let isDown = true;
  await using app = await openApp({
    wrapCardGateway: (gateway) => ({
      ...gateway,
      findPayment: (id) => (isDown ? Promise.reject(new Error("The line is down")) : gateway.findPayment(id)),
    }),
  });
  const gateway = app.services.payments.webhookGateway.name;
  const event = { gateway, eventId: "e1", kind: "payment", subject: "pi_1", attempts: 2 };
  await app.db
    .insertInto("webhookEvents")
    .values({ ...event, receivedAt: app.clock() })
    .execute();
  const retry = async (id: string) => toOutcome(await act(app, "webhook retry", { item: `${gateway} ${id}` }));
  expect(await retry("e2")).toBe(table["no-webhook"]);
  expect(await retry("e1")).toBe(table["webhook-failed"]);
  isDown = false;
  expect(await retry("e1")).toEqual({ gateway, id: "e1", result: "done" });
  const facts = { gateway, webhook: "e1" };
  expect(await listLines(app)).toEqual([
    { action: "webhook retry", facts: { ...facts, result: "done" }, reason },
    { action: "webhook retry", facts: { ...facts, result: "failed" }, reason },
  ]);
});

test("a test email goes out at once and is not kept, and a wrong address or a mail server that refuses is named", async () => {
  await using app = await openApp();
  const send = async (email: string) => toOutcome(await act(app, "mail test", { fields: { email } }));
  expect(await send("no address")).toBe(table["test-address"]);
  expect(await send("olive@example.org")).toEqual({});
  expect(app.emails).toMatchObject([{ to: "olive@example.org", subject: "A test email from Dormouse" }]);
  expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
  const refused = { ok: false, isPermanent: true, reason: "550 no such mailbox" } as const;
  app.mailer.answer = () => refused;
  expect(await send("olive@example.org")).toBe(table["test-failed"](refused.reason));
  expect((await listLines(app)).map(({ facts }) => facts)).toEqual([{ isSent: false }, { isSent: true }]);
});

test("a job runs now, and an unknown one is refused with the names of all", async () => {
  await using app = await openApp();
  const run = async (item: string) => toOutcome(await act(app, "job run", { item }));
  expect(await run("count-days")).toEqual({ name: "count-days", result: "done" });
  expect(await run("sleep")).toBe(`${table["no-job"]("sleep")} The jobs are ${formatList(app.services.jobs.names())}.`);
  expect(await listLines(app)).toHaveLength(1);
});

test("the catalogue is read now: well, with a fault, or not at all", async () => {
  let answer: unknown[] | Error | undefined = [];
  const listItems: ContentSource["listItems"] = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  await using app = await openApp({ content: { ...createFixedContent(), listItems } });
  const refresh = async () => {
    app.clock.advance(1);
    return toOutcome(await act(app, "catalogue refresh"));
  };
  expect(await refresh()).toMatchObject({ fault: undefined });
  answer = new Error("The line is down");
  expect(await refresh()).toBe(table["catalogue-fault"]("Error: The line is down"));
  answer = undefined;
  expect(await refresh()).toBe(table["catalogue-unread"]);
  expect((await listLines(app)).map(({ facts }) => facts["result"])).toEqual(["unasked", "fault", "read"]);
});
