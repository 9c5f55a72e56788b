import type { Author } from "../audit/audit.ts";
import type { CatalogueStatus } from "../content/catalogue.ts";
import type { OutboxEntry } from "../email/outbox.ts";
import type { Services } from "../services.ts";

/** What operators do about emails, webhook events and the catalogue, by a command or at the desk. Each act is one audit line. */

type MailServices = Pick<Services, "outbox" | "audit" | "transact">;

export type ResendResult =
  | { ok: true; mail: OutboxEntry }
  /** `gone`: it held a secret, so its text was erased. */
  | { ok: false; reason: "unknown" | "gone" };

/** Makes an email due now, whether it waits, was sent or was given up. */
export function resendEmail({ outbox, audit, transact }: MailServices, by: Author, id: number): Promise<ResendResult> {
  return transact(async (trx) => {
    const mail = await outbox.find(id, trx);
    const result = mail ? await outbox.resend(id, trx) : "unknown";
    if (!mail || result === "unknown") return { ok: false, reason: "unknown" };
    if (result === "gone") return { ok: false, reason: "gone" };
    await audit.record({ ...by, action: "mail resend", memberId: mail.memberId, facts: { mail: id } }, trx);
    return { ok: true, mail };
  });
}

/** The same for every email that failed and is not acknowledged; answers how many. Those that held a secret stay. */
export function resendFailedEmails({ outbox, audit, transact }: MailServices, by: Author): Promise<number> {
  return transact(async (trx) => {
    const resent = await outbox.resendFailed(trx);
    await audit.record({ ...by, action: "mail resend", facts: { mail: "all", resent } }, trx);
    return resent;
  });
}

export type AcknowledgeResult =
  | { ok: true; acknowledged: number }
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "not-failed"; state: OutboxEntry["state"] };

/** Notes that failures are known: of one email, or of all so far. Answers how many were new. */
export function acknowledgeEmails(
  { outbox, audit, transact }: MailServices,
  by: Author,
  id: number | undefined,
): Promise<AcknowledgeResult> {
  return transact(async (trx) => {
    if (id !== undefined) {
      const mail = await outbox.find(id, trx);
      if (!mail) return { ok: false, reason: "unknown" };
      if (mail.state !== "failed") return { ok: false, reason: "not-failed", state: mail.state };
    }
    const acknowledged = await outbox.acknowledge(id === undefined ? {} : { id }, trx);
    await audit.record({ ...by, action: "mail acknowledge", facts: { mail: id ?? "all", acknowledged } }, trx);
    return { ok: true, acknowledged };
  });
}

/** Handles a failed webhook event again (`Webhooks.runAgain`). That asks the gateway, so the audit line follows with the result. */
export async function retryWebhook(
  { webhooks, audit }: Pick<Services, "webhooks" | "audit">,
  by: Author,
  event: { gateway: string; id: string },
): Promise<"done" | "failed" | "unknown"> {
  const result = await webhooks.runAgain(event);
  if (result === "unknown") return result;
  const facts = { gateway: event.gateway, webhook: event.id, result };
  await audit.record({ ...by, action: "webhook retry", facts });
  return result;
}

/** `unasked`: a provider is asked on behalf of a member who is logged in, and there was none. */
export type RefreshResult = { ok: boolean; reason?: "unasked" | "fault"; status: CatalogueStatus };

/** Reads the content source now, for this server; the others do so within a minute. */
export async function refreshCatalogue(
  { catalogue, audit, clock }: Pick<Services, "catalogue" | "audit" | "clock">,
  by: Author,
): Promise<RefreshResult> {
  const askedAt = clock();
  await catalogue.refresh();
  const status = catalogue.status();
  const { fault, readAt, skipped } = status;
  const reason = fault !== undefined ? "fault" : readAt && readAt >= askedAt ? undefined : "unasked";
  const facts = { leftOut: skipped.length, result: reason ?? "read" };
  await audit.record({ ...by, action: "catalogue refresh", facts });
  return { ok: reason === undefined, ...(reason && { reason }), status };
}
