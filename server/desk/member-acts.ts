import type { AuditNote, Author } from "../audit/audit.ts";
import type { AddressResult, AddressWish, NameResult } from "../accounts/support.ts";
import type { Queries } from "../database/database.ts";
import { type Plan, plans, type PlanType } from "../membership/plans.ts";
import type { TooMany } from "../rate-limit/rate-limit.ts";
import type { Services } from "../services.ts";
import type { ResendResult } from "../sign-up/verification.ts";

/**
 * What operators do about one member, by command and at the desk. Each act is one transaction with its line in the audit log; an act that
 * is refused changes nothing and leaves none.
 */

const ACTIVATE = "member activate";
const DEACTIVATE = "member deactivate";
/** The audited actions that take access and seat away: our own act, and the API's call. */
const endingActions = new Set([DEACTIVATE, "subscription end"]);
/** The plan of a term when none is named. */
export const DEFAULT_PLAN: PlanType = 3;

export type Activation = { change: "restored" | "granted"; months: number | null; seat: string | null };

type Activating = Pick<Services, "audit" | "codes" | "membership" | "payments" | "transact">;

/**
 * Gives a member access: lifts a revocation if there is one, and takes the freed seat again if one is left; otherwise adds a term of `plan`
 * after what is paid already. Without `plan` a member who has access gets no other term, and the answer has no `change`. `freed` is the
 * code of the seat that was lost.
 */
export async function activateMember(
  services: Activating,
  by: Author,
  { memberId, plan }: { memberId: number; plan: Plan | undefined },
): Promise<{ change: Activation | undefined; freed: string | undefined; endsAt: Date | undefined }> {
  const { audit, membership, transact } = services;
  const freed = await findFreedSeat(services, memberId);
  const change = await transact(async (trx): Promise<Activation | undefined> => {
    const restored = await restore(services, { memberId, freed }, trx);
    if (!restored && !plan && (await membership.findCoverEnd(memberId, trx))) return undefined;
    const facts = restored ?? (await grant(services, { memberId, plan: plan ?? plans[DEFAULT_PLAN] }, trx));
    await audit.record({ ...by, action: ACTIVATE, memberId, facts }, trx);
    return facts;
  });
  return { change, freed, endsAt: await membership.findCoverEnd(memberId) };
}

/** Lifts a revocation alone, with the seat as `activateMember` does; no `change` when there is none to lift. */
export async function restoreMember(
  services: Activating,
  by: Author,
  memberId: number,
): Promise<{ change: Activation | undefined; freed: string | undefined }> {
  const freed = await findFreedSeat(services, memberId);
  const change = await services.transact(async (trx) => {
    const facts = await restore(services, { memberId, freed }, trx);
    if (facts) await services.audit.record({ ...by, action: ACTIVATE, memberId, facts }, trx);
    return facts;
  });
  return { change, freed };
}

/** Lets ended terms run again, except those whose money went back. */
async function restore(
  { codes, membership, payments }: Activating,
  { memberId, freed }: { memberId: number; freed: string | undefined },
  trx: Queries,
): Promise<Activation | undefined> {
  if (!(await membership.restore(memberId, trx, () => payments.listGivenBack(memberId, trx)))) return undefined;
  // Access is restored even if another member has the seat by now.
  const isSeated = freed !== undefined && (await codes.takeSeat({ code: freed, memberId }, trx)).isValid;
  return { change: "restored", months: null, seat: isSeated ? freed : null };
}

async function grant(
  { membership }: Activating,
  term: { memberId: number; plan: Plan },
  trx: Queries,
): Promise<Activation> {
  await membership.extend(term, trx);
  return { change: "granted", months: term.plan.months, seat: null };
}

/** The code whose seat the member lost, here or over the API, since they were last activated. A second ending takes no seat. */
async function findFreedSeat({ audit }: Pick<Services, "audit">, memberId: number): Promise<string | undefined> {
  const entries = await audit.listFor(memberId);
  const activated = entries.findIndex(({ action }) => action === ACTIVATE);
  const since = activated === -1 ? entries : entries.slice(0, activated);
  const seats = since.filter(({ action }) => endingActions.has(action)).map(({ facts }) => facts.seat);
  return seats.find((seat) => typeof seat === "string");
}

/** Gives a member another term behind what is paid already; answers when it ends. */
export function giveTerm(
  { audit, membership, transact }: Pick<Services, "audit" | "membership" | "transact">,
  by: Author,
  given: { memberId: number; plan: Plan },
): Promise<Date> {
  return transact(async (trx) => {
    const endsAt = await membership.extend(given, trx);
    const facts = { months: given.plan.months, endsAt: endsAt.toISOString() };
    await audit.record({ ...by, action: "member term", memberId: given.memberId, facts }, trx);
    return endsAt;
  });
}

export type Deactivation = { isRevoked: boolean; sessions: number; seat: string | null };

