import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import type { Delivery } from "../../webhooks/webhooks.ts";
import { createDemoDelivery, type WebhookManner } from "./demo.ts";
import { createDemoStore, readDemoEvents } from "./store.ts";

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
