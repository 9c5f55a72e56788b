import { randomBytes } from "node:crypto";
import { z } from "zod";

import { type CodeRefusal, codeRefusals } from "../challenges/challenges.ts";
import type { AuditNote } from "../../platform/audit/audit.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import {
  type AccountsContext,
  entryPurposes,
  isSubjectFor,
  linkPurposes,
  memberIdIn,
  toSubject,
  TAKE_BACK_DAYS,
} from "./context.ts";
import {
  changeHeld,
  emailColumns,
  findAccount,
  type Account,
  holdMember,
  holdOpenMember,
  noPending,
  passwordColumns,
  requireFree,
  unlessTaken,
} from "./members.ts";
import { removeAllPasskeys } from "./passkeys.ts";
import { hashPassword } from "./passwords.ts";
import { toEmailKey } from "../../platform/email-address.ts";

/* A new address is pending until the member has proved that they read it. Once it counts, an email to the old
   address has a link that undoes the change: the person who is logged in may not be the owner. */

/** `countsFrom`: an operator requested the change, and the old address may object until then. */
export type ConfirmEmailResult =
  | { ok: true; countsFrom?: Date | undefined }
  | { ok: false; reason: CodeRefusal | "email-registered" };

/** `held`: it counts later, as with `countsFrom`. */
export type ConfirmLinkResult = "confirmed" | "held" | "email-registered" | "over";

export type ResendEmailResult =
  | { ok: true }
  | { ok: false; reason: "too-soon" | "too-many-attempts"; waitInMs: number }
  | { ok: false; reason: "nothing-pending" };

/** As at sign-up: a member may open the email the next morning. Its code is valid for ten minutes. */
const LINK_LIFE_IN_MS = DAY_IN_MS;
const UNDO_LIFE_IN_MS = TAKE_BACK_DAYS * DAY_IN_MS;
const SECRET_BYTES = 32;
const { confirm, undo } = linkPurposes;

const limits = {
  newAddresses: { attempts: 20, windowInMs: HOUR_IN_MS },
  emails: { attempts: 6, windowInMs: HOUR_IN_MS },
};

/** The answer shows a member whether an address is registered, so their requests are limited. */
export function countNewAddress(
  { rateLimiter }: Pick<AccountsContext, "rateLimiter">,
  memberId: number,
): Promise<TooMany | undefined> {
  return rateLimiter.count(`new address of ${memberId}`, limits.newAddresses);
}

/** Limits the emails to an address that a member claims. */
export function countAddressEmail(
  { rateLimiter }: Pick<AccountsContext, "rateLimiter">,
  email: string,
): Promise<TooMany | undefined> {
  return rateLimiter.count(`new address email ${toEmailKey(email)}`, limits.emails);
}

/** `heldUntil`: for an operator's change (`address-hold.ts`). */
type NewAddress = { held: Account; email: string; site: string; heldUntil?: Date | undefined };

/** Makes an address pending, in place of an earlier one, and queues the email to it. The account is locked. */
export async function requestAddress(
  ctx: AccountsContext,
  { held, email, site, heldUntil }: NewAddress,
  trx: Queries,
): Promise<void> {
  // After a second request within a minute, the first email still counts.
  const isSame = held.pendingEmail !== undefined && toEmailKey(held.pendingEmail) === toEmailKey(email);
  if (!isSame) await ctx.challenges.voidAll({ owner: held.id, purposes: [confirm] }, trx);
  const until = heldUntil ?? null;
  await changeHeld(held, { columns: { ...noPending, pendingEmail: email, pendingUntil: until }, trx });
  await sendConfirmation(ctx, { held, email, site, heldUntil }, trx);
}

export async function resendConfirmation(
  ctx: AccountsContext,
  memberId: number,
  { site, note }: { site: string; note?: AuditNote | undefined },
): Promise<ResendEmailResult> {
  const pending = (await findAccount(memberId, ctx.db))?.pendingEmail;
  if (pending === undefined) return { ok: false, reason: "nothing-pending" };
  const tooMany = (await countNewAddress(ctx, memberId)) ?? (await countAddressEmail(ctx, pending));
  if (tooMany) return tooMany;
  return ctx.db.transaction().execute(async (trx) => {
    const held = await holdOpenMember(memberId, trx);
    if (!held?.pendingEmail) return { ok: false, reason: "nothing-pending" };
    const { pendingEmail: email, pendingUntil: heldUntil } = held;
    const sent = await sendConfirmation(ctx, { held, email, site, heldUntil }, trx);
    if (sent.ok) await note?.(trx);
    return sent;
  });
}

