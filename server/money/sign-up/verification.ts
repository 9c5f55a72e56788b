import { toEmailKey } from "../../platform/email-address.ts";
import type { AuditNote } from "../../platform/audit/audit.ts";
import { type CodeRefusal, codeRefusals, type CodeVerdict } from "../../members/challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { toNetwork, type RateLimiter, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import type { SignUpContext, VerificationRecipient } from "./context.ts";
import { type DraftRow, findDraft, findDraftById, findOpenDraft, noteVerified } from "./drafts.ts";

/** ASVS 2.4.1: enough for an office on its first morning, too little for a robot. */
const LIMITS = {
  details: { attempts: 120, windowInMs: HOUR_IN_MS },
  emails: { attempts: 6, windowInMs: HOUR_IN_MS },
  paymentsFromNetwork: { attempts: 60, windowInMs: HOUR_IN_MS },
  paymentsOfDraft: { attempts: 12, windowInMs: 15 * MINUTE_IN_MS },
};

type Limited = { rateLimiter: RateLimiter };
type Wait = TooMany | undefined;

/** Step 1 tells a network whether an address is registered and a code valid. */
export function countDetails({ rateLimiter }: Limited, address: string): Promise<Wait> {
  return rateLimiter.count(`sign-up details ${toNetwork(address)}`, LIMITS.details);
}

/** No stranger can fill an inbox through us. */
export function countEmail({ rateLimiter }: Limited, email: string): Promise<Wait> {
  return rateLimiter.count(`sign-up email ${toEmailKey(email)}`, LIMITS.emails);
}

/** Stolen cards are tried out on pages like ours. */
export async function countPayment(
  { rateLimiter }: Limited,
  { address, draftId }: { address: string; draftId: number },
): Promise<Wait> {
  return (
    (await rateLimiter.count(`sign-up payment ${toNetwork(address)}`, LIMITS.paymentsFromNetwork)) ??
    (await rateLimiter.count(`sign-up payment of draft ${draftId}`, LIMITS.paymentsOfDraft))
  );
}

export const PURPOSE = "verify-email";
/** As long as the draft lives: the email may be opened in the morning. Its code is valid for ten minutes. */
const LINK_LIFE_IN_MS = 24 * HOUR_IN_MS;

export type VerifyResult = { ok: true } | { ok: false; reason: CodeRefusal | "no-draft" };

export type ResendResult =
  | { ok: true }
  | { ok: false; reason: "too-soon" | "too-many-attempts"; waitInMs: number }
  | { ok: false; reason: "already-verified" | "no-draft" };

export function findVerificationStart({ challenges }: SignUpContext, draft: DraftRow): Promise<Date | undefined> {
  return challenges.findStart(PURPOSE, toSubject(draft));
}

export async function verifyByCode(
  ctx: SignUpContext,
  { token, code }: { token: string; code: string },
): Promise<VerifyResult> {
  const draft = await findDraft(ctx, token);
  if (!draft) return { ok: false, reason: "no-draft" };
  if (draft.isVerified) return { ok: true };
  const verdict = await ctx.db.transaction().execute((trx) => answerCode({ ...ctx, db: trx }, draft, code));
  if (verdict === "right") return { ok: true };
  // A second click finds the challenge used up and the address verified.
  const isVerified = verdict === "none" && (await findDraft(ctx, token))?.isVerified;
  return isVerified ? { ok: true } : { ok: false, reason: codeRefusals[verdict] };
}

/** Stores the proof and its effect together or not at all. */
async function answerCode(ctx: SignUpContext, draft: DraftRow, code: string): Promise<CodeVerdict> {
  const verdict = await ctx.challenges.answerCode({ purpose: PURPOSE, subject: toSubject(draft), code }, ctx.db);
  if (verdict !== "right") return verdict;
  return (await noteVerified(ctx, draft)) ? "right" : "expired";
}

export async function findVerification(ctx: SignUpContext, linkToken: string): Promise<{ email: string } | undefined> {
  const draft = await findSubject(ctx, await ctx.challenges.peekLink(PURPOSE, linkToken));
  return draft && { email: draft.email };
}

export function verifyByLink(ctx: SignUpContext, linkToken: string): Promise<boolean> {
  return ctx.db.transaction().execute(async (trx) => {
    const inTransaction = { ...ctx, db: trx };
    const draft = await findSubject(inTransaction, await ctx.challenges.claimLink(PURPOSE, linkToken, trx));
    return draft !== undefined && noteVerified(inTransaction, draft);
  });
}

export async function resendVerification(ctx: SignUpContext, token: string): Promise<ResendResult> {
  return resendTo(ctx, await findDraft(ctx, token));
}

export async function resendFor(ctx: SignUpContext, draftId: number, note: AuditNote): Promise<ResendResult> {
  return resendTo(ctx, await findOpenDraft(ctx, draftId), note);
}

async function resendTo(
  ctx: SignUpContext,
  draft: Omit<DraftRow, "protectedPassword"> | undefined,
  note?: AuditNote,
): Promise<ResendResult> {
  if (!draft) return { ok: false, reason: "no-draft" };
  if (draft.isVerified) return { ok: false, reason: "already-verified" };
  const tooMany = await countEmail(ctx, draft.email);
  if (tooMany) return tooMany;
  return ctx.db.transaction().execute(async (trx) => {
    const sent = await sendVerification({ ...ctx, db: trx }, draft);
    if (sent.ok) await note?.(trx);
    return sent;
  });
}

/** `too-soon` within a minute of the last email. Call it in a transaction. */
export async function sendVerification(
  { db, challenges, emails }: SignUpContext,
  recipient: VerificationRecipient,
): Promise<{ ok: true } | { ok: false; reason: "too-soon"; waitInMs: number }> {
  const challenge = { purpose: PURPOSE, subject: toSubject(recipient), linkLifeInMs: LINK_LIFE_IN_MS };
  const started = await challenges.start(challenge, db);
  if (!started.ok) return started;
  const { id, email, firstName, site } = recipient;
  await emails.verification({ id, email, firstName, site, code: started.code, token: started.token }, db);
  return { ok: true };
}

/** `undefined` if the draft has another address by now. */
async function findSubject(ctx: SignUpContext, subject: string | undefined): Promise<DraftRow | undefined> {
  const id = Number(subject?.split(" ")[0] ?? Number.NaN);
  const draft = Number.isInteger(id) ? await findDraftById(ctx, id) : undefined;
  return draft && toSubject(draft) === subject ? draft : undefined;
}

export function toSubject({ id, email }: Pick<DraftRow, "id" | "email">): string {
  return `${id} ${toEmailKey(email)}`;
}
