import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { moveTo } from "./address-change.ts";
import { type AccountsContext, isSubjectFor, linkPurposes, memberIdIn, toSubject, TAKE_BACK_DAYS } from "./context.ts";
import { changeHeld, findAccount, type Account, holdOpenMember, noPending, unlessTaken } from "./members.ts";

/* A change of address that an operator requested. The new address is proved as usual, but counts only after the old
   one has agreed or had three days to object. Otherwise an operator could enter their own mailbox, reset the password,
   and be the member before the member has read about it. */

const OBJECTION_DAYS = 3;
const { answer: purpose } = linkPurposes;

type HeldChange = {
  held: Account;
  newEmail: string;
  /** The operator confirms that the member can no longer read the old address. */
  isMailboxLost: boolean;
  site: string;
};

export function holdUntil({ clock }: Pick<AccountsContext, "clock">): Date {
  return after(clock(), OBJECTION_DAYS * DAY_IN_MS);
}

/** Emails the old address a link to agree or object. The account is locked, and the new address is pending. */
export async function askOldAddress(ctx: AccountsContext, change: HeldChange, trx: Queries): Promise<void> {
  const { held, newEmail, isMailboxLost, site } = change;
  const subject = toSubject(ctx, held.id, held.email);
  // The link of an earlier change answers for no other address.
  const token = await ctx.challenges.restart({ purpose, subject, linkLifeInMs: TAKE_BACK_DAYS * DAY_IN_MS }, trx);
  const countsFrom = holdUntil(ctx);
  await ctx.emails.addressQuestion({ member: held, newEmail, countsFrom, isMailboxLost, site, token }, trx);
}

export type AddressQuestion = { email: string; newEmail: string; countsFrom: Date | undefined };

export async function findAddressQuestion(ctx: AccountsContext, token: string): Promise<AddressQuestion | undefined> {
  const subject = await ctx.challenges.peekLink(purpose, token);
  const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), ctx.db);
  if (subject === undefined || !isQuestioned(ctx, subject, account)) return undefined;
  return { email: account.email, newEmail: account.pendingEmail, countsFrom: account.pendingUntil };
}

export type AddressAnswer = "kept" | "agreed" | "moved" | "email-registered" | "over";

/** The old address objects, or agrees: then the new one counts as soon as it is proved. */
export async function answerAddressChange(
  ctx: AccountsContext,
  { token, isAgreed, site }: { token: string; isAgreed: boolean; site?: string },
): Promise<AddressAnswer> {
  const subject = await ctx.challenges.peekLink(purpose, token);
  if (subject === undefined) return "over";
  const work = ctx.db.transaction().execute(async (trx): Promise<AddressAnswer> => {
    const held = await holdOpenMember(memberIdIn(subject), trx);
    const claimed = await ctx.challenges.claimLink(purpose, token, trx);
    if (claimed === undefined || !isQuestioned(ctx, claimed, held)) return "over";
    if (!isAgreed) {
      await changeHeld(held, { columns: noPending, trx });
      await ctx.challenges.voidAll({ owner: held.id, purposes: [linkPurposes.confirm] }, trx);
      ctx.log.warn({ member: held.id }, "a member has objected to a change of their address");
      return "kept";
    }
    if (held.isPendingProved) {
      await moveTo(ctx, { held, newEmail: held.pendingEmail, site }, trx);
      return "moved";
    }
    await changeHeld(held, { columns: { pendingUntil: null }, trx });
    return "agreed";
  });
  return unlessTaken(work, "email-registered");
}

/** The link is for the account's address, and a change of it waits. */
function isQuestioned(
  ctx: AccountsContext,
  subject: string,
  account: Account | undefined,
): account is Account & { pendingEmail: string } {
  return account?.pendingEmail !== undefined && isSubjectFor(ctx, subject, account);
}

const MOVED_AT_ONCE = 100;

/** A job: applies proved addresses whose three days are over; returns how many. */
export async function moveHeldAddresses(ctx: AccountsContext): Promise<number> {
  const due = await ctx.db
    .selectFrom("members")
    .select("id")
    .where("pendingUntil", "<=", ctx.clock())
    .where("pendingProvedAt", "is not", null)
    .orderBy("pendingUntil")
    .limit(MOVED_AT_ONCE)
    .execute();
  let count = 0;
  for (const { id } of due) if ((await moveHeld(ctx, id)) === "moved") count += 1;
  return count;
}

type HeldResult = "moved" | "over" | "taken";

async function moveHeld(ctx: AccountsContext, memberId: number): Promise<HeldResult> {
  const work = ctx.db.transaction().execute(async (trx): Promise<HeldResult> => {
    const held = await holdOpenMember(memberId, trx);
    const isDue = held?.pendingUntil !== undefined && held.pendingUntil <= ctx.clock();
    if (!held || held.pendingEmail === undefined || !held.isPendingProved || !isDue) return "over";
    await moveTo(ctx, { held, newEmail: held.pendingEmail, site: undefined }, trx);
    return "moved";
  });
  const result = await unlessTaken<HeldResult, HeldResult>(work, "taken");
  if (result === "taken") {
    await ctx.db.updateTable("members").set(noPending).where("id", "=", memberId).execute();
    ctx.log.warn({ member: memberId }, "a new address already belongs to another member");
  }
  return result;
}
