import type { Audit } from "../../platform/audit/audit.ts";
import type { Challenges } from "../challenges/challenges.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Passkeys } from "../../platform/passkeys/passkeys.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Seal } from "../../platform/seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Member } from "./members.ts";
import { toEmailKey } from "../../platform/email-address.ts";

export type AccountsContext = Context & {
  sessions: Sessions;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  passkeys: Passkeys;
  audit: Pick<Audit, "record">;
  emails: AccountEmails;
  undoSeal: Seal;
  productName: string;
};

/**
 * Each email is queued in the transaction of its cause. `site`: the site that the visitor used, so that all emails of
 * one event name one host; for another server's calls, the site of the settings.
 */
export type AccountEmails = {
  /** Without `member`, no account has the address: no email may be sent, and the work must take as long. */
  passwordReset(
    email: WithCode & { member: Recipient | undefined; isPasswordOff: boolean },
    trx: Queries,
  ): Promise<void>;
  /** Without `member`, as for `passwordReset`. */
  logInLink(email: Omit<WithCode, "code"> & { member: Recipient | undefined }, trx: Queries): Promise<void>;
  passkeyAdded(email: PasskeyEmail, trx: Queries): Promise<void>;
  passkeyRemoved(email: PasskeyEmail, trx: Queries): Promise<void>;
  passwordSwitched(email: { member: Recipient; isOn: boolean; at: Date; site: string }, trx: Queries): Promise<void>;
  passwordChanged(email: { member: Recipient; at: Date; site: string | undefined }, trx: Queries): Promise<void>;
  /** To the new address. `countsFrom`: when it counts, if not at once. */
  confirmAddress(email: ConfirmAddressEmail, trx: Queries): Promise<void>;
  /**
   * To the old address, about an operator's change. `token` agrees or objects. `isMailboxLost`: it is no longer read.
   */
  addressQuestion(email: AddressQuestionEmail, trx: Queries): Promise<void>;
  /** To the old address; until `until`, `token` undoes the change. */
  addressChanged(
    email: { member: Recipient; token: string; until: Date; site: string | undefined },
    trx: Queries,
  ): Promise<void>;
  accountClosed(email: { member: Recipient; site: string; token: string; eraseAt: Date }, trx: Queries): Promise<void>;
  accountErased(email: { member: Recipient }, trx: Queries): Promise<void>;
};

/** `name`: of the device. */
export type PasskeyEmail = { member: Recipient; name: string; at: Date; site: string };

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

/** A code to type on `site`, and the token of the link with the same effect. */
type WithCode = { site: string; code: string; token: string };

/** The `purpose` of an account's challenges. */
export const linkPurposes = {
  reset: "reset-password",
  /** Allows setting a new password; a reset's code or link is exchanged for it. */
  grant: "set-password",
  /** A reset's correct code, which stays valid for a while for API clients that repeat it. */
  proof: "api-reset",
  /** Logs in by itself. */
  enter: "log-in-link",
  confirm: "confirm-address",
  /** Lets the old address agree to an operator's change, or object. */
  answer: "answer-address-change",
  undo: "undo-address",
  reopen: "reopen-account",
  /** Lets an operator merge the account into another of the same person. */
  merge: "merge-account",
};

/** They log in or lead to another address, so a change of the password or a closing voids them. */
export const entryPurposes = [
  linkPurposes.reset,
  linkPurposes.grant,
  linkPurposes.proof,
  linkPurposes.enter,
  linkPurposes.confirm,
  linkPurposes.answer,
];

/** Until then the account is neither merged nor erased. */
export async function isUndoOpen(challenges: Challenges, memberId: number, trx?: Queries): Promise<boolean> {
  return (await challenges.listOpen({ owner: memberId, purposes: [linkPurposes.undo] }, trx)).length > 0;
}

/** How long an owner may undo a new address or a closing: a holiday. */
export const TAKE_BACK_DAYS = 14;

/**
 * A challenge's `subject`: the account's id (0 without an account) and a hash of one address, because an email to one
 * address does not prove another.
 */
export function toSubject({ keyedHash }: Pick<Context, "keyedHash">, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("account")(toEmailKey(email))}`;
}

export function isSubjectFor(
  ctx: Pick<Context, "keyedHash">,
  subject: string,
  { id, email }: { id: number; email: string },
): boolean {
  return subject === toSubject(ctx, id, email);
}

export function memberIdIn(subject: string): number {
  return Number(subject.split(" ")[0]);
}
