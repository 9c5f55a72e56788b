import type { Accounts } from "../../members/accounts/accounts.ts";
import { isUndoOpen, linkPurposes } from "../../members/accounts/context.ts";
import type { MemberRecord } from "../../members/accounts/members.ts";
import { toPerson } from "../../members/accounts/person.ts";
import { isEmail, toEmailKey } from "../../platform/email-address.ts";
import { toCount } from "../../platform/count.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Avatars } from "../../members/avatars/avatars.ts";
import { type Challenges, CODE_LIFE_IN_MS, type CodeFault } from "../../members/challenges/challenges.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import type { Codes } from "../../money/companies/codes.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Outbox } from "../../platform/email/outbox.ts";
import type { Favourites } from "../../members/favourites/favourites.ts";
import type { EmptySearches } from "../figures/empty-searches.ts";
import type { Membership } from "../../money/membership/membership.ts";
import type { Newsletter } from "../newsletter/newsletter.ts";
import type { Notes } from "../notes/notes.ts";
import type { Operators } from "../operators/operators.ts";
import type { Gifts } from "../../money/gifts/gifts.ts";
import type { Payments } from "../../money/payments/payments.ts";
import type { Positions } from "../../members/positions/positions.ts";
import type { Limit, RateLimiter, TooMany } from "../../platform/rate-limit/rate-limit.ts";
import type { SignUp } from "../../money/sign-up/sign-up.ts";

/**
 * Merges two accounts of one person for an operator: all data moves to the account that stays, in one transaction, and
 * the other is deleted. The operator needs a code that only the other account's address gets: otherwise an owner could
 * merge a member into an account of their own, and read that member's data.
 */
export type Merging = ReturnType<typeof createMerging>;

export type Pair = { target: MemberRecord; source: MemberRecord };

export type MergeRefusal =
  | "held-elsewhere"
  | "other-unknown"
  | "other-closed"
  | "same-account"
  | "operators-address"
  | "address-changed"
  | "payment-under-way"
  | "sign-up-under-way"
  | "two-seats";

type Refused<Reason> = { ok: false; reason: Reason };

/** As things are now. `seat`: the code whose seat moves. */
export type MergePrediction = {
  ok: true;
  pair: Pair;
  /** The end of access of each now, and of the merged account. */
  until: { target: Date | undefined; source: Date | undefined; merged: Date | undefined };
  orders: number;
  seat: string | undefined;
};

export type CodeRequest =
  | { ok: true; email: string }
  | Refused<MergeRefusal>
  | { ok: false; reason: "too-soon"; waitInMs: number }
  | TooMany;

export type MergeResult = { ok: true; pair: Pair; until: Date | undefined } | Refused<MergeRefusal | CodeFault>;

export type MergingEmails = {
  /** To the other account's address: the code for the operator. `targetEmail`: of the account that stays. */
  mergeCode(email: MergeCodeEmail, trx: Queries): Promise<void>;
  accountsMerged(email: MergedEmail, trx: Queries): Promise<void>;
};

export type MergeCodeEmail = { member: Recipient; targetEmail: string; site: string; code: string; cause: string };
export type MergedEmail = { member: Recipient; to: string; targetEmail: string; sourceEmail: string; site: string };

type Recipient = Pick<MemberRecord, "id" | "email" | "firstName">;

export type MergingContext = Context & {
  accounts: Accounts;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  avatars: Avatars;
  membership: Membership;
  codes: Codes;
  favourites: Favourites;
  positions: Positions;
  newsletter: Newsletter;
  emptySearches: EmptySearches;
  notes: Notes;
  operators: Operators;
  signUp: SignUp;
  payments: Payments;
  gifts: Gifts;
  outbox: Outbox;
  audit: Audit;
  emails: MergingEmails;
  capabilities: { holdsAll: boolean };
};

