import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { hashPassword } from "../../members/accounts/passwords.ts";
import type { NewOrder } from "../payments/orders.ts";
import type { Browser, Claim, Sessions, StartedSession } from "../../members/sessions/sessions.ts";
import type { DraftRow } from "./drafts.ts";

/** The methods of sign-up that the back end with the accounts implements. */
export type Joining = {
  protectPassword: (password: string) => Promise<string>;
  /** Step 1: an account that was opened for the draft itself does not count. */
  isAddressTaken: (input: AddressInput) => Promise<boolean>;
  /** Step 3, before the charge: whether an account can be made. May be repeated. `address`: the network address. */
  openAccount: (draft: DraftRow, address: string) => Promise<AccountOpening>;
  /** Takes the seat of a code, unless completing the order does. A second call takes no second seat. */
  takeSeat: (order: NewOrder) => Promise<SeatTaken>;
  /** Logs in a new member, in the transaction of their browser's claim. */
  startSession: (memberId: number, browser: Browser | undefined, claim: Claim) => Promise<StartedSession>;
  /** Fetches what only a logged-in member can read: called for a new member. */
  welcome: () => Promise<void>;
  /** Deletes an ended draft's password while its money is on its way, unless an account may still need it. */
  forgetEndedPassword: (draftId: number) => Promise<void>;
  findRenewing: (memberId: number) => Promise<Member | undefined>;
};

export type AddressInput = { email: string; password: string; before: DraftRow | undefined };

export type AccountOpening =
  | { ok: true }
  | { ok: false; reason: "email-registered" }
  | { ok: false; reason: "unavailable" }
  | { ok: false; reason: "account-refused"; message: string };

export type SeatTaken =
  | { ok: true }
  | { ok: false; reason: "unavailable" }
  | { ok: false; reason: "code-refused"; message: string };

/** Our own accounts are made with the subscription, once the money is here. */
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
    // Late money still becomes an account, with this password.
    forgetEndedPassword: async () => undefined,
    findRenewing: (memberId) => accounts.findMember(memberId),
  };
}