/** Ends a member's access now, logs them out everywhere and frees their seat; `undefined` when there is nothing to end. */
export async function deactivateMember(
  {
    audit,
    codes,
    membership,
    sessions,
    transact,
  }: Pick<Services, "audit" | "codes" | "membership" | "sessions" | "transact">,
  by: Author,
  memberId: number,
): Promise<Deactivation | undefined> {
  const seat = (await codes.listSeatsFor(memberId))[0]?.code ?? null;
  return transact(async (trx) => {
    const isRevoked = await membership.revoke(memberId, trx);
    const ended = await sessions.endAll(memberId, trx);
    await codes.releaseSeat(memberId, trx);
    const facts = { isRevoked, sessions: ended, seat };
    if (!isRevoked && ended === 0 && seat === null) return undefined;
    await audit.record({ ...by, action: DEACTIVATE, memberId, facts }, trx);
    return facts;
  });
}

type Supporting = Pick<Services, "audit" | "support" | "transact">;

export function correctName(
  { audit, support, transact }: Supporting,
  by: Author,
  names: { memberId: number; firstName: string; lastName: string },
): Promise<NameResult> {
  return transact(async (trx) => {
    const result = await support.correctName(names, trx);
    if (result.ok) await audit.record({ ...by, action: "member name", memberId: names.memberId, facts: {} }, trx);
    return result;
  });
}

export async function startAddressChange(
  { audit, support, transact }: Supporting,
  by: Author,
  change: AddressWish,
): Promise<AddressResult | TooMany> {
  // The rate limiter has a connection of its own: inside the transaction it would wait for this one for ever.
  const tooMany = await support.countAddressEmail(change.email);
  return (
    tooMany ??
    transact(async (trx) => {
      const result = await support.startAddressChange(change, trx);
      const { memberId, isMailboxLost } = change;
      if (result.ok) await audit.record({ ...by, action: "member address", memberId, facts: { isMailboxLost } }, trx);
      return result;
    })
  );
}

/** Logs a member out everywhere; answers how many sessions that ended. */
export function endSessions(
  { audit, sessions, transact }: Pick<Services, "audit" | "sessions" | "transact">,
  by: Author,
  memberId: number,
): Promise<number> {
  return transact(async (trx) => {
    const ended = await sessions.endAll(memberId, trx);
    await audit.record({ ...by, action: "member sessions", memberId, facts: { ended } }, trx);
    return ended;
  });
}

/** Closes an account as its member would; answers when it is erased, `undefined` when it is closed or gone. */
export function closeMember(
  { audit, support, transact }: Supporting,
  by: Author,
  closure: { memberId: number; site: string },
): Promise<Date | undefined> {
  return transact(async (trx) => {
    const eraseAt = await support.close(closure, trx);
    const facts = { eraseAt: eraseAt?.toISOString() ?? null };
    if (eraseAt) await audit.record({ ...by, action: "member close", memberId: closure.memberId, facts }, trx);
    return eraseAt;
  });
}

type EmailResult =
  | { ok: true }
  | { ok: false; reason: "too-soon"; waitInMs: number }
  | { ok: false; reason: "nothing-pending" | "no-account" }
  | TooMany;

/** Sends the code and link for a pending address again. The limits of the member's own button hold here too. */
export function resendConfirmation(
  { audit, profile }: Pick<Services, "audit" | "profile">,
  by: Author,
  { memberId, ...from }: { memberId: number; site: string; address: string },
): Promise<EmailResult> {
  const entry = { ...by, action: "member verification", memberId, facts: {} } as const;
  return profile.resendConfirmation(memberId, from, (trx) => audit.record(entry, trx));
}

/** Sends a member the code and link for a new password, as they would ask for it themselves. */
export async function sendReset(
  { accounts, audit, passwordReset }: Pick<Services, "accounts" | "audit" | "passwordReset">,
  by: Author,
  { memberId, ...from }: { memberId: number; site: string; address: string },
): Promise<EmailResult> {
  const member = await accounts.findMember(memberId);
  if (!member) return { ok: false, reason: "no-account" };
  const entry = { ...by, action: "member reset", memberId, facts: {} } as const;
  const note: AuditNote = (trx) => audit.record(entry, trx);
  const result = await passwordReset.request({ email: member.email, ...from, note });
  return result.ok || result.reason === "too-many-attempts" ? result : { ok: false, reason: "no-account" };
}

/** Sends the verification of a sign-up that is under way again. It has no member yet, so its line names the draft. */
export function resendVerification(
  { audit, signUp }: Pick<Services, "audit" | "signUp">,
  by: Author,
  draftId: number,
): Promise<ResendResult> {
  const entry = { ...by, action: "sign-up verification", facts: { draft: draftId } } as const;
  return signUp.resendFor(draftId, (trx) => audit.record(entry, trx));
}