const { merge: purpose } = linkPurposes;
/** For one address in an hour: each is an email. */
const CODES: Limit = { attempts: 5, windowInMs: HOUR_IN_MS };

export function createMerging(ctx: MergingContext) {
  return {
    predict: (request: MergeRequest) => predict(ctx, request),
    /** Emails a code to the account that would be deleted; `note` is written in the same transaction. */
    sendCode: (request: MergeRequest & { site: string }, note: Note) => sendCode(ctx, request, note),
    /**
     * Merges all or nothing, if the code is right. A refusal changes nothing but the tries of a wrong code. `note` is
     * written in the same transaction.
     */
    merge: (request: MergeRequest & { code: string; site: string }, note: Note) => merge(ctx, request, note),
  };
}

/** `other`: the number or the address of the account to delete. */
export type MergeRequest = { targetId: number; other: string };

type Note = (pair: Pair, trx: Queries) => Promise<void>;

async function predict(ctx: MergingContext, request: MergeRequest): Promise<MergePrediction | Refused<MergeRefusal>> {
  const found = await findPair(ctx, request);
  if (!found.ok) return found;
  const { pair } = found;
  const reason = await ctx.db.transaction().execute((trx) => findObstacle(ctx, pair, trx));
  if (reason) return { ok: false, reason };
  const { target, source } = pair;
  const until = {
    target: await ctx.membership.findCoverEnd(target.id),
    source: await ctx.membership.findCoverEnd(source.id),
    merged: await ctx.membership.predictMerged({ from: source.id, to: target.id }),
  };
  const orders = (await ctx.payments.listFor(toPerson(source))).length;
  const [seat] = await ctx.codes.listSeatsFor(source.id);
  return { ok: true, pair, until, orders, seat: seat?.code };
}

