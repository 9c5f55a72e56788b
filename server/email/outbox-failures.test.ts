import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxApp, receipt, refused } from "../../tests/helpers/outbox-app.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("emails that do not go on %s", (engine) => {
  test("an email that does not go is tried after 1, 5, 15 and 60 minutes, then hourly for a day, then given up", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    app.mailer.answer = () => busy;
    const minutes = await deliverUntilQuiet(app);
    const hourly = Array.from({ length: 23 }, (_, hour) => 81 + 60 * (hour + 1));
    expect(minutes).toEqual([0, 1, 6, 21, 81, ...hourly]);
    expect(new Set(app.mailer.emails.map(({ id }) => id)).size).toBe(1);
    expect(await app.oneEmail()).toMatchObject({ state: "failed", failedAt: app.clock(), lastError: busy.reason });
    expect(app.log.lines).toEqual([
      {
        level: "warn",
        event: "an email was given up",
        facts: { mail: (await app.oneEmail()).id, kind: "receipt" },
      },
    ]);
  });

  test("an email that fails waits its time and keeps the reason for operators", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    app.mailer.answer = () => busy;
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.oneEmail()).toMatchObject({ state: "waiting", attempts: 1, lastError: busy.reason });
    app.clock.advance(MINUTE_IN_MS - 1);
    app.mailer.answer = () => ({ ok: true });
    expect(await app.outbox.deliver()).toBe(0);
    app.clock.advance(1);
    expect(await app.outbox.deliver()).toBe(1);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", attempts: 2, lastError: undefined });
  });

  test("a refusal for good is not tried again, and the log names the email but nobody", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    app.mailer.answer = () => refused;
    expect(await deliverUntilQuiet(app)).toEqual([0]);
    const entry = await app.oneEmail();
    expect(entry).toMatchObject({ state: "failed", attempts: 1, lastError: "550 no such box <ada@dormouse.example>" });
    expect(app.log.lines).toEqual([
      { level: "warn", event: "an email was given up", facts: { mail: entry.id, kind: "receipt" } },
    ]);
  });

  test("emails that fail, and a mailer that throws, stop no other email", async () => {
    await using app = await openOutboxApp(engine);
    for (const order of [1, 2, 3, 4]) await app.add({ ...receipt, key: `receipt ${order}`, to: `m${order}@x.example` });
    app.mailer.answer = ({ to }) => {
      if (to === "m1@x.example") throw new Error("the mailer broke over ada@dormouse.example");
      if (to === "m2@x.example") return refused;
      if (to === "m3@x.example") return busy;
      return { ok: true };
    };
    expect(await app.outbox.deliver()).toBe(1);
    const states = (await app.outbox.list({ limit: 9 })).map(({ key, state }) => [key, state]);
    expect(Object.fromEntries(states)).toEqual({
      "receipt 1": "waiting",
      "receipt 2": "failed",
      "receipt 3": "waiting",
      "receipt 4": "sent",
    });
  });

  test("an email whose outcome cannot be noted is tried again after the lease, and the others go meanwhile", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.add({ ...receipt, key: "receipt order-13" });
    let unreadable: unknown = Symbol("no reason at all");
    app.mailer.answer = () => {
      if (!unreadable) return { ok: true };
      const delivery = { ok: false, isPermanent: false, reason: unreadable as string } as const;
      unreadable = undefined;
      return delivery;
    };
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.log.lines).toMatchObject([{ level: "error", facts: { kind: "receipt" } }]);
    expect(await app.outbox.deliver()).toBe(0);
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.outbox.deliver()).toBe(1);
  });

  test("a run ends although every email fails, and takes nothing that became due meanwhile", async () => {
    await using app = await openOutboxApp(engine);
    for (let order = 1; order <= 60; order += 1) await app.add({ ...receipt, key: `receipt order-${order}` });
    app.mailer.answer = () => {
      app.clock.advance(MINUTE_IN_MS);
      return busy;
    };
    await app.outbox.deliver();
    expect(app.mailer.emails).toHaveLength(60);
  });

  test("an email that was sent or given up can be sent anew, with a day of tries of its own", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.outbox.deliver();
    app.clock.advance(30 * DAY_IN_MS);
    const { id } = await app.oneEmail();
    expect(await app.outbox.resend(id)).toBe("queued");
    expect(await app.oneEmail()).toMatchObject({ state: "waiting", attempts: 0, sentAt: undefined });
    app.mailer.answer = () => busy;
    expect((await deliverUntilQuiet(app)).length).toBeGreaterThan(20);
    expect(await app.oneEmail()).toMatchObject({ state: "failed" });
    app.mailer.answer = () => ({ ok: true });
    expect(await app.outbox.resend(id)).toBe("queued");
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails.at(-1)).toMatchObject({ ...receipt.mail, createdAt: app.clock() });
    expect(app.mailer.emails.at(-1)?.id).not.toBe(app.mailer.emails[0]?.id);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", failedAt: undefined });
  });

  test("resending an email that waits for its next try makes it due now, and changes nothing else", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    app.mailer.answer = () => busy;
    await app.outbox.deliver();
    app.mailer.answer = () => ({ ok: true });
    app.clock.advance(1000);
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.outbox.resend((await app.oneEmail()).id)).toBe("queued");
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails[1]).toEqual(app.mailer.emails[0]);
  });

  test("a secret email that is gone cannot be sent again, and neither can one that never was", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    const { id } = await app.oneEmail();
    expect(await app.outbox.resend(id)).toBe("queued");
    await app.outbox.deliver();
    expect(await app.outbox.resend(id)).toBe("gone");
    expect(await app.outbox.resend(id + 1)).toBe("unknown");
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.oneEmail()).toMatchObject({ state: "sent" });
  });
});
