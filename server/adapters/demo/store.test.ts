import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { Delivery } from "../../platform/webhooks/webhooks.ts";
import { deliverEvents, type WebhookManner } from "./demo.ts";
import {
  addEvent,
  changeObject,
  findByKey,
  findObject,
  listObjects,
  putObject,
  readDemoEvents,
  signDemoWebhook,
} from "./store.ts";

async function openStore(engine: Engine) {
  return { ...(await openTestDatabase(engine)), clock: createTestClock() };
}

describe("the store of the demo gateways", () => {
  test("is stored under a new id with a prefix for its kind", async () => {
    await using store = await openStore("sqlite");
    const made = await putObject(store, { amount: 1 }, { kind: "pay" });
    const id = expect.stringMatching(/^pay_demo_[0-9a-f]{32}$/);
    expect(made).toEqual({ id, parent: undefined, body: { amount: 1 }, createdAt: store.clock() });
    expect(await findObject(store, "pay", made.id)).toEqual(made);
    expect(await findObject(store, "re", made.id)).toBeUndefined();
  });

  test("what belongs to one parent is listed, oldest first", async () => {
    await using store = await openStore("sqlite");
    const ids: string[] = [];
    for (const parent of ["1", "1", "2"]) {
      ids.push((await putObject(store, {}, { kind: "pay", parent })).id);
      store.clock.advance(1);
    }
    await putObject(store, {}, { kind: "re", parent: "1" });
    expect((await listObjects(store, "pay", "1")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  test("an empty change changes nothing, and an unknown object cannot be changed", async () => {
    await using store = await openStore("sqlite");
    const { id, ...made } = await putObject(store, { state: "over" }, { kind: "pay" });
    expect(await changeObject(store, { kind: "pay", id }, () => undefined)).toEqual({ id, ...made });
    expect(await changeObject(store, { kind: "re", id }, () => ({}))).toBeUndefined();
  });

  test.each(engines)(
    "a repeated idempotency key returns the first object, also to twenty at once, on %s",
    async (engine) => {
      await using store = await openStore(engine);
      const put = (amount: number) => putObject(store, { amount }, { kind: "pay", key: "order-1" });
      const answers = await Promise.all(Array.from({ length: 20 }, (_, amount) => put(amount)));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await put(99)).toEqual(answers[0]);
      expect(await findByKey(store, "pay", "order-1")).toEqual(answers[0]);
      // The key of a payment is not the key of a refund.
      expect(await findByKey(store, "re", "order-1")).toBeUndefined();
    },
  );

  test.each(engines)("thirty simultaneous changes are all made, on %s", async (engine) => {
    await using store = await openStore(engine);
    const { id } = await putObject(store, { count: 0 }, { kind: "pay" });
    const addOne = (body: unknown) => ({ count: (body as { count: number }).count + 1 });
    await Promise.all(Array.from({ length: 30 }, () => changeObject(store, { kind: "pay", id }, addOne)));
    expect(await findObject(store, "pay", id)).toMatchObject({ body: { count: 30 } });
  });
});

describe("the signature of a demo webhook event", () => {
  const body = JSON.stringify({ events: [{ id: "evt_1", kind: "payment", subject: "pay_1" }] });
  const headers = new Headers(signDemoWebhook("secret", body));

  test("is accepted for the body it was made for", () => {
    expect(readDemoEvents("secret", { body, headers })).toEqual([{ id: "evt_1", kind: "payment", subject: "pay_1" }]);
  });

  test("is refused for any other body", () => {
    const other = body.replace("pay_1", "pay_2");
    expect(readDemoEvents("secret", { body: other, headers })).toBeUndefined();
    expect(readDemoEvents("another", { body, headers })).toBeUndefined();
    expect(readDemoEvents("secret", { body, headers: new Headers() })).toBeUndefined();
    for (const forged of ["", "0", "é".repeat(64), "0".repeat(64), "0".repeat(10_000)]) {
      const forgedHeaders = { get: () => forged };
      expect(readDemoEvents("secret", { body, headers: forgedHeaders })).toBeUndefined();
    }
  });

  test.each(["", "{", "null", "[]", '{"events":[{"id":1}]}', '{"events":{}}'])(
    "%j is no webhook event, even when it is signed",
    (text) => {
      const signed = new Headers(signDemoWebhook("secret", text));
      expect(readDemoEvents("secret", { body: text, headers: signed })).toBeUndefined();
    },
  );
});

const SECRET = "a secret";

describe("the delivery of the demo's webhook events", () => {
  async function openDelivery({ manner }: { manner?: WebhookManner } = {}) {
    const store = await openStore("sqlite");
    const brought: string[] = [];
    const door = { isOpen: true };
    const receive = async ({ gateway, body, headers }: Delivery) => {
      const webhooks = readDemoEvents(SECRET, { body, headers });
      brought.push(...(webhooks ?? []).map(({ subject }) => `${gateway} ${subject}`));
      return door.isOpen && webhooks ? ("kept" as const) : ("refused" as const);
    };
    for (const subject of ["pay_1", "pay_2", "pay_3"]) {
      await addEvent(store, { gateway: "demo-cards", kind: "payment", subject });
      store.clock.advance(1);
    }
    return { ...store, brought, door, deliver: () => deliverEvents(store, { secret: SECRET, receive, manner }) };
  }

  test("brings each webhook event once, signed, in the order of what happened", async () => {
    await using delivery = await openDelivery();
    expect(await delivery.deliver()).toBe(3);
    expect(delivery.brought).toEqual(["demo-cards pay_1", "demo-cards pay_2", "demo-cards pay_3"]);
    expect(await delivery.deliver()).toBe(0);
    expect(delivery.brought).toHaveLength(3);
  });

  test("brings them several times and the latest first when it is asked to", async () => {
    await using delivery = await openDelivery({ manner: { copies: 2, isReversed: true } });
    await delivery.deliver();
    const once = ["demo-cards pay_3", "demo-cards pay_2", "demo-cards pay_1"];
    expect(delivery.brought).toEqual([...once, ...once]);
    expect(await delivery.deliver()).toBe(0);
  });

  test("delivers again what was not accepted", async () => {
    await using delivery = await openDelivery();
    delivery.door.isOpen = false;
    await delivery.deliver();
    delivery.door.isOpen = true;
    expect(await delivery.deliver()).toBe(3);
    expect(await delivery.deliver()).toBe(0);
    expect(delivery.brought).toHaveLength(6);
  });
});