async function sendCode(
  ctx: MergingContext,
  { site, ...request }: MergeRequest & { site: string },
  note: Note,
): Promise<CodeRequest> {
  const found = await findPair(ctx, request);
  if (!found.ok) return found;
  const { pair } = found;
  const { target, source } = pair;
  const tooMany = await ctx.rateLimiter.count(`merge code ${toEmailKey(source.email)}`, CODES);
  if (tooMany) return tooMany;
  return ctx.db.transaction().execute(async (trx): Promise<CodeRequest> => {
    const reason = await findObstacle(ctx, pair, trx);
    if (reason) return { ok: false, reason };
    const subject = toSubject(ctx, pair);
    const started = await ctx.challenges.start({ purpose, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
    if (!started.ok) return started;
    const cause = `member-${source.id} ${ctx.clock().toISOString()}`;
    await ctx.emails.mergeCode({ member: source, targetEmail: target.email, site, code: started.code, cause }, trx);
    await note(pair, trx);
    return { ok: true, email: source.email };
  });
}

async function merge(
  ctx: MergingContext,
  { code, site, ...request }: MergeRequest & { code: string; site: string },
  note: Note,
): Promise<MergeResult> {
  const found = await findPair(ctx, request);
  if (!found.ok) return found;
  const { pair } = found;
  const { target, source } = pair;
  const result = await ctx.db.transaction().execute(async (trx): Promise<MergeResult> => {
    // By number, so that two merges of one pair wait for one another.
    for (const id of [target.id, source.id].toSorted((a, b) => a - b)) {
      if (!(await ctx.accounts.hold(id, trx))) return { ok: false, reason: "other-unknown" };
    }
    const reason = await findObstacle(ctx, pair, trx);
    if (reason) return { ok: false, reason };
    const verdict = await ctx.challenges.answerCode({ purpose, subject: toSubject(ctx, pair), code }, trx);
    if (verdict !== "right") return { ok: false, reason: verdict };
    ctx.reach("merge-begun");
    const until = await moveAll(ctx, pair, trx);
    await note(pair, trx);
    for (const to of [source.email, target.email]) {
      const about = { targetEmail: target.email, sourceEmail: source.email, site };
      await ctx.emails.accountsMerged({ member: target, to, ...about }, trx);
    }
    ctx.reach("merge-told");
    return { ok: true, pair, until };
  });
  ctx.reach("merge-done");
  return result;
}

/** Unless they are one, or one of them is missing or an operator's. */
async function findPair(
  { accounts, operators, capabilities }: MergingContext,
  { targetId, other }: MergeRequest,
): Promise<{ ok: true; pair: Pair } | Refused<MergeRefusal>> {
  if (!capabilities.holdsAll) return { ok: false, reason: "held-elsewhere" };
  const typed = other.trim();
  const sourceId = isEmail(typed) ? (await accounts.findByEmail(typed))?.id : toCount(typed);
  const [target, source] = [await accounts.findRecord(targetId), sourceId && (await accounts.findRecord(sourceId))];
  if (!target || !source) return { ok: false, reason: "other-unknown" };
  if (target.id === source.id) return { ok: false, reason: "same-account" };
  if (target.eraseAt ?? source.eraseAt) return { ok: false, reason: "other-closed" };
  for (const { email } of [target, source]) {
    if (await operators.find(email)) return { ok: false, reason: "operators-address" };
  }
  return { ok: true, pair: { target, source } };
}

/** Binds a code to this pair with its present addresses. */
function toSubject({ keyedHash }: MergingContext, { target, source }: Pair): string {
  return `${source.id} into ${target.id} ${keyedHash("merge")(`${toEmailKey(source.email)} ${toEmailKey(target.email)}`)}`;
}

async function findObstacle(
  { accounts, challenges, payments, signUp, codes }: MergingContext,
  { target, source }: Pair,
  trx: Queries,
): Promise<MergeRefusal | undefined> {
  for (const { id } of [target, source]) if (!(await accounts.findMember(id, trx))) return "other-closed";
  // A thief who changed an address could merge the account away before its owner undoes the change.
  for (const { id } of [target, source]) if (await isUndoOpen(challenges, id, trx)) return "address-changed";
  for (const person of [toPerson(target), toPerson(source)]) {
    if (await payments.isAnyUnsettledFor(person, trx)) return "payment-under-way";
  }
  if (await signUp.isAnyOpenFor(toPerson(source), trx)) return "sign-up-under-way";
  const seats = [...(await codes.listSeatsFor(target.id, trx)), ...(await codes.listSeatsFor(source.id, trx))];
  return seats.length > 1 ? "two-seats" : undefined;
}

async function moveAll(ctx: MergingContext, { target, source }: Pair, trx: Queries): Promise<Date | undefined> {
  const { accounts, challenges, codes, membership, payments, signUp, reach } = ctx;
  const move = { from: source.id, to: target.id };
  if (await codes.moveSeat(move, trx)) await accounts.setAccountType(target.id, "corporate", trx);
  const until = await membership.moveTerms(move, trx);
  reach("merge-terms-moved");
  await payments.moveOrders(toPerson(source), target.id, trx);
  await ctx.gifts.move(move, trx);
  await ctx.outbox.move(toPerson(source), target.id, trx);
  await ctx.audit.move(move, trx);
  await ctx.notes.move(move, trx);
  reach("merge-books-moved");
  await ctx.favourites.move(move, trx);
  await ctx.positions.move(move, trx);
  await ctx.newsletter.move(move, trx);
  await ctx.avatars.move(move, trx);
  reach("merge-reading-moved");
  // A completed draft's cookie logs its browser into the member's account: it must not open another account.
  await signUp.forgetDrafts(toPerson(source), trx);
  await ctx.emptySearches.erase(source.id, trx);
  // Sessions, tokens and the switch of positions are deleted with the account.
  await accounts.erase(source.id, trx);
  await challenges.voidAll({ owner: source.id, purposes: Object.values(linkPurposes) }, trx);
  return until;
}
