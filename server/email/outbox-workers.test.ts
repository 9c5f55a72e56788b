import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxApp, receipt, refused } from "../../tests/helpers/outbox-app.ts";
import { MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("several servers at one outbox on %s", (engine) => {
  test("four workers at once send each of 120 emails once", async () => {
    await using app = await openOutboxApp(engine);
    for (let order = 1; order <= 120; order += 1) await app.add({ ...receipt, key: `receipt order-${order}` });
    const workers = Array.from({ length: 4 }, () => app.openServer());
    const counts = await Promise.all(workers.map((worker) => worker.deliver()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(app.mailer.emails).toHaveLength(120);
    expect(new Set(app.mailer.emails.map(({ id }) => id)).size).toBe(120);
    expect(await app.outbox.list({ state: "sent", limit: 200 })).toHaveLength(120);
  });

  test("no other worker takes an email that a worker is sending", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    const slow = await app.startSlowDelivery();
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.openServer().deliver()).toBe(0);
    expect(await app.outbox.resend((await app.oneEmail()).id)).toBe("queued");
    expect(await app.openServer().deliver()).toBe(0);
    slow.answer({ ok: true });
    expect(await slow.delivered).toBe(1);
    expect(app.mailer.emails).toHaveLength(1);
  });

  test("resending an email that is being tried again does not send it beside that try", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    app.mailer.answer = () => busy;
    await app.outbox.deliver();
    app.clock.advance(MINUTE_IN_MS);
    app.mailer.answer = async () => {
      expect(await app.outbox.resend((await app.oneEmail()).id)).toBe("queued");
      app.mailer.answer = () => ({ ok: true });
      expect(await app.openServer().deliver()).toBe(0);
      return { ok: true };
    };
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails).toHaveLength(2);
  });

  test("a worker that dies after sending leaves the email to the next, which sends the same message again", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    await app.startSlowDelivery();
    app.mailer.answer = () => ({ ok: true });
    expect(await app.openServer().deliver()).toBe(0);
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.openServer().deliver()).toBe(1);
    expect(app.mailer.emails[1]).toEqual(app.mailer.emails[0]);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("a worker that comes back late with a failure does not undo that another sent the email", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    const slow = await app.startSlowDelivery();
    app.clock.advance(3 * MINUTE_IN_MS);
    app.mailer.answer = () => ({ ok: true });
    expect(await app.openServer().deliver()).toBe(1);
    slow.answer(refused);
    expect(await slow.delivered).toBe(0);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", lastError: undefined });
    expect(app.log.lines).toEqual([]);
  });

  test("a worker that comes back late with a success ends the tries of the others", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    const slow = await app.startSlowDelivery();
    app.clock.advance(3 * MINUTE_IN_MS);
    app.mailer.answer = () => busy;
    await app.openServer().deliver();
    slow.answer({ ok: true });
    expect(await slow.delivered).toBe(1);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", dueAt: undefined });
    expect(await deliverUntilQuiet(app)).toEqual([]);
  });

  test("ten simultaneous resends of an email send it once", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.outbox.deliver();
    const { id } = await app.oneEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.outbox.resend(id)));
    expect(new Set(answers)).toEqual(new Set(["queued"]));
    await Promise.all([app.outbox.deliver(), app.outbox.deliver()]);
    expect(app.mailer.emails).toHaveLength(2);
  });
});
