import type { Accounts } from "../accounts/accounts.ts";
import { hashPassword } from "../accounts/passwords.ts";
import type { Browser, Sessions, StartedSession } from "../sessions/sessions.ts";
import type { DraftRow } from "./draft-rows.ts";

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
export function createOwnAdmission(rooms: { accounts: Accounts; sessions: Sessions }): Admission {
  const { accounts, sessions } = rooms;
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
