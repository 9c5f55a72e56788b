import type { KeyedHash } from "../keyed-hash.ts";
import { toEmailKey } from "./rules.ts";

/** What the codes and links of an account are for, in the words of the challenges. */
export const linkPurposes = {
  /** Shows that whoever forgot the password reads the account's address. */
  reset: "reset-password",
  /** May set a new password: what a reset's code or link is exchanged for. */
  grant: "set-password",
  /** A reset's code that was right, and for a while is right again for servers that ask by it. */
  proof: "api-reset",
  confirm: "confirm-address",
  undo: "undo-address",
  reopen: "reopen-account",
};

/** Those that let somebody in or lead to another address: worthless once the password or the account is another. */
export const entryPurposes = [linkPurposes.reset, linkPurposes.grant, linkPurposes.proof, linkPurposes.confirm];

/** How long an owner may take back a new address or a closing: enough for a holiday. */
export const TAKE_BACK_DAYS = 14;

/**
 * Whose a code or link is: an account, by number, and one address, as a hash that leads back to nobody. What was mailed to one
 * address proves no other. Nobody's account is number 0.
 */
export type LinkSubjects = {
  of(memberId: number | undefined, email: string): string;
  /** Whether a subject is this account with this address. */
  isOf(subject: string, whose: { id: number; email: string }): boolean;
};

export function createLinkSubjects(hash: KeyedHash): LinkSubjects {
  const toSubject = (memberId: number | undefined, email: string) => `${memberId ?? 0} ${hash(toEmailKey(email))}`;
  return {
    of: toSubject,
    isOf: (subject, { id, email }) => subject === toSubject(id, email),
  };
}

/** The number of the account that a subject is about. */
export function memberIdIn(subject: string): number {
  return Number(subject.split(" ")[0]);
}
