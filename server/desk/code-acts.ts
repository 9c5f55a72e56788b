import type { Author } from "../audit/audit.ts";
import type { CodeView } from "../codes/code.ts";
import type { CodeExtension, CreateCodeResult, ExtendCodeResult, NewCode } from "../codes/codes.ts";
import { toCodeKey } from "../codes/rules.ts";
import type { Queries } from "../database/database.ts";
import type { Services } from "../services.ts";

/** What operators do about codes and their seats, by a command or at the desk. Each act is one transaction with one audit line. */

type CodeServices = Pick<
  Services,
  "codes" | "payments" | "membership" | "accounts" | "emails" | "renewalLinks" | "audit" | "transact" | "clock"
>;

/** Makes a code by which people join without paying. */
export function makeCode(
  { codes, audit, transact }: CodeServices,
  by: Author,
  wanted: NewCode,
): Promise<CreateCodeResult> {
  return transact(async (trx) => {
    const created = await codes.create(wanted, trx);
    if (!created.ok) return created;
    const { code, seats } = created.code;
    await audit.record({ ...by, action: "code create", facts: { code, seats } }, trx);
    return created;
  });
}

/** Gives a code a later last day, or none, and more seats. */
export function extendCode(
  { codes, audit, transact }: CodeServices,
  by: Author,
  extension: CodeExtension,
): Promise<ExtendCodeResult> {
  return transact(async (trx) => {
    const extended = await codes.extend(extension, trx);
    if (!extended.ok) return extended;
    const { code, seats, endsAt } = extended.code;
    const facts = { code, seats, endsAt: endsAt?.toISOString() ?? "for good" };
    await audit.record({ ...by, action: "code extend", facts }, trx);
    return extended;
  });
}

export type EndCodeResult =
  | { ok: true; code: CodeView }
  | { ok: false; reason: "unknown" }
  /** Earlier, by this or another operator. */
  | { ok: false; reason: "revoked"; code: CodeView };

/** Ends a code: no one can join by it any more, and members who have joined stay. */
export function endCode({ codes, audit, transact }: CodeServices, by: Author, typed: string): Promise<EndCodeResult> {
  return transact(async (trx) => {
    const isDone = await codes.revoke(typed, trx);
    const code = await codes.findView(typed, trx);
    if (!code) return { ok: false, reason: "unknown" };
    if (!isDone) return { ok: false, reason: "revoked", code };
    await audit.record({ ...by, action: "code revoke", facts: { code: code.code } }, trx);
    return { ok: true, code };
  });
}

export type SeatToFree = { code: string; memberId: number; site: string };

export type FreeSeatResult =
  /** `terms`: how many terms ended with it. `isTold`: whether the member had an email, which is so if no access is left. */
  { ok: true; terms: number; isTold: boolean } | { ok: false; reason: "no-seat" };

/**
 * Frees the seat that a member holds at a code, and ends the terms that orders by this code paid for; terms of other orders stay. A
 * member who has no access left gets the email at the end of a membership, with the link to go on at their own expense.
 */
export function freeSeat(
  services: CodeServices,
  by: Author,
  { code, memberId, site }: SeatToFree,
): Promise<FreeSeatResult> {
  const { codes, membership, audit, transact } = services;
  return transact(async (trx) => {
    // Terms are locked before seats, as joining and the job for ended terms do.
    await membership.findCoverEnd(memberId, trx);
    if (!(await codes.freeSeat({ code, memberId }, trx))) return { ok: false, reason: "no-seat" };
    const ended = await endTermsOf(services, { code, memberId }, trx);
    const isTold = ended.length > 0 && (await tellMember(services, { memberId, orderId: ended.at(-1), site }, trx));
    await audit.record({ ...by, action: "code seat freed", memberId, facts: { code, terms: ended.length } }, trx);
    return { ok: true, terms: ended.length, isTold };
  });
}

/** Ends the current and future terms of a code's orders; answers those orders. */
async function endTermsOf(
  { payments, membership }: CodeServices,
  { code, memberId }: { code: string; memberId: number },
  trx: Queries,
): Promise<number[]> {
  const key = toCodeKey(code);
  const orders = await payments.listCodeOrders(memberId, trx);
  const ended: number[] = [];
  for (const order of orders.filter((each) => toCodeKey(each.code) === key)) {
    if (await membership.revokeOrder(order.orderId, trx)) ended.push(order.orderId);
  }
  return ended;
}

/** A member who goes on now does so as an individual: the code is not offered again. */
async function tellMember(
  { membership, accounts, emails, renewalLinks, clock }: CodeServices,
  { memberId, orderId, site }: { memberId: number; orderId: number | undefined; site: string },
  trx: Queries,
): Promise<boolean> {
  const member = await accounts.findMember(memberId, trx);
  if (!member || (await membership.findCoverEnd(memberId, trx))) return false;
  const ended = (await membership.listFor(memberId, trx)).find((term) => term.orderId === orderId);
  if (!ended) return false;
  await accounts.setAccountType(memberId, "individual", trx);
  const link = `${site}signup?renew=${renewalLinks.make(memberId)}`;
  await emails.membershipEnded({ subscriptionId: ended.id, member, endsAt: clock(), link, site }, trx);
  return true;
}
