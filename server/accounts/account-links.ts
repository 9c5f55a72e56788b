import type { Context } from "../context.ts";
import { toEmailKey } from "./rules.ts";

/** What the codes and links of an account are for: the `purpose` of their challenges. */
export const linkPurposes = {
  /** Proves that the person who forgot the password reads the account's address. */
  reset: "reset-password",
  /** May set a new password: what a reset's code or link is exchanged for. */
  grant: "set-password",
  /** A reset's correct code, which stays correct for a while for API clients that send it again. */
  proof: "api-reset",
  confirm: "confirm-address",
  undo: "undo-address",
  reopen: "reopen-account",
};

/** Those that let a person in or lead to another address: a change of the password or a closing voids them. */
export const entryPurposes = [linkPurposes.reset, linkPurposes.grant, linkPurposes.proof, linkPurposes.confirm];

/** How long an owner may undo a new address or a closing: enough for a holiday. */
export const TAKE_BACK_DAYS = 14;

/**
 * The `subject` of a challenge: an account's id and one address as a hash, from which the address cannot be recovered. What was sent
 * to one address proves no other. 0 stands for no account.
 */
export function subjectOf({ keyedHash }: Pick<Context, "keyedHash">, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("account")(toEmailKey(email))}`;
}

/** Whether a subject is this account with this address. */
export function isSubjectOf(
  ctx: Pick<Context, "keyedHash">,
  subject: string,
  { id, email }: { id: number; email: string },
): boolean {
  return subject === subjectOf(ctx, id, email);
}

/** The id of the account that a subject is about. */
export function memberIdIn(subject: string): number {
  return Number(subject.split(" ")[0]);
}
