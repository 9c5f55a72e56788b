import type { Accounts, Person } from "../../members/accounts/accounts.ts";
import { isUndoOpen, linkPurposes } from "../../members/accounts/context.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Avatars } from "../../members/avatars/avatars.ts";
import type { Challenges } from "../../members/challenges/challenges.ts";
import { type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Codes } from "../../money/companies/codes.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Outbox } from "../../platform/email/outbox.ts";
import type { Favourites } from "../../members/favourites/favourites.ts";
import type { EmptySearches } from "../figures/empty-searches.ts";
import type { Membership } from "../../money/membership/membership.ts";
import type { Moving } from "../moving/moving.ts";
import type { Newsletter } from "../newsletter/newsletter.ts";
import type { Notes } from "../notes/notes.ts";
import type { Gifts } from "../../money/gifts/gifts.ts";
import type { Payments } from "../../money/payments/payments.ts";
import type { MemberPasskeys } from "../../members/accounts/passkeys.ts";
import type { Sessions } from "../../members/sessions/sessions.ts";
import type { Positions } from "../../members/positions/positions.ts";
import type { SignUp } from "../../money/sign-up/sign-up.ts";

/** Exports and erases all data of a member, in all services. */
export type PersonalData = ReturnType<typeof createPersonalData>;

export type EraseResult =
  | { ok: true; remainder: Remainder }
  | { ok: false; reason: "payment-under-way" | "address-changed" | "already-gone" };

/** The amount that stays, and the member's customers at the card gateway, which has its own data. */
export type Remainder = { orders: number; actions: number; customersAtGateway: string[] };

export type PersonalDataContext = {
  accounts: Accounts;
  challenges: Challenges;
  avatars: Avatars;
  membership: Membership;
  codes: Codes;
  sessions: Sessions;
  memberPasskeys: Pick<MemberPasskeys, "list">;
  favourites: Favourites;
  positions: Positions;
  newsletter: Newsletter;
  moving: Pick<Moving, "findRecord">;
  emptySearches: EmptySearches;
  signUp: SignUp;
  payments: Payments;
  gifts: Gifts;
  outbox: Outbox;
  audit: Audit;
  notes: Notes;
  clock: Clock;
  transact: <Result>(work: (trx: Queries) => Promise<Result>) => Promise<Result>;
};

export function createPersonalData(ctx: PersonalDataContext) {
  return {
    /** Without secrets: hashes of passwords, sessions and codes. */
    gather: (person: Person) => gather(ctx, person),
    /** Lets one operator fetch a member's data once within two minutes. The file is made then. */
    makePass: (pass: PassOwner, trx: Queries) => makePass(ctx, pass, trx),
    /** Uses up the pass. A pass of another operator or for another member stays valid. */
    async gatherOnce(token: string, { operatorId, ...person }: Person & { operatorId: number }) {
      const pass = toPassSubject({ memberId: person.memberId, operatorId });
      if ((await ctx.challenges.peekLink(PASS, token)) !== pass) return undefined;
      const held = await gather(ctx, person);
      return (await ctx.challenges.claimLink(PASS, token)) === pass ? held : undefined;
    },
    /**
     * Erases a member in every module, all or nothing. Orders, payments and audit lines stay without the person.
     * Refused while money is on its way: a person who is owed money must stay known. Refused while an old address can
     * undo a change: a thief could have the account erased before its owner reads the email.
     */
    erase: (person: Person, operator: string, reason?: string) =>
      erase(ctx, person, {
        operator,
        reason,
        async remove(trx) {
          if (await isUndoOpen(ctx.challenges, person.memberId, trx)) throw new Undone("address-changed");
          return ctx.accounts.erase(person.memberId, trx);
        },
      }),
    /** An old address can still undo a change of the account's. */
    isUndoOpen: (memberId: number) => isUndoOpen(ctx.challenges, memberId),
    /**
     * For an account that its owner has closed; `already-gone` also if it was reopened or is not due. `sendFarewell`
     * queues the last email in the same transaction.
     */
    eraseClosed: (
      person: Person,
      { dueBy, sendFarewell }: { dueBy: Date; sendFarewell: (trx: Queries) => Promise<void> },
    ) =>
      erase(ctx, person, {
        operator: "erase-closed-accounts",
        remove: (trx) => ctx.accounts.eraseDue({ memberId: person.memberId, dueBy }, trx),
        sendFarewell,
      }),
  };
}

type PassOwner = { memberId: number; operatorId: number };

