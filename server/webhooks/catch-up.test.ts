import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createWebhooks, type WebhookGateway } from "./webhooks.ts";

const headers = new Headers();

/** Two providers that remember what they told, and a door that may be shut. */
async function openInbox(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const log = createQuietLog();
  const handled: string[] = [];
  const cards = createProvider("cards");
  const debits = createProvider("debits");
  const line = { reach: () => {} };
  const gateways = [cards, debits].map(({ gateway }) => gateway);
  const webhooks = createWebhooks({ db: database.db, clock, log, gateways, reach: () => line.reach() });

  function createProvider(name: string) {
    const events: { id: string; at: Date }[] = [];
    const asked: Date[] = [];
    const state = { isReachable: true };
    const gateway: WebhookGateway = {
      name,
      read: (body) => [{ id: body, kind: "payment", subject: body }],
      async listSince(since) {
        asked.push(since);
        if (!state.isReachable) throw new Error("The provider is out of reach");
        return events.filter(({ at }) => at >= since).map(({ id }) => ({ id, kind: "payment", subject: id }));
      },
      handle: async ({ id }) => void handled.push(id),
    };
    return { gateway, events, asked, state, happen: (id: string, at = clock()) => void events.push({ id, at }) };
  }
  const listKept = async () =>
    (await database.db.selectFrom("notices").select("notice_id").orderBy("notice_id").execute()).map(
      (row) => row.notice_id,
    );
  return { ...database, clock, log, webhooks, handled, cards, debits, line, listKept };
}

describe.each(engines)("catching up with missed webhook events on %s", (engine) => {
  test("a door that was shut for days has lost nothing, and what came is not worked on twice (C20)", async () => {
    await using inbox = await openInbox(engine);
    inbox.cards.happen("came");
    await inbox.webhooks.receive({ gateway: "cards", body: "came", headers });
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
    expect(await inbox.webhooks.handleWaiting()).toBe(0);
  });

  test("the first time it looks thirty days back, then from where it was, and a little before that", async () => {
    await using inbox = await openInbox(engine);
    const start = inbox.clock();
    await inbox.webhooks.catchUp();
    inbox.clock.advance(10 * MINUTE_IN_MS);
    await inbox.webhooks.catchUp();
    const overlap = 30 * MINUTE_IN_MS;
    expect(inbox.cards.asked).toEqual([after(start, -30 * DAY_IN_MS - overlap), after(start, -overlap)]);
  });

  test("an event that is listed late is found by the next walk", async () => {
    await using inbox = await openInbox(engine);
    const happenedAt = inbox.clock();
    inbox.clock.advance(MINUTE_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(0);
    inbox.cards.happen("late", happenedAt);
    inbox.clock.advance(10 * MINUTE_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
  });

  test("one provider out of reach keeps nobody from the other, and is asked for all of it later", async () => {
    await using inbox = await openInbox(engine);
    await inbox.webhooks.catchUp();
    const since = inbox.cards.asked.length;
    inbox.cards.state.isReachable = false;
    inbox.cards.happen("card");
    inbox.debits.happen("debit");
    for (let hour = 0; hour < 5; hour += 1) {
      inbox.clock.advance(HOUR_IN_MS);
      await inbox.webhooks.catchUp();
    }
    expect(await inbox.listKept()).toEqual(["debit"]);
    expect(inbox.log.lines.filter(({ level }) => level === "warn")).toHaveLength(5);
    expect(new Set(inbox.cards.asked.slice(since).map(String)).size).toBe(1);
    inbox.cards.state.isReachable = true;
    expect(await inbox.webhooks.catchUp()).toBe(1);
    expect(await inbox.listKept()).toEqual(["card", "debit"]);
  });

  test("cut off between keeping and noting how far it was, it walks there again and keeps nothing twice", async () => {
    await using inbox = await openInbox(engine);
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
    expect(inbox.cards.asked.at(-1)).toEqual(inbox.cards.asked.at(-2));
    expect(await inbox.listKept()).toEqual(["a"]);
  });

  test("a database that comes back from a backup walks from the day of the backup (C22)", async () => {
    await using inbox = await openInbox(engine);
    await inbox.webhooks.catchUp();
    const backup = await inbox.db.selectFrom("notice_cursors").selectAll().execute();
    inbox.clock.advance(6 * DAY_IN_MS);
    inbox.cards.happen("after the backup");
    expect(await inbox.webhooks.catchUp()).toBe(1);
    await inbox.db.deleteFrom("notices").execute();
    for (const { gateway, walked_until } of backup) {
      await inbox.db.updateTable("notice_cursors").set({ walked_until }).where("gateway", "=", gateway).execute();
    }
    inbox.clock.advance(DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
    expect(await inbox.listKept()).toEqual(["after the backup"]);
  });

  test("a clock that was a year ahead for a while makes it miss nothing (C23)", async () => {
    await using inbox = await openInbox(engine);
    inbox.clock.advance(366 * DAY_IN_MS);
    await inbox.webhooks.catchUp();
    inbox.clock.advance(-366 * DAY_IN_MS);
    await inbox.webhooks.catchUp();
    inbox.clock.advance(2 * DAY_IN_MS);
    inbox.cards.happen("missed");
    inbox.clock.advance(2 * DAY_IN_MS);
    expect(await inbox.webhooks.catchUp()).toBe(1);
  });

  test("several processes at it keep everything once", async () => {
    await using inbox = await openInbox(engine);
    for (let number = 0; number < 1200; number += 1) inbox.cards.happen(`event-${number}`);
    const counts = await Promise.all(Array.from({ length: 4 }, () => inbox.webhooks.catchUp()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1200);
    expect(await inbox.listKept()).toHaveLength(1200);
  });
});
