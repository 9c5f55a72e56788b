import { changePassword } from "./change-password.ts";
import { closeAccount } from "./close-account.ts";
import { cancelEmail, confirmEmail, resendEmailCode } from "./email-forms.ts";
import { endOtherSessions, endSession } from "./end-sessions.ts";
import { removePicture } from "./remove-picture.ts";
import { saveProfile } from "./save-profile.ts";

/** The forms of My Account, by intent. */
export const accountForms = {
  profile: saveProfile,
  "remove-picture": removePicture,
  "email-code": confirmEmail,
  "email-resend": resendEmailCode,
  "email-cancel": cancelEmail,
  password: changePassword,
  device: endSession,
  devices: endOtherSessions,
  close: closeAccount,
};
