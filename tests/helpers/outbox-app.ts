import { expect } from "vitest";

import { findHolders } from "../../server/members/accounts/members.ts";
import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import type { Delivery } from "../../server/platform/email/sending.ts";
import { createOutbox, type OutgoingEmail } from "../../server/platform/email/outbox.ts";
import { createSeal } from "../../server/platform/seal.ts";
import { addMember, openApp } from "./app.ts";

export const busy = {
  ok: false,
  isPermanent: false,
  reason: "421 try later, ada@dormouse.example",
} as const satisfies Delivery;
export const refused = {
  ok: false,
  isPermanent: true,
  reason: "550 no such box\r\n<ada@dormouse.example>\0",
} as const satisfies Delivery;

export const receipt: OutgoingEmail = {
  key: "receipt order-12",
  kind: "receipt",
  to: "Ada@dormouse.example",
  mail: { subject: "Your receipt", text: "£60.00 was paid.", html: "<p>£60.00 was paid.</p>" },
};
export const code: OutgoingEmail = {
  key: "verification draft-1",
  kind: "verification",
  to: "ada@dormouse.example",
  mail: { subject: "Confirm", text: "The code is 271828.", html: "<p>271828</p>" },
  isSecret: true,
};

export type OutboxApp = Awaited<ReturnType<typeof openOutboxApp>>;

/** An outbox with emails in memory. At its end it checks that the log has no address and no code. */
export async function openOutboxApp(engine: Engine) {
  const app = await openApp({ engine });
  const { db, clock, log, mailer } = app;
  const { outbox, transact } = app.services;
  const slow: { answer: (delivery: Delivery) => void; delivered: Promise<number> }[] = [];
  return {
    db,
    clock,
    log,
    mailer,
    outbox,
    /** Another server on the same outbox, with the same secret by default. */
    openServer: ({ secret = app.config.sessionSecret }: { secret?: string } = {}) => {
      const { timeOut } = clock;
      return createOutbox({ ...app.ctx, mailer, seal: createSeal(secret, "emails"), findHolders, timeOut });
    },
    add: (mail: OutgoingEmail) => transact((trx) => outbox.add(mail, trx)),
    /** A server that begins to deliver and waits for the mailer. */
    async startSlowDelivery() {
      const answer = Promise.withResolvers<Delivery>();
      const sending = Promise.withResolvers<void>();
      mailer.answer = () => {
        sending.resolve();
        return answer.promise;
      };
      const delivered = outbox.deliver();
      slow.push({ answer: answer.resolve, delivered });
      await sending.promise;
      return { answer: answer.resolve, delivered };
    },
    async oneEmail() {
      const entries = await outbox.list({ limit: 10 });
      expect(entries).toHaveLength(1);
      const [entry] = entries;
      if (!entry) throw new Error("There is no email");
      return entry;
    },
    dump: async () => JSON.stringify(await db.selectFrom("emails").selectAll().execute()),
    register: async (email: string) => (await addMember(app, { email })).id,
    async [Symbol.asyncDispose]() {
      // An unanswered one would query the closed database once its time is up.
      for (const { answer } of slow) answer({ ok: true });
      await Promise.allSettled(slow.map(({ delivered }) => delivered));
      await app[Symbol.asyncDispose]();
      const logged = JSON.stringify(log.lines);
      if (/dormouse\.example|271828|£60/i.test(logged)) throw new Error(`The log said too much: ${logged}`);
    },
  };
}

/** Runs the worker until nothing is due; returns the minutes of the tries. */
export async function deliverUntilQuiet(app: OutboxApp): Promise<number[]> {
  const start = app.clock().getTime();
  const minutes: number[] = [];
  for (;;) {
    const before = app.mailer.emails.length;
    await app.outbox.deliver();
    if (app.mailer.emails.length > before) minutes.push((app.clock().getTime() - start) / MINUTE_IN_MS);
    const [next] = await app.outbox.list({ state: "waiting", limit: 1 });
    if (!next?.dueAt) return minutes;
    app.clock.advance(next.dueAt.getTime() - app.clock().getTime());
  }
}