async function sendConfirmation(ctx: AccountsContext, { held, email, site, heldUntil }: NewAddress, trx: Queries) {
  const challenge = { purpose: confirm, subject: toSubject(ctx, held.id, email), linkLifeInMs: LINK_LIFE_IN_MS };
  const started = await ctx.challenges.start(challenge, trx);
  if (!started.ok) return started;
  const { code, token } = started;
  const countsFrom = heldUntil && heldUntil > ctx.clock() ? heldUntil : undefined;
  await ctx.emails.confirmAddress({ member: held, newEmail: email, site, code, token, countsFrom }, trx);
  return { ok: true as const };
}

export async function cancelEmailChange({ db, challenges }: AccountsContext, memberId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const held = await holdOpenMember(memberId, trx);
    if (!held) return;
    await changeHeld(held, { columns: noPending, trx });
    await challenges.voidAll({ owner: held.id, purposes: [confirm, linkPurposes.answer] }, trx);
  });
}

export async function confirmEmailByCode(
  ctx: AccountsContext,
  { memberId, code, site }: { memberId: number; code: string; site: string | undefined },
): Promise<ConfirmEmailResult> {
  const work = ctx.db.transaction().execute(async (trx): Promise<ConfirmEmailResult> => {
    const held = await holdOpenMember(memberId, trx);
    if (!held?.pendingEmail) return { ok: false, reason: "expired-code" };
    const subject = toSubject(ctx, held.id, held.pendingEmail);
    const verdict = await ctx.challenges.answerCode({ purpose: confirm, subject, code }, trx);
    if (verdict !== "right") return { ok: false, reason: codeRefusals[verdict] };
    return { ok: true, countsFrom: await accept(ctx, { held, newEmail: held.pendingEmail, site }, trx) };
  });
  return unlessTaken(work, { ok: false, reason: "email-registered" });
}

export async function findEmailLink(ctx: AccountsContext, token: string): Promise<{ email: string } | undefined> {
  const subject = await ctx.challenges.peekLink(confirm, token);
  const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), ctx.db);
  return subject !== undefined && isPending(ctx, subject, account) ? { email: account.pendingEmail } : undefined;
}

export async function confirmEmailByLink(
  ctx: AccountsContext,
  { token, site }: { token: string; site: string | undefined },
): Promise<ConfirmLinkResult> {
  const subject = await ctx.challenges.peekLink(confirm, token);
  if (subject === undefined) return "over";
  const work = ctx.db.transaction().execute(async (trx): Promise<ConfirmLinkResult> => {
    const held = await holdOpenMember(memberIdIn(subject), trx);
    const claimed = await ctx.challenges.claimLink(confirm, token, trx);
    if (claimed === undefined || !isPending(ctx, claimed, held)) return "over";
    return (await accept(ctx, { held, newEmail: held.pendingEmail, site }, trx)) ? "held" : "confirmed";
  });
  return unlessTaken(work, "email-registered");
}

/** Whether a link is about the account's pending address. */
function isPending(
  ctx: AccountsContext,
  subject: string,
  account: Account | undefined,
): account is Account & { pendingEmail: string } {
  const email = account?.pendingEmail;
  return account !== undefined && email !== undefined && isSubjectFor(ctx, subject, { id: account.id, email });
}

/** `site`: the site that its owner uses, for the email to the old address. */
type NewOwnAddress = { held: Account; newEmail: string; site: string | undefined };

/** The new address is proved. It counts at once, or from the answered time, until which the old address may object. */
async function accept(
  ctx: AccountsContext,
  { held, newEmail, site }: NewOwnAddress,
  trx: Queries,
): Promise<Date | undefined> {
  const now = ctx.clock();
  if (!held.pendingUntil || held.pendingUntil <= now) {
    await moveTo(ctx, { held, newEmail, site }, trx);
    return undefined;
  }
  await requireFree(newEmail, { held, trx });
  await changeHeld(held, { columns: { pendingProvedAt: now }, trx });
  return held.pendingUntil;
}

