import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createWebhooks, type GatewayEvent, type WebhookGateway } from "./webhooks.ts";

const headers = new Headers();
const toEvent = (id: string): GatewayEvent => ({ id, kind: "payment", subject: `pay-${id}` });

/** Two providers that remember their events, and a process that may be cut off. A body is “signed” and the ids. */
async function openInbox(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const { db, clock } = app;
  const handled: string[] = [];
  const broken = new Set<string>();
  const [cards, debits] = [createProvider("cards"), createProvider("debits")];
  const line = { reach: () => {} };
  const gateways = [cards, debits].map(({ gateway }) => gateway);
  const webhooks = createWebhooks({ ...app.ctx, gateways, reach: () => line.reach() });

  function createProvider(name: string) {
    const events: { id: string; at: Date }[] = [];
    const listedSince: Date[] = [];
    const state = { isReachable: true };
    const gateway: WebhookGateway = {
      name,
      read: (body) => (body.startsWith("signed") ? (JSON.parse(body.slice(6)) as string[]).map(toEvent) : undefined),
      async listSince(since) {
        listedSince.push(since);
        if (!state.isReachable) throw new Error("The provider is out of reach");
        return events.filter(({ at }) => at >= since).map(({ id }) => toEvent(id));
      },
      async handle({ id }) {
        if (broken.has(id)) throw new Error("The provider is out of reach");
        handled.push(id);
      },
    };
    return { gateway, events, listedSince, state, happen: (id: string, at = clock()) => void events.push({ id, at }) };
  }
  const notify = (...ids: string[]) =>
    webhooks.receive({ gateway: "cards", headers, body: `signed${JSON.stringify(ids)}` });
  const listStored = async () => {
    const rows = await db.selectFrom("webhookEvents").select("eventId").orderBy("eventId").execute();
    return rows.map((row) => row.eventId);
  };
  return { ...app, webhooks, handled, broken, cards, debits, line, notify, listStored };
}

