import type { Challenges } from "../challenges/challenges.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Seal } from "../../platform/seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Member } from "./members.ts";
import { toEmailKey } from "../../platform/email-address.ts";

/** The context of accounts. */
export type AccountsContext = Context & {
  sessions: Sessions;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  emails: AccountEmails;
  /** Seals what the link back to an old address carries. */
  undoSeal: Seal;
  productName: string;
};

/**
 * The emails about an account. Each is queued in the transaction of its cause. `site`: where the visitor who caused it meets the site,
 * so that the emails of one event name one host; without it, for another server's calls, the site of the settings.
 */
export type AccountEmails = {
  /** `member` is missing when no account has the address: then nothing may be sent, and the work must take as long. */
  passwordReset(email: WithCode & { member: Recipient | undefined }, trx: Queries): Promise<void>;
  passwordChanged(email: { member: Recipient; at: Date; site: string | undefined }, trx: Queries): Promise<void>;
  /** To the new address. `countsFrom`: if it may count only later. */
  confirmAddress(email: ConfirmAddressEmail, trx: Queries): Promise<void>;
  /**
   * To the old address: an operator asks for a new one. `token` agrees or objects, until `countsFrom` and beyond. `isMailboxLost`: the
   * operator has said that it is read no more.
   */
  addressQuestion(email: AddressQuestionEmail, trx: Queries): Promise<void>;
  /** To the old address; until `until`, `token` undoes the change. */
  addressChanged(
    email: { member: Recipient; token: string; until: Date; site: string | undefined },
    trx: Queries,
  ): Promise<void>;
  /** `token` reopens the account. */
  accountClosed(email: { member: Recipient; site: string; token: string; eraseAt: Date }, trx: Queries): Promise<void>;
  accountErased(email: { member: Recipient }, trx: Queries): Promise<void>;
};

export type AddressQuestionEmail = {
  member: Recipient;
  newEmail: string;
  countsFrom: Date;
  isMailboxLost: boolean;
  site: string;
  token: string;
};

export type ConfirmAddressEmail = WithCode & { member: Recipient; newEmail: string; countsFrom: Date | undefined };

type Recipient = Pick<Member, "id" | "email" | "firstName">;

/** A code to type on `site`, and the token of the link that does the same. */
type WithCode = { site: string; code: string; token: string };

/** The purposes of an account's codes and links: the `purpose` of their challenges. */
export const linkPurposes = {
  /** Proves that the person who forgot the password reads the account's address. */
  reset: "reset-password",
  /** May set a new password: what a reset's code or link is exchanged for. */
  grant: "set-password",
  /** A reset's correct code, which stays correct for a while for API clients that send it again. */
  proof: "api-reset",
  confirm: "confirm-address",
  /** Lets the old address agree to a change that an operator asked for, or object. */
  answer: "answer-address-change",
  undo: "undo-address",
  reopen: "reopen-account",
  /** Lets an operator merge the account into another one of the same person. */
  merge: "merge-account",
};

/** Those that let a person in or lead to another address: a change of the password or a closing voids them. */
export const entryPurposes = [
  linkPurposes.reset,
  linkPurposes.grant,
  linkPurposes.proof,
  linkPurposes.confirm,
  linkPurposes.answer,
];

/** Whether an old address can still undo a change of the account's: until then the account neither merges nor is erased for good. */
export async function isUndoOpen(challenges: Challenges, memberId: number, trx?: Queries): Promise<boolean> {
  return (await challenges.listOpen({ owner: memberId, purposes: [linkPurposes.undo] }, trx)).length > 0;
}

/** How long an owner may undo a new address or a closing: enough for a holiday. */
export const TAKE_BACK_DAYS = 14;

/**
 * The `subject` of a challenge: an account's id and one address as a hash, from which the address cannot be recovered. An email
 * to one address proves no other. 0 means no account.
 */
export function toSubject({ keyedHash }: Pick<Context, "keyedHash">, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("account")(toEmailKey(email))}`;
}

/** Whether a subject is this account with this address. */
export function isSubjectFor(
  ctx: Pick<Context, "keyedHash">,
  subject: string,
  { id, email }: { id: number; email: string },
): boolean {
  return subject === toSubject(ctx, id, email);
}

/** The id of the account that a subject is about. */
export function memberIdIn(subject: string): number {
  return Number(subject.split(" ")[0]);
}
