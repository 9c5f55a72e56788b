import { createClosure, type Closure } from "./closure.ts";
import { createPasswordReset, type PasswordReset } from "./password-reset.ts";
import { createProfile, type Profile } from "./profile.ts";

/** What members do about their own account: get back in, keep it up to date, leave. */
export type OwnAccount = { passwordReset: PasswordReset; profile: Profile; closure: Closure; ways: AccountWays };

/** What can be done about an account here; for the rest there is a letter to its keepers. */
export type AccountWays = {
  /** For who knows the old one. A forgotten one is reset in any case. */
  canChangePassword: boolean;
  canClose: boolean;
  /** Whether what is exported is everything. */
  holdsAll: boolean;
};

type OwnAccountRooms = Parameters<typeof createPasswordReset>[0] &
  Parameters<typeof createProfile>[0] &
  Parameters<typeof createClosure>[0];

export function createOwnAccount(rooms: OwnAccountRooms): OwnAccount {
  return {
    passwordReset: createPasswordReset(rooms),
    profile: createProfile(rooms),
    closure: createClosure(rooms),
    ways: { canChangePassword: true, canClose: true, holdsAll: true },
  };
}
