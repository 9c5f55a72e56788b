import { z } from "zod";

import { acknowledgeEmails, resendEmail, resendFailedEmails } from "../../../server/desk/health-acts.ts";
import type { OutboxEntry } from "../../../server/email/outbox.ts";
import { formatDateTime } from "../../../server/format.ts";
import { deskHealth as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { toCount } from "../../forms/text-of.ts";
import { type ActContext, defineAct, refuseAct } from "./define-act.ts";
import { type DeskView, deskPath } from "./view.ts";

/** Emails that failed, and those that wait. */

const EMAILS = 25;

export async function findEmailsScreen({ outbox }: Services, { params }: DeskView) {
  const state = readState(params);
  const { emails, next } = await outbox.listPage({ state, limit: EMAILS, before: readCursor(params) });
  return {
    name: "emails" as const,
    title: state === "failed" ? "Emails that failed" : "Emails that wait",
    state,
    emails: emails.map(toShown),
    isFirst: !params.has("before"),
    nextPath: next && deskPath("emails", { state, before: `${next.at.getTime()}-${next.id}` }),
  };
}

export type EmailsScreen = Awaited<ReturnType<typeof findEmailsScreen>>;

function readState(params: URLSearchParams): "failed" | "waiting" {
  return params.get("state") === "waiting" ? "waiting" : "failed";
}

/** Where a page begins: the instant and the number of the last email before it. */
function readCursor(params: URLSearchParams) {
  const [, at, id] = /^(\d{13})-([1-9]\d{0,8})$/.exec(params.get("before") ?? "") ?? [];
  return at === undefined ? undefined : { at: new Date(Number(at)), id: Number(id) };
}

const failures = {
  refused: "Refused by the mail server",
  "refused-unproved": "Refused at an address that was never proved, perhaps mistyped",
  "given-up": "Given up after a day of tries",
};

function toShown(mail: OutboxEntry) {
  const { id, kind, to, createdAt, dueAt, failedAt, failure, attempts, lastError, acknowledgedAt } = mail;
  return {
    id,
    kind: kind.replaceAll("-", " "),
    to,
    writtenAt: formatDateTime(createdAt),
    dueAt: dueAt && formatDateTime(dueAt),
    failedAt: failedAt && formatDateTime(failedAt),
    failure: failure && failures[failure],
    attempts,
    lastError,
    notedAt: acknowledgedAt && formatDateTime(acknowledgedAt),
  };
}

/** The number of the form's email if it is (still) in the list on the screen. */
async function findListed(row: string, { services, subject }: ActContext): Promise<number | undefined> {
  const id = toCount(row);
  const mail = id === undefined ? undefined : await services.outbox.find(id);
  return mail?.state === (subject === "waiting" ? "waiting" : "failed") ? id : undefined;
}

const notListed = refuseAct(table.ours["no-email"]);

const one = z.object({ subject: z.string().default("") });

export const emailActs = {
  "email-resend": defineAct({
    fields: one,
    async run({ subject }, ctx) {
      const id = await findListed(subject, ctx);
      if (id === undefined) return notListed;
      const result = await resendEmail(ctx.services, ctx.by, id);
      if (result.ok) return { ok: true, message: `Email ${id} is tried again within seconds.` };
      return result.reason === "gone" ? refuseAct(table.ours["email-gone"]) : notListed;
    },
  }),
  "email-acknowledge": defineAct({
    fields: one,
    async run({ subject }, ctx) {
      const id = await findListed(subject, ctx);
      const result = id === undefined ? undefined : await acknowledgeEmails(ctx.services, ctx.by, id);
      return result?.ok ? { ok: true, message: `The failure of email ${id} is noted.` } : notListed;
    },
  }),
  "emails-resend": defineAct({
    fields: z.object({}),
    async run(_, { services, by }) {
      const count = await resendFailedEmails(services, by);
      return { ok: true, message: `Emails that are tried again within seconds: ${count}.` };
    },
  }),
  "emails-acknowledge": defineAct({
    fields: z.object({}),
    async run(_, { services, by }) {
      const result = await acknowledgeEmails(services, by, undefined);
      return { ok: true, message: `Failures that are noted now: ${result.ok ? result.acknowledged : 0}.` };
    },
  }),
};
