import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../../../forms/send-or-keep.ts";
import type { AccountForm, AccountIntent } from "./account-answer.ts";

/** The message about a form without an answer, and the form that shows it. */
export const unanswered: Unanswered<AccountForm, AccountIntent> = {
  profile: ["profile", OFFLINE],
  "remove-picture": ["profile", OFFLINE_BUTTON],
  "email-code": ["email-code", OFFLINE],
  "email-resend": ["email-resend", OFFLINE_BUTTON],
  "email-cancel": ["email-resend", OFFLINE_BUTTON],
  password: ["password", OFFLINE],
  "passkey-proof": ["passkey-proof", OFFLINE],
  "passkey-use": ["passkey-proof", OFFLINE_BUTTON],
  "passkey-password": ["passkey-add", OFFLINE_BUTTON],
  "passkey-add": ["passkey-add", OFFLINE_BUTTON],
  "passkey-remove": ["passkey-add", OFFLINE_BUTTON],
  "passkey-decline": ["passkey-add", OFFLINE_BUTTON],
  device: ["devices", OFFLINE_BUTTON],
  devices: ["devices", OFFLINE_BUTTON],
  "positions-switch": ["positions-switch", OFFLINE_BUTTON],
  "positions-forget": ["positions-switch", OFFLINE_BUTTON],
  "positions-restore": ["positions-switch", OFFLINE_BUTTON],
  newsletter: ["newsletter", OFFLINE_BUTTON],
  cancel: ["cancel", OFFLINE_BUTTON],
  close: ["close", OFFLINE],
};
