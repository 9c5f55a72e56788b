import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import type { Engine } from "../../database/database.ts";
import type { Delivery } from "../../webhooks/webhooks.ts";
import { createDemoDelivery, type WebhookManner } from "./demo.ts";
import { createDemoStore, readDemoEvents, signDemoWebhook } from "./store.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  return { ...database, clock, store: createDemoStore({ db: database.db, clock }) };
}

describe.each(engines)("what the demo gateways remember on %s", (engine) => {
  test("is found under a new id that says what it is", async () => {
    await using app = await openApp(engine);
    const made = await app.store.put({ amount: 1 }, { kind: "pay" });
    expect(made).toEqual({
      id: expect.stringMatching(/^pay_demo_[0-9a-f]{32}$/),
      parent: undefined,
      body: { amount: 1 },
      createdAt: app.clock(),
    });
    expect(await app.store.find("pay", made.id)).toEqual(made);
    expect(await app.store.find("re", made.id)).toBeUndefined();
    expect((await app.store.put({ amount: 1 }, { kind: "pay" })).id).not.toBe(made.id);
  });

  test("asked again with the same key it answers what was made first, also to twenty at once", async () => {
    await using app = await openApp(engine);
    const put = (amount: number) => app.store.put({ amount }, { kind: "pay", key: "order-1" });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, amount) => put(amount)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await put(99)).toEqual(answers[0]);
    expect(await app.store.findByKey("pay", "order-1")).toEqual(answers[0]);
    expect(await app.store.findByKey("re", "order-1")).toBeUndefined();
    // The key of a payment is not the key of a refund.
    expect((await app.store.put({}, { kind: "re", key: "order-1" })).id).toMatch(/^re_demo_/);
  });

  test("what belongs to one parent is listed, oldest first", async () => {
    await using app = await openApp(engine);
    const ids: string[] = [];
    for (const parent of ["1", "1", "2"]) {
      ids.push((await app.store.put({}, { kind: "pay", parent })).id);
      app.clock.advance(1);
    }
    await app.store.put({}, { kind: "re", parent: "1" });
    expect((await app.store.list("pay", "1")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await app.store.list("pay", "3")).toEqual([]);
  });

  test("thirty changes at once are thirty changes", async () => {
    await using app = await openApp(engine);
    const { id } = await app.store.put({ count: 0 }, { kind: "pay" });
    const countOf = (body: unknown) => (body as { count: number }).count;
    await Promise.all(
      Array.from({ length: 30 }, () => app.store.change("pay", id, (body) => ({ count: countOf(body) + 1 }))),
    );
    expect(await app.store.find("pay", id)).toMatchObject({ body: { count: 30 } });
  });

  test("of ten who want the same change one gets it", async () => {
    await using app = await openApp(engine);
    const { id } = await app.store.put({ state: "open" }, { kind: "pay" });
    const winners: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        const changed = await app.store.change("pay", id, (body) =>
          (body as { state: string }).state === "open" ? { state: "over", by: number } : undefined,
        );
        if ((changed?.body as { by?: number } | undefined)?.by === number) winners.push(number);
      }),
    );
    expect(winners).toHaveLength(1);
  });

  test("a change that is none leaves things alone, and nothing can be changed that is not there", async () => {
    await using app = await openApp(engine);
    const made = await app.store.put({ state: "over" }, { kind: "pay" });
    expect(await app.store.change("pay", made.id, () => undefined)).toEqual(made);
    expect(await app.store.change("pay", "pay_demo_0", () => ({}))).toBeUndefined();
    expect(await app.store.change("re", made.id, () => ({}))).toBeUndefined();
  });

  test("webhook events wait, oldest first, until they are delivered", async () => {
    await using app = await openApp(engine);
    for (const subject of ["pay_1", "pay_2", "pay_3"]) {
      await app.store.addEvent({ gateway: "demo-cards", kind: "payment", subject });
      app.clock.advance(1);
    }
    const waiting = await app.store.listEvents();
    const subjects = waiting.map(({ body }) => /pay_\d/.exec(body)?.[0]);
    expect(subjects).toEqual(["pay_1", "pay_2", "pay_3"]);
    expect(await app.store.listEvents(2)).toEqual(waiting.slice(0, 2));
    await app.store.markDelivered(waiting.slice(0, 2).map(({ id }) => id));
    await app.store.markDelivered([]);
    expect(await app.store.listEvents()).toEqual(waiting.slice(2));
  });
});

