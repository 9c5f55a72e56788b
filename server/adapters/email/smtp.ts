import { createTransport, type SMTPPoolOptions } from "nodemailer";

import { SECOND_IN_MS } from "../../platform/clock.ts";
import type { Mailer } from "../../platform/email/sending.ts";
import { readSmtpUrl, type SmtpServer } from "../../platform/email/smtp-url.ts";
import { readAddress, findAddressFault, toMail, type Sender } from "./message.ts";

/** For a whole dialogue; less than the minute that a mailer has. */
const ANSWER_LIMIT_IN_MS = 45 * SECOND_IN_MS;
const STEP_LIMIT_IN_MS = 10 * SECOND_IN_MS;
/** A server may check an email for a long time before it accepts it. */
const SILENCE_LIMIT_IN_MS = 30 * SECOND_IN_MS;

type SmtpSetting = Sender & { url: string; timeOut?: (ms: number) => AbortSignal };

/**
 * Sends through a mail server over reused connections. `readSmtpUrl` reads `url` and decides about TLS. `timeOut` makes
 * a signal that fires then; tests pass one with their own clock.
 */
export function createSmtp({ url, from, replyTo, timeOut = (ms) => AbortSignal.timeout(ms) }: SmtpSetting): Mailer {
  const server = readSmtpUrl(url);
  const pool = createTransport(toPool(server));
  const sender = readAddress(from);

  return {
    atOnce: server.connections,

    async send(message) {
      const fault = findAddressFault(message);
      if (fault) return fault;
      try {
        await pool.sendMail({
          ...toMail(message, { from, replyTo }),
          envelope: { from: sender, to: [message.to] },
          signal: timeOut(ANSWER_LIMIT_IN_MS),
        });
        return { ok: true };
      } catch (error) {
        return { ok: false, isPermanent: isPermanent(error), reason: faultText(error) };
      }
    },

    async check() {
      const address = `${server.host}:${server.port}`;
      const { promise: silence, reject } = Promise.withResolvers<never>();
      timeOut(ANSWER_LIMIT_IN_MS).addEventListener("abort", () => reject(new Error("no answer in time")));
      try {
        await Promise.race([pool.verify(), silence]);
        const manner = server.credentials ? "accepts our password" : "asks for no password";
        return { isWell: true, message: `The mail server ${address} answers and ${manner}.` };
      } catch (error) {
        return { isWell: false, message: `The mail server ${address} ${explainFault(error)}` };
      }
    },

    close: () => pool.close(),
  };
}

function toPool({ host, port, credentials, tls, connections }: SmtpServer): SMTPPoolOptions & { pool: true } {
  return {
    pool: true,
    host,
    port,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
    secure: tls === "from-start",
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    tls: { rejectUnauthorized: tls !== "unchecked" },
    // A reused connection that was closed is replaced once; the outbox handles every other failure.
    maxRequeues: 1,
    maxConnections: connections,
    dnsTimeout: STEP_LIMIT_IN_MS,
    connectionTimeout: STEP_LIMIT_IN_MS,
    greetingTimeout: STEP_LIMIT_IN_MS,
    socketTimeout: SILENCE_LIMIT_IN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type SmtpFault = { code?: string; command?: string; responseCode?: number; response?: string; message: string };

/** RFC 5321 and 4954: a bad sequence of commands, or failed authentication. They concern us, not the email. */
const ABOUT_US = new Set([503, 530, 534, 535, 538]);

/**
 * True if the recipient or the content was refused with a 5xx. A fault of the connection, the log-in, the sender or a
 * policy (RFC 3463: 5.7.x, such as "relay access denied") can be corrected, and the email then sent.
 */
function isPermanent(error: unknown): boolean {
  const { code, command, responseCode = 0, response = "" } = toFault(error);
  const isAboutMessage = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE";
  return isAboutMessage && responseCode >= 500 && !ABOUT_US.has(responseCode) && !/^\d{3}[ -]5\.7\./.test(response);
}

function faultText(error: unknown): string {
  const { code, message, response } = toFault(error);
  if (code === "EABORT") return "The mail server did not answer in time";
  return response ? `The mail server said: ${response}` : message;
}

function explainFault(error: unknown): string {
  const fault = toFault(error);
  const { code, command, responseCode } = fault;
  const words = faultText(error).replaceAll(/\s+/g, " ");
  if (code === "EAUTH" || code === "ENOAUTH") {
    return responseCode !== undefined && responseCode >= 400 && responseCode < 500
      ? `can't log anyone in right now: ${words}. Try again later.`
      : `rejects our user and password: ${words}. Are those in SMTP_URL right, with special characters as %xx?`;
  }
  if (code === "EDNS") return `can't be found: ${words}. Is the host in SMTP_URL right?`;
  if (command === "STARTTLS" || code === "ETLS" || isAboutTls(fault.message)) {
    return `can't be reached safely: ${words}. Does its certificate name this host, and is it smtps:// on port 465 and smtp:// on 587?`;
  }
  if (code === "ETIMEDOUT" || code === "EABORT" || words.includes("in time")) {
    return `does not answer in time: ${words}. Are host and port in SMTP_URL right, and does a firewall let them through?`;
  }
  return `isn't accepting emails: ${words}. Are host and port in SMTP_URL right, and does it let this machine in?`;
}

function isAboutTls(message: string): boolean {
  return /\b(?:SSL|TLS|certificate|self-signed|wrong version number)\b/i.test(message);
}

function toFault(error: unknown): SmtpFault {
  return error instanceof Error ? error : { message: String(error) };
}
