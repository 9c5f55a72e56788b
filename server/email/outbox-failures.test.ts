import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxHouse, receipt, refused } from "../../tests/helpers/outbox-house.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("letters that do not go on %s", (engine) => {
  test("a letter that does not go is tried after 1, 5, 15 and 60 minutes, then hourly for a day, then given up", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    const minutes = await deliverUntilQuiet(house);
    const hourly = Array.from({ length: 23 }, (_, hour) => 81 + 60 * (hour + 1));
    expect(minutes).toEqual([0, 1, 6, 21, 81, ...hourly]);
    expect(new Set(house.mailer.letters.map(({ id }) => id)).size).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "failed", failedAt: house.clock(), lastError: busy.reason });
    expect(house.log.lines).toEqual([
      {
        level: "warn",
        event: "a letter was given up",
        facts: { letter: (await house.oneLetter()).id, kind: "receipt" },
      },
    ]);
  });

  test("a letter that fails waits its time and keeps the reason for operators", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 1, lastError: busy.reason });
    house.clock.advance(MINUTE_IN_MS - 1);
    house.mailer.answer = () => ({ ok: true });
    expect(await house.outbox.deliver()).toBe(0);
    house.clock.advance(1);
    expect(await house.outbox.deliver()).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", attempts: 2, lastError: undefined });
  });

  test("a refusal for good is not tried again, and the log names the letter but nobody", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => refused;
    expect(await deliverUntilQuiet(house)).toEqual([0]);
    const entry = await house.oneLetter();
    expect(entry).toMatchObject({ state: "failed", attempts: 1, lastError: "550 no such box <ada@dormouse.example>" });
    expect(house.log.lines).toEqual([
      { level: "warn", event: "a letter was given up", facts: { letter: entry.id, kind: "receipt" } },
    ]);
  });

  test("letters that fail, and a mailer that throws, stop no other letter", async () => {
    await using house = await openOutboxHouse(engine);
    for (const order of [1, 2, 3, 4])
      await house.add({ ...receipt, key: `receipt ${order}`, to: `m${order}@x.example` });
    house.mailer.answer = ({ to }) => {
      if (to === "m1@x.example") throw new Error("the mailer broke over ada@dormouse.example");
      if (to === "m2@x.example") return refused;
      if (to === "m3@x.example") return busy;
      return { ok: true };
    };
    expect(await house.outbox.deliver()).toBe(1);
    const states = (await house.outbox.list({ limit: 9 })).map(({ key, state }) => [key, state]);
    expect(Object.fromEntries(states)).toEqual({
      "receipt 1": "waiting",
      "receipt 2": "failed",
      "receipt 3": "waiting",
      "receipt 4": "sent",
    });
  });

  test("a letter whose outcome cannot be noted is tried again after the lease, and the others go meanwhile", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.add({ ...receipt, key: "receipt order-13" });
    let unreadable: unknown = Symbol("no reason at all");
    house.mailer.answer = () => {
      if (!unreadable) return { ok: true };
      const delivery = { ok: false, isPermanent: false, reason: unreadable as string } as const;
      unreadable = undefined;
      return delivery;
    };
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.log.lines).toMatchObject([{ level: "error", facts: { kind: "receipt" } }]);
    expect(await house.outbox.deliver()).toBe(0);
    house.clock.advance(2 * MINUTE_IN_MS);
    expect(await house.outbox.deliver()).toBe(1);
  });

  test("a run ends although every letter fails, and takes nothing that became due meanwhile", async () => {
    await using house = await openOutboxHouse(engine);
    for (let order = 1; order <= 60; order += 1) await house.add({ ...receipt, key: `receipt order-${order}` });
    house.mailer.answer = () => {
      house.clock.advance(MINUTE_IN_MS);
      return busy;
    };
    await house.outbox.deliver();
    expect(house.mailer.letters).toHaveLength(60);
  });

  test("a letter that was sent or given up can be sent anew, with a day of tries of its own", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.clock.advance(30 * DAY_IN_MS);
    const { id } = await house.oneLetter();
    expect(await house.outbox.resend(id)).toBe("queued");
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 0, sentAt: undefined });
    house.mailer.answer = () => busy;
    expect((await deliverUntilQuiet(house)).length).toBeGreaterThan(20);
    expect(await house.oneLetter()).toMatchObject({ state: "failed" });
    house.mailer.answer = () => ({ ok: true });
    expect(await house.outbox.resend(id)).toBe("queued");
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters.at(-1)).toMatchObject({ ...receipt.letter, createdAt: house.clock() });
    expect(house.mailer.letters.at(-1)?.id).not.toBe(house.mailer.letters[0]?.id);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", failedAt: undefined });
  });

  test("resending a letter that waits for its next try makes it due now, and changes nothing else", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    house.mailer.answer = () => ({ ok: true });
    house.clock.advance(1000);
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters[1]).toEqual(house.mailer.letters[0]);
  });

  test("a secret letter that is gone cannot be sent again, and neither can one that never was", async () => {
    await using house = await openOutboxHouse(engine);
    await house.add(code);
    const { id } = await house.oneLetter();
    expect(await house.outbox.resend(id)).toBe("queued");
    await house.outbox.deliver();
    expect(await house.outbox.resend(id)).toBe("gone");
    expect(await house.outbox.resend(id + 1)).toBe("unknown");
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "sent" });
  });
});
