import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { hashPassword } from "../../members/accounts/passwords.ts";
import type { NewOrder } from "../payments/orders.ts";
import type { Browser, Claim, Sessions, StartedSession } from "../../members/sessions/sessions.ts";
import type { DraftRow } from "./drafts.ts";

/** The verbs of sign-up for the back end that has the accounts. */
export type Joining = {
  /** Step 1: a password in the form in which its draft stores it. */
  protectPassword: (password: string) => Promise<string>;
  /** Step 1: whether the address is taken. An account that was opened for the draft itself does not count. */
  isAddressTaken: (input: AddressInput) => Promise<boolean>;
  /**
   * Step 3, before anything is charged: whether an account can be made of a draft. It is safe to call again. `address` is the visitor's
   * network address.
   */
  openAccount: (draft: DraftRow, address: string) => Promise<AccountOpening>;
  /** Joining by a code: takes the seat, unless completing the order does. A second call takes no second seat. */
  takeSeat: (order: NewOrder) => Promise<SeatTaken>;
  /** Logs in a new member, in the transaction of what their browser claims. */
  startSession: (memberId: number, browser: Browser | undefined, claim: Claim) => Promise<StartedSession>;
  /** Fetches what cannot be read without a member who is logged in: called once a new one is. */
  welcome: () => Promise<void>;
  /** Forgets the password of a draft that is over while its money is on its way, unless an account may still need it. */
  forgetEndedPassword: (draftId: number) => Promise<void>;
  /** The member, where this back end sells them another term. */
  findRenewing: (memberId: number) => Promise<Member | undefined>;
};

export type AddressInput = { email: string; password: string; before: DraftRow | undefined };

export type AccountOpening =
  | { ok: true }
  | { ok: false; reason: "email-registered" }
  | { ok: false; reason: "unavailable" }
  /** With the back end's sentence for the visitor. */
  | { ok: false; reason: "account-refused"; message: string };

export type SeatTaken =
  | { ok: true }
  | { ok: false; reason: "unavailable" }
  | { ok: false; reason: "code-refused"; message: string };

/** Accounts of our own are made with the subscription, when the money is here. */
export function createOwnJoining({ accounts, sessions }: { accounts: Accounts; sessions: Sessions }): Joining {
  const isAddressTaken = async ({ email }: { email: string }) => (await accounts.findByEmail(email)) !== undefined;
  return {
    protectPassword: hashPassword,
    isAddressTaken,
    openAccount: async (draft) =>
      (await isAddressTaken(draft)) ? { ok: false, reason: "email-registered" } : { ok: true },
    takeSeat: async () => ({ ok: true }),
    startSession: (memberId, browser, claim) => sessions.start(memberId, browser, claim),
    welcome: async () => undefined,
    // Money that comes late still becomes an account, with this password.
    forgetEndedPassword: async () => undefined,
    findRenewing: (memberId) => accounts.findMember(memberId),
  };
}
