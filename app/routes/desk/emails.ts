import type { OutboxEntry } from "../../../server/email/outbox.ts";
import { formatDateTime } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
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
