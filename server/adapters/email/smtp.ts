import { createTransport, type SMTPPoolOptions } from "nodemailer";

import { SECOND_IN_MS } from "../../clock.ts";
import type { Mailer } from "../../email/mailer.ts";
import { readSmtpUrl, type SmtpServer } from "../../email/smtp-url.ts";
import { addressOf, findAddressFault, toMail, type Sender } from "./message.ts";
import { explainFault, isPermanent, sayFault } from "./smtp-faults.ts";

/** The parts of a dialogue together stay under this, and this under the minute that a mailer has. */
const ANSWER_LIMIT_IN_MS = 45 * SECOND_IN_MS;
const STEP_LIMIT_IN_MS = 10 * SECOND_IN_MS;
/** A server may look at a letter for long before it takes it. */
const SILENCE_LIMIT_IN_MS = 30 * SECOND_IN_MS;

type SmtpSetting = Sender & { url: string; limitInMs?: number };

/**
 * Mail through a mail server, over connections that are kept for the next letter. `url` is read by `readSmtpUrl`, which says when
 * TLS is used. `limitInMs` is for tests that do not wait as long as a member would.
 */
export function createSmtp({ url, from, replyTo, limitInMs = ANSWER_LIMIT_IN_MS }: SmtpSetting): Mailer {
  const server = readSmtpUrl(url);
  const pool = createTransport(toPool(server, limitInMs));
  const sender = addressOf(from);

  return {
    async send(message) {
      const fault = findAddressFault(message);
      if (fault) return fault;
      try {
        await pool.sendMail({
          ...toMail(message, { from, replyTo }),
          envelope: { from: sender, to: [message.to] },
          signal: AbortSignal.timeout(limitInMs),
        });
        return { ok: true };
      } catch (error) {
        return { ok: false, isPermanent: isPermanent(error), reason: sayFault(error) };
      }
    },

    async check() {
      const place = `${server.host}:${server.port}`;
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error("no answer in time")), limitInMs);
      try {
        await Promise.race([pool.verify(), silence]);
        const manner = server.credentials ? "takes our password" : "asks for no password";
        return { isWell: true, says: `The mail server ${place} answers and ${manner}.` };
      } catch (error) {
        return { isWell: false, says: `The mail server ${place} ${explainFault(error)}` };
      } finally {
        clearTimeout(timer);
      }
    },

    close: () => pool.close(),
  };
}

function toPool({ host, port, credentials, tls }: SmtpServer, limitInMs: number): SMTPPoolOptions & { pool: true } {
  return {
    pool: true,
    host,
    port,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
    secure: tls === "from-start",
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    tls: { rejectUnauthorized: tls !== "unchecked" },
    // A kept connection that turns out to be closed is replaced once; the outbox sees to everything else.
    maxRequeues: 1,
    maxConnections: 2,
    dnsTimeout: Math.min(STEP_LIMIT_IN_MS, limitInMs),
    connectionTimeout: Math.min(STEP_LIMIT_IN_MS, limitInMs),
    greetingTimeout: Math.min(STEP_LIMIT_IN_MS, limitInMs),
    socketTimeout: Math.min(SILENCE_LIMIT_IN_MS, limitInMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