/** Moves a locked account to its new address, and emails the undo link to the old one. */
export async function moveTo(
  ctx: AccountsContext,
  { held, newEmail, site }: NewOwnAddress,
  trx: Queries,
): Promise<void> {
  await requireFree(newEmail, { held, trx });
  const link = await makeUndoLink(ctx, { held, newEmail }, trx);
  await changeHeld(held, { columns: { ...emailColumns(newEmail), ...noPending }, trx });
  await ctx.challenges.voidAll({ owner: held.id, purposes: [linkPurposes.answer] }, trx);
  await ctx.emails.addressChanged({ member: held, site, ...link }, trx);
}

/** The undo link carries what the database forgets: the old address, and when the account left it. */
const leftAddress = z.object({ email: z.string(), leftAt: z.coerce.date() });

async function makeUndoLink(
  ctx: AccountsContext,
  { held, newEmail }: { held: Account; newEmail: string },
  trx: Queries,
): Promise<{ token: string; until: Date }> {
  const now = ctx.clock();
  // An account that is back at an address needs no link to it.
  await ctx.challenges.void(undo, toSubject(ctx, held.id, newEmail), trx);
  const subject = toSubject(ctx, held.id, held.email);
  const started = await ctx.challenges.start({ purpose: undo, subject, linkLifeInMs: UNDO_LIFE_IN_MS }, trx);
  if (!started.ok) throw new Error("An address was left that was left before");
  const left = ctx.undoSeal.seal(JSON.stringify({ email: held.email, leftAt: now }));
  return { token: `${started.token}.${left}`, until: after(now, UNDO_LIFE_IN_MS) };
}

export async function findUndo(ctx: AccountsContext, token: string): Promise<{ email: string } | undefined> {
  const link = await readUndoLink(ctx, token);
  return link && { email: link.email };
}

export async function undoEmail(ctx: AccountsContext, token: string): Promise<"undone" | "email-registered" | "over"> {
  const link = await readUndoLink(ctx, token);
  if (!link) return "over";
  // A random password: the person who changed the address cannot return with the old one, and the owner resets it.
  const passwordHash = await hashPassword(randomBytes(SECRET_BYTES).toString("base64url"));
  const work = ctx.db.transaction().execute(async (trx) => {
    const held = await holdMember(memberIdIn(link.subject), trx);
    if (!held || !(await ctx.challenges.claimLink(undo, link.secret, trx))) return "over";
    await giveBack(ctx, held, { ...link, passwordHash, trx });
    return "undone";
  });
  return unlessTaken(work, "email-registered");
}

async function readUndoLink(ctx: AccountsContext, token: string) {
  const [secret = "", left = ""] = token.split(".");
  const opened = ctx.undoSeal.open(left);
  if (opened === undefined) return undefined;
  const { email, leftAt } = leftAddress.parse(JSON.parse(opened));
  const subject = await ctx.challenges.peekLink(undo, secret);
  if (subject === undefined || !isSubjectFor(ctx, subject, { id: memberIdIn(subject), email })) return undefined;
  return { secret, subject, email, leftAt };
}

/** Reopens a closed account too: an intruder who could change the address could close it. */
async function giveBack(
  ctx: AccountsContext,
  held: Account,
  { email, leftAt, passwordHash, trx }: { email: string; leftAt: Date; passwordHash: string; trx: Queries },
): Promise<void> {
  await requireFree(email, { held, trx });
  const open = { ...noPending, closedEmail: null, eraseAt: null };
  await changeHeld(held, { columns: { ...emailColumns(email), ...open, ...passwordColumns(passwordHash) }, trx });
  const { sessions, challenges } = ctx;
  await removeAllPasskeys(ctx, held.id, trx);
  await sessions.endAll(held.id, trx);
  await challenges.voidAll({ owner: held.id, purposes: [...entryPurposes, linkPurposes.reopen] }, trx);
  // Later undo links are not the owner's, and would lead away from here again.
  await challenges.voidAll({ owner: held.id, purposes: [undo], since: leftAt }, trx);
}
