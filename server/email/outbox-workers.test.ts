import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxHouse, receipt, refused } from "../../tests/helpers/outbox-house.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { createOutbox } from "./outbox.ts";

describe.each(engines)("several servers at one outbox on %s", (engine) => {
  test("four workers at once send each of 120 letters once", async () => {
    await using house = await openOutboxHouse(engine);
    for (let order = 1; order <= 120; order += 1) await house.add({ ...receipt, key: `receipt order-${order}` });
    const workers = Array.from({ length: 4 }, () => createOutbox(house.setting));
    const counts = await Promise.all(workers.map((worker) => worker.deliver()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(house.mailer.letters).toHaveLength(120);
    expect(new Set(house.mailer.letters.map(({ id }) => id)).size).toBe(120);
    expect(await house.outbox.list({ state: "sent", limit: 200 })).toHaveLength(120);
  });

  test("nobody takes a letter out of the hands of a worker that is sending it", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    const slow = await house.startSlowDelivery();
    house.clock.advance(MINUTE_IN_MS);
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    slow.answer({ ok: true });
    expect(await slow.delivered).toBe(1);
    expect(house.mailer.letters).toHaveLength(1);
  });

  test("resending a letter that is being tried again does not send it beside that try", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    house.clock.advance(MINUTE_IN_MS);
    house.mailer.answer = async () => {
      expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
      house.mailer.answer = () => ({ ok: true });
      expect(await createOutbox(house.setting).deliver()).toBe(0);
      return { ok: true };
    };
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters).toHaveLength(2);
  });

  test("a worker that dies after sending leaves the letter to the next, which sends the same message again", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    await house.startSlowDelivery();
    house.mailer.answer = () => ({ ok: true });
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    house.clock.advance(2 * MINUTE_IN_MS);
    expect(await createOutbox(house.setting).deliver()).toBe(1);
    expect(house.mailer.letters[1]).toEqual(house.mailer.letters[0]);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("a worker that comes back late with a failure does not undo that another sent the letter", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    const slow = await house.startSlowDelivery();
    house.clock.advance(3 * MINUTE_IN_MS);
    house.mailer.answer = () => ({ ok: true });
    expect(await createOutbox(house.setting).deliver()).toBe(1);
    slow.answer(refused);
    expect(await slow.delivered).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", lastError: undefined });
    expect(house.log.lines).toEqual([]);
  });

  test("a worker that comes back late with a success ends the tries of the others", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    const slow = await house.startSlowDelivery();
    house.clock.advance(3 * MINUTE_IN_MS);
    house.mailer.answer = () => busy;
    await createOutbox(house.setting).deliver();
    slow.answer({ ok: true });
    expect(await slow.delivered).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", dueAt: undefined });
    expect(await deliverUntilQuiet(house)).toEqual([]);
  });

  test("ten operators resend a letter at once: it goes once", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    const { id } = await house.oneLetter();
    const answers = await Promise.all(Array.from({ length: 10 }, () => house.outbox.resend(id)));
    expect(new Set(answers)).toEqual(new Set(["queued"]));
    await Promise.all([house.outbox.deliver(), house.outbox.deliver()]);
    expect(house.mailer.letters).toHaveLength(2);
  });
});