describe.each(engines)("webhook events on %s", (engine) => {
  test("are stored, then handled once, in the order of arrival", async () => {
    await using inbox = await openInbox(engine);
    expect(await inbox.notify("b")).toBe("kept");
    inbox.clock.advance(1);
    expect(await inbox.notify("a", "odd\0", "c"), "a character that no database keeps").toBe("kept");
    expect(await inbox.notify(), "an empty batch").toBe("kept");
    expect(inbox.handled).toEqual([]);
    expect(await inbox.webhooks.handleWaiting()).toBe(4);
    expect(inbox.handled[0]).toBe("b");
    expect(inbox.handled.toSorted()).toEqual(["a", "b", "c", "odd"]);
    expect(await inbox.webhooks.handleWaiting()).toBe(0);
  });

  test("that arrive twice, in one body or in two, before or after handling, are handled once", async () => {
    await using inbox = await openInbox(engine);
    await Promise.all([inbox.notify("a", "a"), inbox.notify("a"), inbox.notify("a", "b")]);
    await inbox.webhooks.handleWaiting();
    expect(await inbox.notify("a")).toBe("kept");
    await inbox.webhooks.handleWaiting();
    expect(inbox.handled.toSorted()).toEqual(["a", "b"]);
  });

  test("are all stored when many arrive at once, and claimed once by several processes", async () => {
    await using inbox = await openInbox(engine);
    const many = Array.from({ length: 10_000 }, (_, number) => `posted-${number}`);
    expect(await inbox.notify(...many)).toBe("kept");
    expect(new Set(await inbox.listStored())).toEqual(new Set(many));
    for (let number = 0; number < 1200; number += 1) inbox.cards.happen(`event-${number}`);
    const counts = await Promise.all(Array.from({ length: 4 }, () => inbox.webhooks.catchUp()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1200);
    expect(await inbox.listStored()).toHaveLength(11_200);
  });

  test("are deleted a month after they were handled, never before", async () => {
    await using inbox = await openInbox(engine);
    inbox.broken.add("b");
    await inbox.notify("a", "b");
    await inbox.webhooks.handleWaiting();
    inbox.clock.advance(30 * DAY_IN_MS);
    expect(await inbox.webhooks.purge()).toBe(0);
    inbox.clock.advance(1);
    expect(await inbox.webhooks.purge()).toBe(1);
    expect(await inbox.listStored()).toEqual(["b"]);
  });
});

describe.each(engines)("a failed webhook event on %s", (engine) => {
  test("is listed with its tries and the next one, and no other is", async () => {
    await using inbox = await openInbox(engine);
    const receivedAt = inbox.clock();
    for (const id of ["a", "b"]) inbox.broken.add(id);
    await inbox.notify("a", "good");
    inbox.clock.advance(1);
    await inbox.notify("b");
    expect(await inbox.webhooks.listFailed(), "not tried yet").toEqual([]);
    await inbox.webhooks.handleWaiting();
    const a = { gateway: "cards", id: "a", kind: "payment", subject: "pay-a", receivedAt, attempts: 1 };
    const failed = await inbox.webhooks.listFailed();
    expect(failed.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(failed[1]).toEqual({ ...a, nextTryAt: after(receivedAt, 2 * SECOND_IN_MS) });
    expect(await inbox.webhooks.listFailed(1)).toHaveLength(1);

    await inbox.db.updateTable("webhookEvents").set({ attempts: 21 }).where("eventId", "=", "a").execute();
    await inbox.db.updateTable("webhookEvents").set({ gateway: "gone" }).where("eventId", "=", "b").execute();
    const late = await inbox.webhooks.listFailed();
    expect(
      late.map(({ nextTryAt }) => nextTryAt),
      "tried often enough; of no gateway",
    ).toEqual([undefined, undefined]);
  });

  test("is run again by hand, which uses up no try", async () => {
    await using inbox = await openInbox(engine);
    inbox.broken.add("a");
    await inbox.notify("a", "good");
    await inbox.webhooks.handleWaiting();
    const event = { gateway: "cards", id: "a" };
    for (let press = 0; press < 30; press += 1) expect(await inbox.webhooks.runAgain(event)).toBe("failed");
    expect(await inbox.webhooks.listFailed()).toMatchObject([{ id: "a", attempts: 1 }]);
    inbox.broken.clear();
    expect(await inbox.webhooks.runAgain(event)).toBe("done");
    expect(inbox.handled).toEqual(["good", "a"]);
    expect(await inbox.webhooks.listFailed()).toEqual([]);
    const others = [event, { gateway: "cards", id: "good" }, { gateway: "debits", id: "a" }, { gateway: "x", id: "" }];
    for (const other of others) expect(await inbox.webhooks.runAgain(other)).toBe("unknown");
    expect(inbox.handled).toEqual(["good", "a"]);
  });
});

describe("a webhook event", () => {
  test("that fails waits, and the others are handled", async () => {
    await using inbox = await openInbox();
    inbox.broken.add("a");
    await inbox.notify("a", "b", "c");
    expect(await inbox.webhooks.handleWaiting()).toBe(2);
    expect(inbox.log.lines).toMatchObject([{ level: "warn", facts: { gateway: "cards", webhook: "a" } }]);
    inbox.broken.clear();
    inbox.clock.advance(2 * SECOND_IN_MS);
    expect(await inbox.webhooks.handleWaiting()).toBe(1);
    expect(inbox.handled).toContain("a");
  });

  test("that keeps failing is retried at growing intervals for five days", async () => {
    await using inbox = await openInbox();
    inbox.broken.add("a");
    await inbox.notify("a");
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

  test.each(["fail", "are of a provider that is no longer there"])(
    "is not held up by many before it that %s",
    async (why) => {
      await using inbox = await openInbox();
      const many = Array.from({ length: 250 }, (_, number) => `broken-${number}`);
      await inbox.notify(...many);
      if (why === "fail") for (const id of many) inbox.broken.add(id);
      else await inbox.db.updateTable("webhookEvents").set({ gateway: "gone" }).execute();
      inbox.clock.advance(1);
      await inbox.notify("good");
      for (let count = 0; count < 2; count += 1) await inbox.webhooks.handleWaiting();
      expect(inbox.handled).toEqual(["good"]);
    },
  );
});

describe("catching up with missed webhook events", () => {
  test("finds all events of days without webhooks, and handles none twice (C20)", async () => {
    await using inbox = await openInbox();
    inbox.cards.happen("came");
    await inbox.notify("came");
    await inbox.webhooks.handleWaiting();
    await inbox.webhooks.catchUp();
    for (let day = 0; day < 9; day += 1) {
      inbox.clock.advance(DAY_IN_MS);
      inbox.cards.happen(`day-${day}`);
      inbox.debits.happen(`debit-${day}`);
    }
    inbox.clock.advance(DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(18);
    expect(await inbox.webhooks.catchUp()).toBe(0);
    expect(await inbox.webhooks.handleWaiting()).toBe(18);
    expect(inbox.handled.filter((id) => id === "came")).toHaveLength(1);
  });

  test("looks back thirty days the first time, then slightly past the last time, for events that are listed late", async () => {
    await using inbox = await openInbox();
    const start = inbox.clock();
    expect(await inbox.webhooks.catchUp()).toBe(0);
    inbox.cards.happen("late", after(start, -MINUTE_IN_MS));
    inbox.clock.advance(10 * MINUTE_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
    const overlap = 30 * MINUTE_IN_MS;
    expect(inbox.cards.listedSince).toEqual([after(start, -30 * DAY_IN_MS - overlap), after(start, -overlap)]);
  });

  test("asks one provider while the other is unreachable, and the other for all of it later", async () => {
    await using inbox = await openInbox();
    await inbox.webhooks.catchUp();
    inbox.cards.state.isReachable = false;
    inbox.cards.happen("card");
    inbox.debits.happen("debit");
    for (let hour = 0; hour < 5; hour += 1) {
      inbox.clock.advance(HOUR_IN_MS);
      await inbox.webhooks.catchUp();
    }
    expect(await inbox.listStored()).toEqual(["debit"]);
    expect(inbox.log.lines.filter(({ level }) => level === "warn")).toHaveLength(5);
    expect(new Set(inbox.cards.listedSince.slice(1).map(String)).size).toBe(1);
    inbox.cards.state.isReachable = true;
    expect(await inbox.webhooks.catchUp()).toBe(1);
    expect(await inbox.listStored()).toEqual(["card", "debit"]);
  });

  test("that is interrupted before it records its position asks again and stores nothing twice", async () => {
    await using inbox = await openInbox();
    await inbox.webhooks.catchUp();
    inbox.cards.happen("a");
    inbox.clock.advance(DAY_IN_MS);
    inbox.line.reach = () => {
      throw new Error("The process ends");
    };
    await inbox.webhooks.catchUp();
    inbox.line.reach = () => {};
    inbox.clock.advance(DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(0);
    expect(inbox.cards.listedSince.at(-1)).toEqual(inbox.cards.listedSince.at(-2));
    expect(await inbox.listStored()).toEqual(["a"]);
  });

  test("starts on the day of the backup after a restore (C22)", async () => {
    await using inbox = await openInbox();
    await inbox.webhooks.catchUp();
    const [backup] = await inbox.db.selectFrom("webhookCursors").select("walkedUntil").execute();
    inbox.clock.advance(6 * DAY_IN_MS);
    inbox.cards.happen("after the backup");
    expect(await inbox.webhooks.catchUp()).toBe(1);
    await inbox.db.deleteFrom("webhookEvents").execute();
    await inbox.db
      .updateTable("webhookCursors")
      .set(backup ?? {})
      .execute();
    inbox.clock.advance(DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
  });

  test("misses nothing after a clock was a year ahead for a while (C23)", async () => {
    await using inbox = await openInbox();
    inbox.clock.advance(366 * DAY_IN_MS);
    await inbox.webhooks.catchUp();
    inbox.clock.advance(-366 * DAY_IN_MS);
    inbox.cards.happen("at the right time");
    expect(await inbox.webhooks.catchUp()).toBe(1);
    inbox.clock.advance(2 * DAY_IN_MS);
    inbox.cards.happen("missed");
    inbox.clock.advance(2 * DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
  });
});
