import type { Accounts, Member } from "../accounts/accounts.ts";
import { after, type Clock } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import { REMIND_BEFORE_IN_MS } from "../membership/endings.ts";
import type { Membership } from "../membership/membership.ts";
import { addMonths, plans } from "../membership/plans.ts";
import type { Order } from "../payments/orders.ts";
import type { Fulfil, Fulfilment } from "../payments/context.ts";
import type { DraftRow } from "./draft-rows.ts";
import type { Drafts } from "./drafts.ts";
import { codes as words } from "../refusals.ts";

type CompletionRooms = {
  drafts: Drafts;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  letters: {
    welcome(letter: { member: Member; endsAt: Date; site: string }, trx: Queries): Promise<void>;
  };
  clock: Clock;
};

type Term = { startsAt: Date; endsAt: Date };

/**
 * Makes account, seat and subscription of a draft whose order is paid, all in the transaction it is called in. The draft is claimed
 * first, so of two orders for it only one can be completed. Who joins, and how, is what the order says: its address was proved, and
 * another tab may have typed another one into the draft since.
 */
export function createCompletion({ drafts, accounts, membership, codes, letters, clock }: CompletionRooms): Fulfil {
  return async (order, trx) => {
    if (order.draftId === undefined) return { ok: false, reason: "sign-up-gone" };
    const draft = await drafts.claim(order.draftId, trx);
    if (!draft) {
      const isThere = await drafts.findById(order.draftId, trx);
      return { ok: false, reason: isThere ? "already-completed" : "sign-up-gone" };
    }

    const member = await findOrAdmit(draft, order, trx);
    if (!member) {
      await drafts.noteRefund(draft.id, trx);
      return { ok: false, reason: draft.purpose === "renew" ? "member-gone" : "email-registered" };
    }
    const term = await findTerm(order, member, trx);
    const refusal = await settleSeat(order, { member, term }, trx);
    if (refusal) return refusal;

    await membership.grant({ memberId: member.id, planType: order.planType, orderId: order.id, ...term }, trx);
    await drafts.noteMember(draft.id, member, trx);
    if (draft.purpose === "join") await letters.welcome({ member, ...term, site: draft.site }, trx);
    return { ok: true, memberId: member.id, ...term };
  };

  async function findOrAdmit(draft: DraftRow, order: Order, trx: Queries): Promise<Member | undefined> {
    const { purpose, memberId, keptPassword: passwordHash } = draft;
    const { accountType, email, firstName, lastName } = order;
    if (purpose === "join") {
      return passwordHash ? accounts.admit({ email, firstName, lastName, accountType, passwordHash }, trx) : undefined;
    }
    const member = memberId === undefined ? undefined : await accounts.findMember(memberId, trx);
    if (member) await accounts.setAccountType(member.id, accountType, trx);
    return member;
  }

  /**
   * From now, or from the end of what is paid already: renewing early loses no day. It takes hold of what the member has, and comes
   * before the seat: so does the letter at the end of a term.
   */
  async function findTerm(order: Order, member: Member, trx: Queries): Promise<Term> {
    const startsAt = (await membership.findCoverEnd(member.id, trx)) ?? clock();
    return { startsAt, endsAt: addMonths(startsAt, plans[order.planType].months) };
  }

  /** A company's seat; whoever pays for themselves leaves theirs to others when their own term begins. */
  async function settleSeat(
    order: Order,
    { member, term }: { member: Member; term: Term },
    trx: Queries,
  ): Promise<Fulfilment | undefined> {
    if (order.accountType !== "corporate") {
      await codes.endSeat({ memberId: member.id, endsAt: term.startsAt }, trx);
      return undefined;
    }
    if (term.startsAt > after(clock(), REMIND_BEFORE_IN_MS) && (await hasSeat(member, trx))) {
      return { ok: false, reason: "code-refused", message: words.ours["too-early"] };
    }
    const seat = await codes.takeSeat({ code: order.code ?? "", memberId: member.id }, trx);
    return seat.isValid ? undefined : { ok: false, reason: "code-refused", message: seat.message };
  }

  /** Nobody collects years from their company by pressing a link again and again; who had left it may come back. */
  async function hasSeat({ id }: Member, trx: Queries): Promise<boolean> {
    return (await codes.listSeatsFor(id, trx)).some(({ endsAt }) => endsAt === undefined);
  }
}
