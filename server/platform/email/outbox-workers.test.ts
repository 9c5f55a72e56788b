import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxApp, receipt, refused } from "../../../tests/helpers/outbox-app.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { OutgoingEmail } from "./outbox.ts";
import type { Delivery } from "./sending.ts";

const to = (mail: OutgoingEmail, person: string, cause = person): OutgoingEmail => ({
  ...mail,
  key: `${mail.kind} ${cause}`,
  to: `${person}@dormouse.example`,
});

describe.each(engines)("several emails at once on %s", (engine) => {
  /**
   * An outbox whose mailer holds emails to these addresses until `end` is called; `begun`: the recipients of held
   * emails.
   */
  async function openHangingApp(hanging: RegExp) {
    const app = await openOutboxApp(engine);
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    app.mailer.answer = (message) => (hanging.test(message.to) ? promise : { ok: true });
    const begun = () => app.mailer.emails.map((email) => email.to.replace(/@.*/, ""));
    return { ...app, begun, end: () => resolve({ ok: true }) };
  }

  test("one that hangs holds up no other, not even one that is written after it", async () => {
    await using app = await openHangingApp(/slow/);
    await app.add(to(code, "slow"));
    for (const person of ["ann", "ben", "cleo"]) await app.add(to(code, person));
    const first = app.outbox.deliver();
    await expect.poll(app.begun).toEqual(expect.arrayContaining(["slow", "ann", "ben", "cleo"]));
    await app.add(to(code, "dan"));
    expect(await app.outbox.deliver()).toBe(1);
    app.end();
    expect(await first).toBe(4);
    expect(app.begun()).toHaveLength(5);
  });

  test("other emails that hang, however many, leave room for codes", async () => {
    await using app = await openHangingApp(/slow/);
    for (let order = 1; order <= 30; order += 1) await app.add(to(receipt, `slow${order}`));
    const receipts = app.outbox.deliver();
    await expect.poll(() => app.begun().length).toBe(4);
    for (let draft = 1; draft <= 30; draft += 1) await app.add(to(code, `quick${draft}`));
    expect(await app.outbox.deliver()).toBe(30);
    expect(app.begun().filter((person) => person.startsWith("slow"))).toHaveLength(4);
    app.end();
    expect(await receipts).toBe(30);
  });

  test("codes that hang leave room for one another until the mailer has eight in hand", async () => {
    await using app = await openHangingApp(/slow/);
    for (let draft = 1; draft <= 20; draft += 1) await app.add(to(code, `slow${draft}`));
    const sending = app.outbox.deliver();
    await expect.poll(() => app.begun().length).toBe(8);
    expect((await app.outbox.list({ limit: 20 })).filter(({ attempts }) => attempts > 0)).toHaveLength(8);
    app.end();
    expect(await sending).toBe(20);
  });

  test("those to one person go one after another, from whichever server, and no other person waits for that", async () => {
    await using app = await openHangingApp(/ada/);
    await app.add(to(code, "ada", "first"));
    await app.add(to(code, "ADA", "second"));
    const first = app.outbox.deliver();
    await expect.poll(app.begun).toEqual(["ada"]);
    await app.add(to(code, "ben"));
    expect(await app.openServer().deliver()).toBe(1);
    expect(app.begun()).toEqual(["ada", "ben"]);
    app.end();
    expect(await first).toBe(2);
    expect(app.begun()).toEqual(["ada", "ben", "ADA"]);
  });

  test("a code takes along what was written to its reader before it, past all that hang", async () => {
    await using app = await openHangingApp(/slow/);
    for (let order = 1; order <= 30; order += 1) await app.add(to(receipt, `slow${order}`));
    await app.add(to(receipt, "ada"));
    const receipts = app.outbox.deliver();
    await expect.poll(() => app.begun().length).toBe(4);
    await app.add(to(code, "ada"));
    expect(await app.outbox.deliver()).toBe(2);
    expect(app.mailer.emails.slice(4).map(({ subject }) => subject)).toEqual(
      [receipt, code].map(({ mail }) => mail.subject),
    );
    app.end();
    expect(await receipts).toBe(30);
  });

  test("one that waits to be tried again does not keep the next from its reader", async () => {
    await using app = await openOutboxApp(engine);
    app.mailer.answer = ({ id }) => (id === app.mailer.emails[0]?.id ? busy : { ok: true });
    await app.add(to(code, "ada", "first"));
    await app.add(to(code, "ada", "second"));
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails).toHaveLength(2);
  });

  test("one that a mailer never answers is left in time, and tried again", async () => {
    await using app = await openHangingApp(/ada/);
    await app.add(code);
    const delivered = app.openServer().deliver();
    await expect.poll(app.begun).toHaveLength(1);
    app.clock.advance(MINUTE_IN_MS);
    expect(await delivered).toBe(0);
    expect(await app.oneEmail()).toMatchObject({ state: "waiting", lastError: expect.stringContaining("in time") });
    app.end();
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.outbox.deliver()).toBe(1);
    expect(new Set(app.mailer.emails.map(({ id }) => id)).size).toBe(1);
  });
});

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
