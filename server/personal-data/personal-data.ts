import type { Accounts, Person } from "../accounts/accounts.ts";
import type { Audit } from "../audit/audit.ts";
import type { Avatars } from "../avatars/avatars.ts";
import type { Challenges } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { Outbox } from "../email/outbox.ts";
import type { Favourites } from "../favourites/favourites.ts";
import type { Membership } from "../membership/membership.ts";
import type { Payments } from "../payments/payments.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SignUp } from "../sign-up/sign-up.ts";
import { createErase } from "./erase.ts";
import { createGather } from "./gather.ts";

/** What all rooms together hold about a member: handed over to them, and forgotten. */
export type PersonalData = {
  /** Everything, but for secrets: hashes of passwords, sessions and codes. */
  gather: ReturnType<typeof createGather>;
  /**
   * Forgets a member in every room, all of it or nothing. Orders and payments stay without the person, and so do the operators'
   * actions, which never name one. Refused while money is on its way: whoever is owed some must be known until they have it.
   */
  erase(person: Person, operator: string): Promise<EraseResult>;
  /**
   * The same for an account that its owner has closed; `already-gone` too if it was opened again or is not due. `sayFarewell` writes
   * the last letter in the same transaction.
   */
  eraseClosed(
    person: Person,
    closure: { dueBy: Date; sayFarewell: (trx: Queries) => Promise<void> },
  ): Promise<EraseResult>;
};

export type EraseResult = { ok: true; kept: Kept } | { ok: false; reason: "payment-under-way" | "already-gone" };

/** How much stays; and what the member is called at the card gateway, which holds data of its own. */
export type Kept = { orders: number; actions: number; customersAtGateway: string[] };

export type PersonalDataRooms = {
  accounts: Accounts;
  challenges: Challenges;
  avatars: Avatars;
  membership: Membership;
  codes: Codes;
  sessions: Sessions;
  favourites: Favourites;
  signUp: SignUp;
  payments: Payments;
  outbox: Outbox;
  audit: Audit;
  clock: Clock;
  transact: <Result>(work: (trx: Queries) => Promise<Result>) => Promise<Result>;
};

export function createPersonalData(rooms: PersonalDataRooms): PersonalData {
  return { gather: createGather(rooms), ...createErase(rooms) };
}