const PASS = "member-export";
const PASS_LIFE_IN_MS = 2 * MINUTE_IN_MS;

const toPassSubject = ({ memberId, operatorId }: PassOwner) => `${memberId} for ${operatorId}`;

function makePass({ challenges }: PersonalDataContext, pass: PassOwner, trx: Queries): Promise<string> {
  return challenges.restart({ purpose: PASS, subject: toPassSubject(pass), linkLifeInMs: PASS_LIFE_IN_MS }, trx);
}

async function gather(ctx: PersonalDataContext, person: Person) {
  const { memberId } = person;
  const picture = await ctx.avatars.findFor(memberId);
  const actions = await ctx.audit.listFor(memberId);
  return {
    exportedAt: ctx.clock(),
    member: await ctx.accounts.findRecord(memberId),
    picture: picture && {
      ...picture,
      contentType: "image/webp",
      bytes: Buffer.from(picture.bytes).toString("base64"),
    },
    access: await ctx.membership.findAccess(memberId),
    subscriptions: await ctx.membership.listFor(memberId),
    seats: await ctx.codes.listSeatsFor(memberId),
    sessions: await ctx.sessions.listFor(memberId),
    passkeys: await ctx.memberPasskeys.list(memberId),
    favourites: await ctx.favourites.listFor(memberId),
    positions: await ctx.positions.listFor(memberId),
    newsletter: await ctx.newsletter.findRecord(memberId),
    brought: await ctx.moving.findRecord(memberId),
    emptySearches: await ctx.emptySearches.listFor(memberId),
    drafts: await ctx.signUp.listDraftsFor(person),
    orders: await ctx.payments.listFor(person),
    gifts: await ctx.gifts.listFor(person),
    emails: await ctx.outbox.listFor(person),
    // Without the operator: that is the operator's own data.
    notes: (await ctx.notes.listFor({ memberId })).map(({ text, notedAt }) => ({ text, notedAt })),
    operatorActions: actions.map(({ at, action, facts, reason }) => ({ at, action, facts, reason })),
  };
}

type Occasion = {
  operator: string;
  /** Without the person: it stays. */
  reason?: string | undefined;
  /** Deletes the account; returns whether it existed and was due. */
  remove: (trx: Queries) => Promise<boolean>;
  sendFarewell?: (trx: Queries) => Promise<void>;
};

async function erase(ctx: PersonalDataContext, person: Person, occasion: Occasion): Promise<EraseResult> {
  const { challenges, codes, signUp, payments, gifts, outbox, emptySearches, audit, transact } = ctx;
  const { operator, reason, remove, sendFarewell } = occasion;
  const { memberId } = person;
  const orders = await payments.listFor(person);
  // An open payment can be given up; that calls the gateway, so it cannot be part of the transaction.
  for (const { order } of orders) {
    if (order.state !== "awaiting-payment") continue;
    if (order.draftId !== undefined) await payments.giveUp({ draftId: order.draftId });
    if (order.giftId !== undefined) await payments.giveUp({ giftId: order.giftId });
  }
  try {
    const remainder = await transact(async (trx) => {
      await codes.releaseSeat(memberId, trx);
      await signUp.forgetDrafts(person, trx);
      // After the drafts are deleted, no payment can begin for them.
      if (await payments.isAnyUnsettledFor(person, trx)) throw new Undone("payment-under-way");
      const customersAtGateway = await payments.forgetPerson(person, trx);
      await gifts.forgetPerson(person, trx);
      await outbox.erase(person, trx);
      // Subscriptions, sessions, passkeys, favourites, positions, newsletter, notes and picture are deleted by reference.
      if (!(await remove(trx))) throw new Undone("already-gone");
      // After the account: each use of a challenge locks the account first.
      await challenges.voidAll({ owner: memberId, purposes: Object.values(linkPurposes) }, trx);
      await emptySearches.erase(memberId, trx);
      await sendFarewell?.(trx);
      await audit.forgetReasons(memberId, trx);
      const facts = { orders: orders.length };
      await audit.record({ operator, reason, action: "member erase", memberId, facts }, trx);
      return { orders: orders.length, customersAtGateway };
    });
    return { ok: true, remainder: { ...remainder, actions: (await audit.listFor(memberId)).length } };
  } catch (error) {
    if (error instanceof Undone) return { ok: false, reason: error.reason };
    throw error;
  }
}

type Reason = Extract<EraseResult, { ok: false }>["reason"];

/** Ends the transaction without a fault. */
class Undone extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}
