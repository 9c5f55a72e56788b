import { describe, expect, test } from "vitest";

import { type SmtpSink, startSmtpSink } from "../../tests/fakes/smtp-sink.ts";
import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { openSmtpPost } from "../../tests/helpers/smtp-post.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createSeal } from "../seal.ts";
import { createOutbox } from "./outbox.ts";

/** The outbox with a mail server behind it. */
async function openOffice(engine: Engine) {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const clock = createTestClock();
  const post = await openSmtpPost({}, { limitInMs: 2000 });
  const setting = { db, clock, mailer: post.mailer, seal: createSeal("secret", "letters"), log: createQuietLog() };
  const outbox = createOutbox(setting);
  const write = async (order: number) =>
    db.transaction().execute((trx) => {
      const mail = { subject: `Receipt ${order}`, text: "£60.00 was paid.", html: "<p>£60.00 was paid.</p>" };
      return outbox.add({ key: `receipt ${order}`, kind: "receipt", to: `m${order}@x.example`, mail }, trx);
    });
  return {
    ...database,
    clock,
    post,
    outbox,
    write,
    anotherWorker: () => createOutbox(setting),
    async pass(ms: number) {
      for (let minute = 0; minute < ms; minute += MINUTE_IN_MS) {
        clock.advance(MINUTE_IN_MS);
        await outbox.deliver();
      }
    },
    async [Symbol.asyncDispose]() {
      await post[Symbol.asyncDispose]();
      await database.close();
    },
  };
}

const subjectsOf = ({ emails }: SmtpSink) => emails.map(({ mail }) => mail.subject);
const orders = [1, 2, 3, 4, 5];
const subjects = orders.map((order) => `Receipt ${order}`);

describe.each(engines)("emails through a mail server, from %s", (engine) => {
  test("a server that is away for hours gets each email once when it is back", async () => {
    await using office = await openOffice(engine);
    await office.post.sink.stop();
    for (const order of orders) await office.write(order);
    await office.pass(5 * HOUR_IN_MS);
    expect(await office.outbox.list({ state: "waiting", limit: 9 })).toHaveLength(orders.length);
    await using back = await startSmtpSink({ port: office.post.sink.port });
    await office.pass(HOUR_IN_MS);
    expect(new Set(subjectsOf(back))).toEqual(new Set(subjects));
    expect(subjectsOf(back)).toHaveLength(orders.length);
    await office.pass(HOUR_IN_MS);
    expect(subjectsOf(back)).toHaveLength(orders.length);
    expect(await office.outbox.list({ state: "sent", limit: 9 })).toHaveLength(orders.length);
  });

  test("a server that asks to come again later gets each email once", async () => {
    await using office = await openOffice(engine);
    office.post.sink.manner = "greylists";
    for (const order of orders) await office.write(order);
    await Promise.all([office.outbox.deliver(), office.anotherWorker().deliver()]);
    office.post.sink.manner = "well";
    await office.pass(10 * MINUTE_IN_MS);
    expect(new Set(subjectsOf(office.post.sink))).toEqual(new Set(subjects));
    expect(office.post.sink.emails).toHaveLength(orders.length);
  });

  test("a recipient that does not exist is given up at once, with the server's words for operators", async () => {
    await using office = await openOffice(engine);
    office.post.sink.manner = "refuses-recipient";
    await office.write(1);
    await office.pass(MINUTE_IN_MS);
    const [given] = await office.outbox.list({ state: "failed", limit: 9 });
    expect(given).toMatchObject({ attempts: 1, lastError: "The mail server said: 550 5.1.1 No such user here" });
    office.post.sink.manner = "well";
    await office.pass(HOUR_IN_MS);
    expect(office.post.sink.emails).toEqual([]);
  });

  test("an email that the server kept without saying so comes again, under the same id", async () => {
    await using office = await openOffice(engine);
    office.post.sink.manner = "drops-before-yes";
    await office.write(1);
    await office.outbox.deliver();
    office.post.sink.manner = "well";
    await office.pass(2 * MINUTE_IN_MS);
    const ids = office.post.sink.emails.map(({ mail }) => mail.messageId);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
    expect(await office.outbox.list({ state: "sent", limit: 9 })).toHaveLength(1);
  });
});
