import { isEmail } from "../platform/email-address.ts";
import type { OutboxEntry } from "../platform/email/outbox.ts";
import { actCommands } from "./act-command.ts";
import { type Command, type Group, readChoice, readCount, readEmail, UsageError } from "./command.ts";
import { withServices } from "./command-context.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const DEFAULT_LIMIT = 50;

const list: Command = {
  summary: "list emails of the last 90 days, newest first",
  options: {
    state: { value: "waiting|sent|failed", help: "only emails in this state" },
    to: { value: "ADDRESS", help: "only emails to this address" },
    limit: { value: "N", help: `how many at most; otherwise ${DEFAULT_LIMIT}` },
  },
  example: "mail list --state failed",
  run(input, terminal) {
    const state = readChoice(input, "state", ["waiting", "sent", "failed"]);
    const recipient = readEmail(input, "to");
    const limit = readCount(input, "limit", { min: 1, max: 1000 }) ?? DEFAULT_LIMIT;
    return withServices(terminal, async ({ services }) => {
      const emails = await services.outbox.list({ state, recipient, limit });
      const rows = emails.map((mail) => [
        mail.id,
        mail.kind,
        mail.to,
        printInstant(mail.createdAt),
        printState(mail),
        mail.attempts,
        mail.lastError,
      ]);
      const columns = ["ID", "EMAIL", "TO", "WRITTEN", "STATE", "TRIES", "LAST ERROR"];
      const text = printTable(columns, rows, { whenEmpty: "There are no such emails." });
      return { ok: true, text, json: { emails: emails.map(toJson) } };
    });
  },
};

const test: Command = {
  summary: "send a test email now, and show the mail server's answer",
  words: ["EMAIL"],
  example: "mail test olive@example.org",
  run(input, terminal) {
    const to = input.words[0] ?? "";
    if (!isEmail(to)) throw new UsageError(`Send a test email to an email address, not “${to}”.`);
    return withServices(terminal, async ({ services, config, operator }) => {
      const { testEmail } = await import("../platform/email/test-email.ts");
      const mail = testEmail(config);
      const delivery = await services.outbox.sendTest({ to, mail });
      await services.audit.record({ operator, action: "mail test", facts: { isSent: delivery.ok } });
      const { from } = config.mail;
      if (!delivery.ok) {
        return {
          ok: false,
          text: `Not sent: ${delivery.reason}`,
          json: { to, from, isSent: false, reason: delivery.reason },
        };
      }
      const where =
        config.mail.kind === "files"
          ? `It is a file in ${config.mail.folder}.`
          : "Check the inbox and the spam folder.";
      return { ok: true, text: `Sent to ${to} from ${from}. ${where}`, json: { to, from, isSent: true } };
    });
  },
};

export const mailCommands: Group = {
  summary: "emails, sent and not sent",
  commands: { list, ...actCommands("mail"), test },
};

function printState({ state, attempts, sentAt, failedAt, dueAt }: OutboxEntry): string {
  if (state !== "waiting") return `${state} ${printInstant(sentAt ?? failedAt)}`;
  return attempts === 0 ? "waiting" : `next try ${printInstant(dueAt)}`;
}

function toJson({ key: _key, isSecret: _isSecret, ...shown }: OutboxEntry) {
  return shown;
}
