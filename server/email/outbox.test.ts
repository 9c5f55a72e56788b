import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, openOutboxHouse, receipt, refused } from "../../tests/helpers/outbox-house.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { createSeal } from "../seal.ts";
import { createOutbox } from "./outbox.ts";

describe.each(engines)("the outbox on %s", (engine) => {
  test("a letter leaves once, as it was written, and is then sent", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 0, dueAt: house.clock() });
    expect(await house.outbox.deliver()).toBe(1);
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters).toEqual([
      {
        id: expect.stringMatching(/^receipt-[0-9a-f]{16}$/),
        to: "Ada@dormouse.example",
        ...receipt.letter,
        createdAt: house.clock(),
      },
    ]);
    expect(await house.oneLetter()).toMatchObject({
      key: "receipt order-12",
      kind: "receipt",
      state: "sent",
      attempts: 1,
      sentAt: house.clock(),
      dueAt: undefined,
      isSecret: false,
    });
  });

  test("one cause writes one letter, however often and however many at once", async () => {
    await using house = await openOutboxHouse(engine);
    await Promise.all(Array.from({ length: 10 }, () => house.add(receipt)));
    await house.add({ ...receipt, to: "other@dormouse.example", letter: { subject: "no", text: "no", html: "no" } });
    expect(await house.outbox.deliver()).toBe(1);
    await house.add(receipt);
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["Your receipt"]);
  });

  test("a letter whose cause was undone was never written", async () => {
    await using house = await openOutboxHouse(engine);
    const undone = house.db.transaction().execute(async (trx) => {
      await house.outbox.add(receipt, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await house.outbox.deliver()).toBe(0);
    await house.add(receipt);
    expect(await house.outbox.deliver()).toBe(1);
  });

  test("a letter keeps its place in a long queue while the clock goes on", async () => {
    await using house = await openOutboxHouse(engine);
    for (const key of ["first", "second", "third"]) {
      await house.add({ ...receipt, key, letter: { ...receipt.letter, subject: key } });
      house.clock.advance(HOUR_IN_MS);
    }
    await house.outbox.deliver();
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["first", "second", "third"]);
  });

  test("a secret is sealed at rest, opened for the mailer, and erased once it was sent", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    expect(await house.dump()).not.toContain("271828");
    await house.outbox.deliver();
    expect(house.mailer.letters[0]).toMatchObject(code.letter);
    expect(await house.dump()).not.toContain("271828");
    expect(await house.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", isSecret: true });
  });

  test("a secret is kept while it is tried, and erased when it is given up", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    expect(await house.dump()).not.toContain("271828");
    house.clock.advance(MINUTE_IN_MS);
    house.mailer.answer = () => refused;
    await house.outbox.deliver();
    expect(house.mailer.letters[1]).toMatchObject(code.letter);
    expect(await house.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
  });

  test("what was sealed with another secret is given up, never sent as it lies there", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    await house.add(receipt);
    const seal = createSeal("another secret", "letters");
    expect(await createOutbox({ ...house.setting, seal }).deliver()).toBe(1);
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["Your receipt"]);
    const [failed] = await house.outbox.list({ state: "failed", limit: 9 });
    expect(failed).toMatchObject({ kind: "verification", lastError: expect.stringContaining("cannot be read") });
  });

  test.each([
    ["altered", "no letter"],
    ["cut short", '{"subject":'],
    ["empty", ""],
  ])("words that are %s are given up", async (_, body) => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.db.updateTable("letters").set({ body }).execute();
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters).toEqual([]);
    expect(await house.oneLetter()).toMatchObject({ state: "failed" });
  });

  test("the list is newest first, by state and by address whatever its capitals", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.clock.advance(1);
    await house.add({ ...receipt, key: "b", to: "bo@dormouse.example" });
    house.mailer.answer = () => refused;
    await house.outbox.deliver();
    await house.add({ ...receipt, key: "c" });
    await house.add({ ...receipt, key: "d" });
    const keys = async (filter: { state?: "waiting" | "sent" | "failed"; recipient?: string; limit?: number }) =>
      (await house.outbox.list({ limit: 9, ...filter })).map(({ key }) => key);
    expect(await keys({})).toEqual(["d", "c", "b", "receipt order-12"]);
    expect(await keys({ limit: 2 })).toEqual(["d", "c"]);
    expect(await keys({ state: "waiting" })).toEqual(["d", "c"]);
    expect(await keys({ state: "sent" })).toEqual(["receipt order-12"]);
    expect(await keys({ state: "failed" })).toEqual(["b"]);
    expect(await keys({ recipient: "ADA@dormouse.EXAMPLE" })).toEqual(["d", "c", "receipt order-12"]);
    expect(await keys({ recipient: "ada@dormouse.example", state: "failed" })).toEqual([]);
    expect(await keys({ recipient: "%" })).toEqual([]);
  });

  test("purging forgets what was sent or given up ninety days ago, and never what waits", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.mailer.answer = () => refused;
    await house.add({ ...receipt, key: "failed" });
    await house.outbox.deliver();
    await house.add({ ...receipt, key: "waiting" });
    house.clock.advance(90 * DAY_IN_MS - 1);
    expect(await house.outbox.purge()).toBe(0);
    house.clock.advance(1);
    expect(await house.outbox.purge()).toBe(2);
    expect((await house.oneLetter()).key).toBe("waiting");
  });
});
