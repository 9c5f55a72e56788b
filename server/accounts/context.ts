import type { Challenges } from "../challenges/challenges.ts";
import type { Context } from "../context.ts";
import type { Queries } from "../database/database.ts";
import type { Seal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import type { Member } from "./members.ts";

/** What accounts work with. */
export type AccountsContext = Context & {
  sessions: Sessions;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  emails: AccountEmails;
  /** Seals what the link back to an old address carries. */
  undoSeal: Seal;
  productName: string;
};

/** The emails about an account. Each is queued in the transaction of its cause. */
export type AccountEmails = {
  passwordReset(email: ResetEmail, trx: Queries): Promise<void>;
  passwordChanged(email: PasswordChangedEmail, trx: Queries): Promise<void>;
  confirmAddress(email: ConfirmAddressEmail, trx: Queries): Promise<void>;
  addressChanged(email: AddressChangedEmail, trx: Queries): Promise<void>;
  accountClosed(email: AccountClosedEmail, trx: Queries): Promise<void>;
  accountErased(email: AccountErasedEmail, trx: Queries): Promise<void>;
};

type Recipient = Pick<Member, "id" | "email" | "firstName">;

/** `member` is missing when no account has the address: then nothing may be sent, and the work must take as long. */
export type ResetEmail = { member: Recipient | undefined; site: string; code: string; token: string };

export type PasswordChangedEmail = { member: Recipient; at: Date };

/** To the new address. */
export type ConfirmAddressEmail = {
  member: Pick<Member, "id" | "firstName">;
  newEmail: string;
  site: string;
  code: string;
  token: string;
};

/** To the old address; until `until`, `token` undoes the change. */
export type AddressChangedEmail = { member: Recipient; token: string; until: Date };

/** `token` reopens the account. */
export type AccountClosedEmail = { member: Recipient; site: string; token: string; eraseAt: Date };

export type AccountErasedEmail = { member: Recipient };
