import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createWebhooks, type Notice, type WebhookGateway } from "./webhooks.ts";

const headers = new Headers();

describe.each(engines)("webhook events on %s", (engine) => {
  /** A provider whose bodies are the webhook events themselves, and whose signature is the word “signed” before them. */
  async function openInbox() {
    const database = await openTestDatabase(engine);
    const clock = createTestClock();
    const log = createQuietLog();
    const handled: string[] = [];
    const broken = new Set<string>();
    const provider: WebhookGateway = {
      name: "cards",
      read: (body) => (body.startsWith("signed") ? (JSON.parse(body.slice(6)) as Notice[]) : undefined),
      listSince: async () => [],
      async handle({ id }) {
        if (broken.has(id)) throw new Error("The provider is out of reach");
        handled.push(id);
      },
    };
    const webhooks = createWebhooks({ db: database.db, clock, log, gateways: [provider], reach: () => undefined });
    const tell = (...ids: string[]) =>
      webhooks.receive({
        gateway: "cards",
        headers,
        body: `signed${JSON.stringify(ids.map((id) => ({ id, kind: "payment", subject: `pay-${id}` })))}`,
      });
    return { ...database, clock, log, webhooks, handled, broken, tell };
  }

  test("are kept, then worked on once, in the order they came", async () => {
    await using inbox = await openInbox();
    expect(await inbox.tell("b")).toBe("kept");
    inbox.clock.advance(1);
    expect(await inbox.tell("a", "c")).toBe("kept");
    expect(inbox.handled).toEqual([]);
    expect(await inbox.webhooks.handleWaiting()).toBe(3);
    expect(inbox.handled[0]).toBe("b");
    expect(new Set(inbox.handled)).toEqual(new Set(["a", "b", "c"]));
    expect(await inbox.webhooks.handleWaiting()).toBe(0);
  });

  test("with a character that no database keeps cost those beside them nothing", async () => {
    await using inbox = await openInbox();
    expect(await inbox.tell("a", "odd\0", "b")).toBe("kept");
    expect(await inbox.webhooks.handleWaiting()).toBe(3);
    expect(inbox.handled.toSorted()).toEqual(["a", "b", "odd"]);
  });

  test("that come again, in one body or in two, before or after the work, are worked on once", async () => {
    await using inbox = await openInbox();
    await Promise.all([inbox.tell("a", "a"), inbox.tell("a"), inbox.tell("a", "b")]);
    await inbox.webhooks.handleWaiting();
    expect(await inbox.tell("a")).toBe("kept");
    await inbox.webhooks.handleWaiting();
    expect(inbox.handled.toSorted((one, other) => one.localeCompare(other))).toEqual(["a", "b"]);
  });

  test("that nobody signed are refused, and so are those of a provider we do not have", async () => {
    await using inbox = await openInbox();
    const body = JSON.stringify([{ id: "a", kind: "payment", subject: "pay-a" }]);
    expect(await inbox.webhooks.receive({ gateway: "cards", body, headers })).toBe("refused");
    expect(await inbox.webhooks.receive({ gateway: "nobody", body: `signed${body}`, headers })).toBe("unknown-gateway");
    expect(await inbox.webhooks.handleWaiting()).toBe(0);
    expect(await inbox.db.selectFrom("notices").selectAll().execute()).toEqual([]);
  });

  test("a batch of any size is kept whole", async () => {
    await using inbox = await openInbox();
    const many = Array.from({ length: 10_000 }, (_, number) => `notice-${number}`);
    expect(await inbox.tell(...many)).toBe("kept");
    const rows = await inbox.db.selectFrom("notices").select("notice_id").execute();
    expect(new Set(rows.map((row) => row.notice_id))).toEqual(new Set(many));
  });

  test("an empty batch is taken in", async () => {
    await using inbox = await openInbox();
    expect(await inbox.tell()).toBe("kept");
    expect(await inbox.webhooks.handleWaiting()).toBe(0);
  });

  test("one that fails waits, and the others are worked on", async () => {
    await using inbox = await openInbox();
    inbox.broken.add("a");
    await inbox.tell("a", "b", "c");
    expect(await inbox.webhooks.handleWaiting()).toBe(2);
    expect(inbox.log.lines).toMatchObject([{ level: "warn", facts: { gateway: "cards", webhook: "a" } }]);
    inbox.broken.clear();
    inbox.clock.advance(2 * SECOND_IN_MS);
    expect(await inbox.webhooks.handleWaiting()).toBe(1);
    expect(inbox.handled).toContain("a");
  });

  test("one that goes on failing is tried less and less often, for five days", async () => {
    await using inbox = await openInbox();
    inbox.broken.add("a");
    await inbox.tell("a");
    const triesIn = async (ms: number, stepInMs: number) => {
      const before = inbox.log.lines.length;
      for (let passed = 0; passed < ms; passed += stepInMs) {
        await inbox.webhooks.handleWaiting();
        inbox.clock.advance(stepInMs);
      }
      return inbox.log.lines.length - before;
    };
    expect(await triesIn(MINUTE_IN_MS, SECOND_IN_MS)).toBe(5);
    expect(await triesIn(HOUR_IN_MS, 10 * SECOND_IN_MS)).toBe(7);
    expect(await triesIn(DAY_IN_MS, 10 * MINUTE_IN_MS)).toBe(5);
    expect(await triesIn(4 * DAY_IN_MS, HOUR_IN_MS)).toBe(4);
    expect(await triesIn(30 * DAY_IN_MS, DAY_IN_MS)).toBe(0);
  });

  test("many that fail do not stand in the way of the next", async () => {
    await using inbox = await openInbox();
    const many = Array.from({ length: 250 }, (_, number) => `broken-${number}`);
    for (const id of many) inbox.broken.add(id);
    await inbox.tell(...many);
    inbox.clock.advance(1);
    await inbox.tell("good");
    await inbox.webhooks.handleWaiting();
    await inbox.webhooks.handleWaiting();
    expect(inbox.handled).toEqual(["good"]);
  });

  test("those of a provider that is no longer there do not stand in the way either", async () => {
    await using inbox = await openInbox();
    await inbox.tell(...Array.from({ length: 250 }, (_, number) => `old-${number}`));
    await inbox.db.updateTable("notices").set({ gateway: "gone" }).execute();
    inbox.clock.advance(1);
    await inbox.tell("good");
    expect(await inbox.webhooks.handleWaiting()).toBe(1);
  });

  test("one that was worked on when the app died is worked on again", async () => {
    await using inbox = await openInbox();
    await inbox.tell("a");
    await inbox.webhooks.handleWaiting();
    // As it lies when the process ended before it could note that the work was done.
    await inbox.db.updateTable("notices").set({ handled_at: null }).execute();
    expect(await inbox.webhooks.handleWaiting()).toBe(1);
    expect(inbox.handled).toEqual(["a", "a"]);
  });

  test("are not answered as kept before they are", async () => {
    await using inbox = await openInbox();
    await inbox.db.schema.dropTable("notices").execute();
    await expect(inbox.tell("a")).rejects.toThrow();
  });

  test("are forgotten a month after the work, never before it", async () => {
    await using inbox = await openInbox();
    inbox.broken.add("b");
    await inbox.tell("a", "b");
    await inbox.webhooks.handleWaiting();
    inbox.clock.advance(30 * DAY_IN_MS);
    expect(await inbox.webhooks.purge()).toBe(0);
    inbox.clock.advance(1);
    expect(await inbox.webhooks.purge()).toBe(1);
    expect(await inbox.db.selectFrom("notices").select("notice_id").execute()).toEqual([{ notice_id: "b" }]);
  });
});
