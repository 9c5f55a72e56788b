import type { Challenges, CodeRefusal } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { Log } from "../log.ts";
import type { Seal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
import { createAccountLimits } from "./account-limits.ts";
import { createLinkSubjects } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import { createAddressChange, type ConfirmAddressLetter } from "./address-change.ts";
import { createAddressProof, type AddressChangedLetter } from "./address-proof.ts";
import { createAddressUndo } from "./address-undo.ts";
import { createChangePassword } from "./change-password.ts";
import { findAccount } from "./held-member.ts";
import type { NewPasswordRefusal } from "./new-password.ts";
import { createProvePassword } from "./password-proof.ts";
import type { PasswordChangedLetter } from "./password-reset.ts";
import { createSaveProfile, toView } from "./save-profile.ts";

/** What members keep of themselves: names, address and password. */
export type Profile = {
  find(memberId: number): Promise<ProfileView | undefined>;
  /**
   * Keeps what was changed, all of it or nothing. `shown` is what the form showed: fields that were left alone stay as they are by
   * now, and a change made elsewhere meanwhile is not overwritten silently. A new address asks for the password (ASVS 7.5.1) and
   * counts once it is proved; `isEmailPending` says that this save asked for one.
   */
  save(wish: {
    memberId: number;
    shown: ProfileFields;
    wanted: ProfileFields;
    password: string | undefined;
    address: string;
    site: string;
  }): Promise<SaveProfileResult>;
  /** The code that was mailed to the new address. */
  confirmEmailByCode(
    memberId: number,
    code: string,
  ): Promise<{ ok: true } | { ok: false; reason: CodeRefusal | "email-registered" }>;
  /** What the page behind that mail's link may show before its button is pressed. */
  findEmailLink(token: string): Promise<{ email: string } | undefined>;
  /** That mail's link, on whatever device. */
  confirmEmailByLink(token: string): Promise<"confirmed" | "email-registered" | "over">;
  /** Mails a new code and link; the ones before are void. */
  resendEmailLetter(memberId: number, from: { address: string; site: string }): Promise<ResendEmailResult>;
  cancelEmailChange(memberId: number): Promise<void>;
  /** What the page behind the link in the letter to the old address may show. */
  findUndo(token: string): Promise<{ email: string } | undefined>;
  /**
   * Gives the account the old address back, opens it if it was closed since, and ends all its sessions. Its password is worthless
   * from then on: a new one is asked for at that address, as if it were forgotten (`PasswordReset`), so nobody gets in by the link
   * alone and nobody by what they knew before.
   */
  undoEmail(token: string): Promise<"undone" | "email-registered" | "over">;
  /**
   * Asks for the old password; ends all sessions but the one of `keptToken`, gives up an address that waits for its proof, and tells
   * the owner by letter.
   */
  changePassword(wish: {
    memberId: number;
    oldPassword: string;
    password: string;
    confirmation: string;
    keptToken: string | undefined;
    address: string;
  }): Promise<ChangePasswordResult>;
};

/** `pendingEmail` waits for its proof; `email` counts until then. */
export type ProfileView = { firstName: string; lastName: string; email: string; pendingEmail: string | undefined };

export type ProfileFields = { firstName: string; lastName: string; email: string };

export type ProfileRefusal =
  | "first-name-missing"
  | "first-name-long"
  | "last-name-missing"
  | "last-name-long"
  | "email-invalid"
  | "email-registered"
  | "password-wanted"
  | "password-wrong";

/**
 * `isProvedElsewhere`: the letter to the new address leads to where the account is kept. `not-taken` has the sentence of whoever keeps it
 * for the member; `unreachable`: they give no answer.
 */
export type SaveProfileResult =
  | { ok: true; isEmailPending: boolean; isProvedElsewhere?: boolean }
  | { ok: false; reason: "not-taken"; message: string }
  | { ok: false; reason: "unreachable" }
  | { ok: false; reason: "refused"; refusals: ProfileRefusal[] }
  | { ok: false; reason: "changed-elsewhere"; now: ProfileView }
  | TooMany;

export type ResendEmailResult =
  | { ok: true }
  | { ok: false; reason: "too-soon" | "too-many-attempts"; waitInMs: number }
  | { ok: false; reason: "nothing-pending" };

export type ChangePasswordResult =
  | { ok: true }
  | { ok: false; reason: "refused"; refusals: ("old-password-wrong" | NewPasswordRefusal)[] }
  | TooMany;

type ProfileRooms = {
  db: Queries;
  clock: Clock;
  log: Log;
  accounts: Accounts;
  sessions: Sessions;
  challenges: Challenges;
  throttle: Throttle;
  hash: KeyedHash;
  seal: Seal;
  letters: {
    confirmAddress(letter: ConfirmAddressLetter, trx: Queries): Promise<void>;
    addressChanged(letter: AddressChangedLetter, trx: Queries): Promise<void>;
    passwordChanged(letter: PasswordChangedLetter, trx: Queries): Promise<void>;
  };
  productName: string;
};

export function createProfile(rooms: ProfileRooms): Profile {
  const parts = {
    ...rooms,
    limits: createAccountLimits(rooms),
    subjects: createLinkSubjects(rooms.hash),
    prove: createProvePassword(rooms),
  };
  const undo = createAddressUndo(parts);
  const change = createAddressChange(parts);
  return {
    ...undo,
    ...change,
    ...createAddressProof({ ...parts, undo }),
    save: createSaveProfile({ ...parts, change }),
    changePassword: createChangePassword(parts),

    async find(memberId) {
      const account = await findAccount(memberId, rooms.db);
      return account && account.eraseAt === undefined ? toView(account) : undefined;
    },
  };
}
