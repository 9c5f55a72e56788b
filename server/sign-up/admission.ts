import type { Accounts, Member } from "../accounts/accounts.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { after, type Clock } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import { REMIND_BEFORE_IN_MS } from "../membership/endings.ts";
import type { Membership } from "../membership/membership.ts";
import { addMonths, plans } from "../membership/plans.ts";
import type { Fulfil, Fulfilment } from "../payments/context.ts";
import type { Order } from "../payments/orders.ts";
import { codes as words } from "../refusals.ts";
import type { Browser, Sessions, StartedSession } from "../sessions/sessions.ts";
import type { DraftRow, Drafts } from "./drafts.ts";

/** Where the accounts are that drafts become: in this house, or with somebody who opens them before they are paid for. */
export type Admission = {
  /** A password as a draft keeps it until then. */
  keepPassword(password: string): Promise<string>;
  /** Whether the address of step 1 is somebody's already. An account that was opened for the draft itself is nobody else's. */
  isTaken(wanted: { email: string; password: string; before: DraftRow | undefined }): Promise<boolean>;
  /**
   * Before anything is charged: whether an account can be made of a draft. What it does is done once, however often it is asked.
   * `address` is the visitor's network address.
   */
  prepare(draft: DraftRow, address: string): Promise<{ ok: true } | AdmissionRefusal>;
  /** Logs in whoever has just become a member. */
  startSession(memberId: number, browser?: Browser): Promise<StartedSession>;
  /** Forgets what is of no more use of a draft that is over while money of it is on its way. */
  letRest(draftId: number): Promise<void>;
};

export type AdmissionRefusal =
  | { ok: false; reason: "email-registered" }
  | { ok: false; reason: "unreachable" }
  /** With the sentence for the visitor. */
  | { ok: false; reason: "not-admitted"; message: string };

/** Accounts of our own: made with the subscription, when the money is here. */
export function createOwnAdmission(services: { accounts: Accounts; sessions: Sessions }): Admission {
  const { accounts, sessions } = services;
  const isRegistered = async (email: string) => (await accounts.findByEmail(email)) !== undefined;
  return {
    keepPassword: hashPassword,
    isTaken: ({ email }) => isRegistered(email),
    prepare: async ({ email }) =>
      (await isRegistered(email)) ? { ok: false, reason: "email-registered" } : { ok: true },
    startSession: (memberId, browser) => sessions.start(memberId, browser),
    // Money that comes late still becomes an account, with this password.
    letRest: async () => undefined,
  };
}

type CompletionServices = {
  drafts: Drafts;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  emails: {
    welcome(mail: { member: Member; endsAt: Date; site: string }, trx: Queries): Promise<void>;
  };
  clock: Clock;
};

type Term = { startsAt: Date; endsAt: Date };

/**
 * Makes account, seat and subscription of a draft whose order is paid, all in the transaction it is called in. The draft is claimed
 * first, so of two orders for it only one can be completed. Who joins, and how, is what the order says: its address was proved, and
 * another tab may have typed another one into the draft since.
 */
export function createCompletion({ drafts, accounts, membership, codes, emails, clock }: CompletionServices): Fulfil {
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
    if (draft.purpose === "join") await emails.welcome({ member, ...term, site: draft.site }, trx);
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
   * before the seat: so does the email at the end of a term.
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
