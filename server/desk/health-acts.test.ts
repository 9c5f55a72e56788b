import { describe, expect, test } from "vitest";

import { type App, openApp } from "../../tests/helpers/app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { createFixedContent } from "../../tests/helpers/fixed-content.ts";
import type { ContentSource } from "../content/source.ts";
import { acknowledgeEmails, refreshCatalogue, resendEmail, resendFailedEmails, retryWebhook } from "./health-acts.ts";

const by = { operator: "olive@desk.example", reason: "They wrote to us" };
const mail = { subject: "Hello", text: "Hello.", html: "" };

async function addFailed({ services, db, clock }: App, key: string, isSecret = false): Promise<number> {
  await services.outbox.add({ key, kind: "welcome", to: "ada@example.org", mail, isSecret }, db);
  const failed = { failed_at: clock().toISOString(), due_at: null, ...(isSecret && { body: null }) };
  const row = db.updateTable("emails").set(failed).where("key", "=", key).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

const linesOf = async ({ services }: App) =>
  (await services.audit.list(9)).map(({ action, facts, reason }) => ({ action, facts, reason }));

const { reason } = by;

describe.each(engines)("acts on emails on %s", (engine) => {
  test("a failed email is tried again, and each act leaves one line", async () => {
    await using app = await openApp({ engine });
    const id = await addFailed(app, "a");
    expect(await resendEmail(app.services, by, id)).toMatchObject({ ok: true, mail: { id, state: "failed" } });
    expect((await app.services.outbox.find(id))?.state).toBe("waiting");
    expect(await linesOf(app)).toEqual([{ action: "mail resend", facts: { mail: id }, reason }]);
  });

  test("what cannot be done leaves no line", async () => {
    await using app = await openApp({ engine });
    const secret = await addFailed(app, "secret", true);
    await app.services.outbox.add({ key: "waits", kind: "welcome", to: "ada@example.org", mail }, app.db);
    expect(await resendEmail(app.services, by, 99)).toEqual({ ok: false, reason: "unknown" });
    expect(await resendEmail(app.services, by, secret)).toEqual({ ok: false, reason: "gone" });
    expect(await acknowledgeEmails(app.services, by, 99)).toEqual({ ok: false, reason: "unknown" });
    const waits = { ok: false, reason: "not-failed", state: "waiting" };
    expect(await acknowledgeEmails(app.services, by, secret + 1)).toEqual(waits);
    expect(await linesOf(app)).toEqual([]);
  });

  test("all failures are noted, or tried again, with how many in the line", async () => {
    await using app = await openApp({ engine });
    for (const key of ["a", "b", "c"]) await addFailed(app, key);
    expect(await acknowledgeEmails(app.services, by, 1)).toEqual({ ok: true, acknowledged: 1 });
    expect(await resendFailedEmails(app.services, by)).toBe(2);
    await addFailed(app, "d");
    expect(await acknowledgeEmails(app.services, by, undefined)).toEqual({ ok: true, acknowledged: 1 });
    expect((await linesOf(app)).map(({ facts }) => facts)).toEqual([
      { mail: "all", acknowledged: 1 },
      { mail: "all", resent: 2 },
      { mail: 1, acknowledged: 1 },
    ]);
  });

  test("an act whose line cannot be written is not done", async () => {
    await using app = await openApp({ engine });
    const id = await addFailed(app, "a");
    await app.db.schema.alterTable("audit").renameTo("away").execute();
    await expect(resendEmail(app.services, by, id)).rejects.toThrow();
    await app.db.schema.alterTable("away").renameTo("audit").execute();
    expect((await app.services.outbox.find(id))?.state).toBe("failed");
  });
});

test("a webhook event is run again, and the line says what came of it", async () => {
  let isDown = true;
  await using app = await openApp({
    wrapCards: (cards) => ({
      ...cards,
      findPayment: (id) => (isDown ? Promise.reject(new Error("The line is down")) : cards.findPayment(id)),
    }),
  });
  const gateway = app.services.payments.webhookGateway.name;
  const event = { gateway, event_id: "e1", kind: "payment", subject: "pi_1", attempts: 2 };
  await app.db
    .insertInto("webhook_events")
    .values({ ...event, received_at: app.clock().toISOString() })
    .execute();
  expect(await retryWebhook(app.services, by, { gateway, id: "e2" })).toBe("unknown");
  expect(await retryWebhook(app.services, by, { gateway, id: "e1" })).toBe("failed");
  isDown = false;
  expect(await retryWebhook(app.services, by, { gateway, id: "e1" })).toBe("done");
  const facts = { gateway, webhook: "e1" };
  expect(await linesOf(app)).toEqual([
    { action: "webhook retry", facts: { ...facts, result: "done" }, reason },
    { action: "webhook retry", facts: { ...facts, result: "failed" }, reason },
  ]);
});

test("the catalogue is read now: well, with a fault, or not at all", async () => {
  let answer: unknown[] | Error | undefined = [];
  const listItems: ContentSource["listItems"] = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  await using app = await openApp({ content: { ...createFixedContent(), listItems } });
  app.clock.advance(1);
  expect(await refreshCatalogue(app.services, by)).toMatchObject({ ok: true });
  answer = new Error("The line is down");
  app.clock.advance(1);
  const failed = { ok: false, reason: "fault", status: { fault: "Error: The line is down" } };
  expect(await refreshCatalogue(app.services, by)).toMatchObject(failed);
  answer = undefined;
  app.clock.advance(1);
  expect(await refreshCatalogue(app.services, by)).toMatchObject({ ok: false, reason: "unasked" });
  expect((await linesOf(app)).map(({ facts }) => facts["result"])).toEqual(["unasked", "fault", "read"]);
});