describe("the signature of a demo webhook event", () => {
  const body = JSON.stringify({ notices: [{ id: "evt_1", kind: "payment", subject: "pay_1" }] });
  const headers = new Headers(signDemoWebhook("secret", body));

  test("lets the webhook events in that it was made for", () => {
    expect(readDemoEvents("secret", { body, headers })).toEqual([{ id: "evt_1", kind: "payment", subject: "pay_1" }]);
  });

  test("lets nothing else in", () => {
    const other = body.replace("pay_1", "pay_2");
    expect(readDemoEvents("secret", { body: other, headers })).toBeUndefined();
    expect(readDemoEvents("another", { body, headers })).toBeUndefined();
    expect(readDemoEvents("secret", { body, headers: new Headers() })).toBeUndefined();
    for (const forged of ["", "0", "é".repeat(64), "0".repeat(64), "0".repeat(10_000)]) {
      const forgedHeaders = { get: () => forged };
      expect(readDemoEvents("secret", { body, headers: forgedHeaders })).toBeUndefined();
    }
  });

  test.each(["", "{", "null", "[]", '{"notices":[{"id":1}]}', '{"notices":{}}'])(
    "%j is no webhook event, even when it is signed",
    (text) => {
      const signed = new Headers(signDemoWebhook("secret", text));
      expect(readDemoEvents("secret", { body: text, headers: signed })).toBeUndefined();
    },
  );
});

const SECRET = "a secret";

describe.each(engines)("the messenger of the demo's gateways on %s", (engine) => {
  async function openPost({ manner, isOpen = true }: { manner?: WebhookManner; isOpen?: boolean } = {}) {
    const database = await openTestDatabase(engine);
    const clock = createTestClock();
    const store = createDemoStore({ db: database.db, clock });
    const brought: string[] = [];
    const door = { isOpen };
    const receive = async ({ gateway, body, headers }: Delivery) => {
      const webhooks = readDemoEvents(SECRET, { body, headers });
      brought.push(...(webhooks ?? []).map(({ subject }) => `${gateway} ${subject}`));
      return door.isOpen && webhooks ? ("kept" as const) : ("refused" as const);
    };
    for (const subject of ["pay_1", "pay_2", "pay_3"]) {
      await store.addEvent({ gateway: "demo-cards", kind: "payment", subject });
      clock.advance(1);
    }
    return { ...database, brought, door, deliver: createDemoDelivery({ store, secret: SECRET, receive, manner }) };
  }

  test("brings each webhook event once, signed, in the order of what happened", async () => {
    await using post = await openPost();
    expect(await post.deliver()).toBe(3);
    expect(post.brought).toEqual(["demo-cards pay_1", "demo-cards pay_2", "demo-cards pay_3"]);
    expect(await post.deliver()).toBe(0);
    expect(post.brought).toHaveLength(3);
  });

  test("brings them several times and the latest first when it is asked to", async () => {
    await using post = await openPost({ manner: { copies: 2, isReversed: true } });
    await post.deliver();
    const once = ["demo-cards pay_3", "demo-cards pay_2", "demo-cards pay_1"];
    expect(post.brought).toEqual([...once, ...once]);
    expect(await post.deliver()).toBe(0);
  });

  test("comes again with what was not taken in", async () => {
    await using post = await openPost({ isOpen: false });
    await post.deliver();
    post.door.isOpen = true;
    expect(await post.deliver()).toBe(3);
    expect(await post.deliver()).toBe(0);
    expect(post.brought).toHaveLength(6);
  });

  test("an app that dies at the door hears of it again", async () => {
    await using post = await openPost();
    const store = createDemoStore({ db: post.db, clock: createTestClock() });
    const dying = createDemoDelivery({
      store,
      secret: SECRET,
      receive: () => Promise.reject(new Error("The power is gone")),
    });
    await expect(dying()).rejects.toThrow("The power is gone");
    expect(await post.deliver()).toBe(3);
  });
});
