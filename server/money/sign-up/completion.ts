import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { after } from "../../platform/clock.ts";
import type { Codes } from "../companies/codes.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Membership, REMIND_BEFORE_IN_MS } from "../membership/membership.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { plans } from "../membership/plans.ts";
import type { Fulfilment } from "../payments/context.ts";
import type { Order } from "../payments/orders.ts";
import { codes as words } from "../../refusals.ts";
import { claimDraft, type DraftRow, findDraftById, noteMember, noteRefund } from "./drafts.ts";

export type CompletionContext = Context & {
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  emails: {
    welcome(mail: { member: Member; endsAt: Date; site: string }, trx: Queries): Promise<void>;
  };
};

type Term = { startsAt: Date; endsAt: Date };

/**
 * Makes account, seat and subscription of a paid draft in the transaction of `ctx`. Claims the draft first, so only one
 * of its orders can be completed. Uses the order's member and way of joining: its address was proved, and another tab
 * may have changed the draft since.
 */
export async function fulfilOrder(ctx: CompletionContext, order: Order): Promise<Fulfilment> {
  if (order.draftId === undefined) return { ok: false, reason: "sign-up-gone" };
  const draft = await claimDraft(ctx, order.draftId);
  if (!draft) {
    const isThere = await findDraftById(ctx, order.draftId);
    return { ok: false, reason: isThere ? "already-completed" : "sign-up-gone" };
  }

  const member = await findOrAdmit(ctx, draft, order);
  if (!member) {
    await noteRefund(ctx, draft.id);
    return { ok: false, reason: draft.purpose === "renew" ? "member-gone" : "email-registered" };
  }
  const term = await findTerm(ctx, order, member);
  const refusal = await settleSeat(ctx, order, { member, term });
  if (refusal) return refusal;

  await ctx.membership.grant({ memberId: member.id, planType: order.planType, orderId: order.id, ...term }, ctx.db);
  await noteMember(ctx, { id: draft.id, memberId: member.id, email: member.email });
  if (draft.purpose === "join") await ctx.emails.welcome({ member, ...term, site: draft.site }, ctx.db);
  return { ok: true, memberId: member.id, hasJoined: draft.purpose === "join", ...term };
}

async function findOrAdmit(
  { db: trx, accounts }: CompletionContext,
  draft: DraftRow,
  order: Order,
): Promise<Member | undefined> {
  const { purpose, memberId, protectedPassword: passwordHash } = draft;
  const { accountType, email, firstName, lastName } = order;
  if (purpose === "join") {
    return passwordHash ? accounts.admit({ email, firstName, lastName, accountType, passwordHash }, trx) : undefined;
  }
  const member = memberId === undefined ? undefined : await accounts.findMember(memberId, trx);
  if (member) await accounts.setAccountType(member.id, accountType, trx);
  return member;
}

/**
 * From now, or from the end of the paid term: early renewal loses no day. Its lock comes before the seat's, as in the
 * email at the end of a term.
 */
async function findTerm({ db, clock, membership }: CompletionContext, order: Order, member: Member): Promise<Term> {
  const startsAt = (await membership.findCoverEnd(member.id, db)) ?? clock();
  return { startsAt, endsAt: addMonths(startsAt, plans[order.planType].months) };
}

/** A company's seat; a member who pays leaves theirs when their own term begins. */
async function settleSeat(
  ctx: CompletionContext,
  order: Order,
  { member, term }: { member: Member; term: Term },
): Promise<Fulfilment | undefined> {
  const { db: trx, clock, codes } = ctx;
  if (order.accountType !== "corporate") {
    await codes.endSeat({ memberId: member.id, endsAt: term.startsAt }, trx);
    return undefined;
  }
  if (term.startsAt > after(clock(), REMIND_BEFORE_IN_MS) && (await hasSeat(ctx, member))) {
    return { ok: false, reason: "code-refused", message: words["too-early"] };
  }
  const seat = await codes.takeSeat({ code: order.code ?? "", memberId: member.id }, trx);
  return seat.isValid ? undefined : { ok: false, reason: "code-refused", message: seat.message };
}

/** Repeated clicks collect no further years from a company; a member who had left it may come back. */
async function hasSeat({ db, codes }: CompletionContext, { id }: Member): Promise<boolean> {
  return (await codes.listSeatsFor(id, db)).some(({ endsAt }) => endsAt === undefined);
}
