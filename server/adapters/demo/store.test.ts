import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import type { Engine } from "../../database/database.ts";
import { createDemoStore, readDemoNotices, signDemoNotice } from "./store.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  return { ...database, clock, store: createDemoStore({ db: database.db, clock }) };
}

describe.each(engines)("what the demo gateways remember on %s", (engine) => {
  test("is found under a new id that says what it is", async () => {
    await using house = await openHouse(engine);
    const made = await house.store.put({ amount: 1 }, { kind: "pay" });
    expect(made).toEqual({
      id: expect.stringMatching(/^pay_demo_[0-9a-f]{32}$/),
      parent: undefined,
      body: { amount: 1 },
      createdAt: house.clock(),
    });
    expect(await house.store.find("pay", made.id)).toEqual(made);
    expect(await house.store.find("re", made.id)).toBeUndefined();
    expect((await house.store.put({ amount: 1 }, { kind: "pay" })).id).not.toBe(made.id);
  });

  test("asked again with the same key it answers what was made first, also to twenty at once", async () => {
    await using house = await openHouse(engine);
    const put = (amount: number) => house.store.put({ amount }, { kind: "pay", key: "order-1" });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, amount) => put(amount)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await put(99)).toEqual(answers[0]);
    expect(await house.store.findByKey("pay", "order-1")).toEqual(answers[0]);
    expect(await house.store.findByKey("re", "order-1")).toBeUndefined();
    // The key of a payment is not the key of a refund.
    expect((await house.store.put({}, { kind: "re", key: "order-1" })).id).toMatch(/^re_demo_/);
  });

  test("what belongs to one parent is listed, oldest first", async () => {
    await using house = await openHouse(engine);
    const ids: string[] = [];
    for (const parent of ["1", "1", "2"]) {
      ids.push((await house.store.put({}, { kind: "pay", parent })).id);
      house.clock.advance(1);
    }
    await house.store.put({}, { kind: "re", parent: "1" });
    expect((await house.store.list("pay", "1")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await house.store.list("pay", "3")).toEqual([]);
  });

  test("thirty changes at once are thirty changes", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.store.put({ count: 0 }, { kind: "pay" });
    const countOf = (body: unknown) => (body as { count: number }).count;
    await Promise.all(
      Array.from({ length: 30 }, () => house.store.change("pay", id, (body) => ({ count: countOf(body) + 1 }))),
    );
    expect(await house.store.find("pay", id)).toMatchObject({ body: { count: 30 } });
  });

  test("of ten who want the same change one gets it", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.store.put({ state: "open" }, { kind: "pay" });
    const winners: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        const changed = await house.store.change("pay", id, (body) =>
          (body as { state: string }).state === "open" ? { state: "over", by: number } : undefined,
        );
        if ((changed?.body as { by?: number } | undefined)?.by === number) winners.push(number);
      }),
    );
    expect(winners).toHaveLength(1);
  });

  test("a change that is none leaves things alone, and nothing can be changed that is not there", async () => {
    await using house = await openHouse(engine);
    const made = await house.store.put({ state: "over" }, { kind: "pay" });
    expect(await house.store.change("pay", made.id, () => undefined)).toEqual(made);
    expect(await house.store.change("pay", "pay_demo_0", () => ({}))).toBeUndefined();
    expect(await house.store.change("re", made.id, () => ({}))).toBeUndefined();
  });

  test("notices wait, oldest first, until they are delivered", async () => {
    await using house = await openHouse(engine);
    for (const subject of ["pay_1", "pay_2", "pay_3"]) {
      await house.store.addNotice({ gateway: "demo-cards", kind: "payment", subject });
      house.clock.advance(1);
    }
    const waiting = await house.store.listNotices();
    const subjects = waiting.map(({ body }) => /pay_\d/.exec(body)?.[0]);
    expect(subjects).toEqual(["pay_1", "pay_2", "pay_3"]);
    expect(await house.store.listNotices(2)).toEqual(waiting.slice(0, 2));
    await house.store.markDelivered(waiting.slice(0, 2).map(({ id }) => id));
    await house.store.markDelivered([]);
    expect(await house.store.listNotices()).toEqual(waiting.slice(2));
  });
});

describe("the signature of a demo notice", () => {
  const body = JSON.stringify({ notices: [{ id: "evt_1", kind: "payment", subject: "pay_1" }] });
  const headers = new Headers(signDemoNotice("secret", body));

  test("lets the notices in that it was made for", () => {
    expect(readDemoNotices("secret", { body, headers })).toEqual([{ id: "evt_1", kind: "payment", subject: "pay_1" }]);
  });

  test("lets nothing else in", () => {
    const other = body.replace("pay_1", "pay_2");
    expect(readDemoNotices("secret", { body: other, headers })).toBeUndefined();
    expect(readDemoNotices("another", { body, headers })).toBeUndefined();
    expect(readDemoNotices("secret", { body, headers: new Headers() })).toBeUndefined();
    for (const forged of ["", "0", "é".repeat(64), "0".repeat(64), "0".repeat(10_000)]) {
      const forgedHeaders = { get: () => forged };
      expect(readDemoNotices("secret", { body, headers: forgedHeaders })).toBeUndefined();
    }
  });

  test.each(["", "{", "null", "[]", '{"notices":[{"id":1}]}', '{"notices":{}}'])(
    "%j is no notice, even when it is signed",
    (text) => {
      const signed = new Headers(signDemoNotice("secret", text));
      expect(readDemoNotices("secret", { body: text, headers: signed })).toBeUndefined();
    },
  );
});
