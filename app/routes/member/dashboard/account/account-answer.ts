import type { ProfileView } from "../../../../../server/members/accounts/profile.ts";
import type { Refusal } from "../../../../forms/answer.ts";
import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../../../forms/send-or-keep.ts";
import type { Flash } from "./flash-messages.ts";

/** The answer to a form of My Account that stays open. `undo` brings back what it has removed. */
export type AccountAnswer = { flash: Flash; undo?: string } | AccountRefusal;

export type AccountRefusal = Refusal<AccountForm> & {
  /** The details as they are now, if they were changed elsewhere. */
  now?: ProfileView | undefined;
  /** Whether the picture that came with the details was saved all the same. */
  isPictureSaved?: boolean;
  /** It brings back what was removed, as before. */
  undo?: string;
};

/** Every form of My Account; some have their errors in another form. */
export type AccountIntent =
  | AccountForm
  | "remove-picture"
  | "email-cancel"
  | "device"
  | "positions-forget"
  | "positions-restore";

type AccountForm =
  | "profile"
  | "cancel"
  | "email-code"
  | "email-resend"
  | "password"
  | "devices"
  | "positions-switch"
  | "newsletter"
  | "close";

/** The refusal of this form, if it was refused. */
export function findRefusal(answer: AccountAnswer | undefined, form: AccountForm): AccountRefusal | undefined {
  return answer && "form" in answer && answer.form === form ? answer : undefined;
}

/** The id of My Account's content, where the server has rendered it. */
export const CONTENT_ID = "account-content";

/** The message about a form that got no answer, and the form that shows it. */
export const unanswered: Unanswered<AccountForm, AccountIntent> = {
  profile: ["profile", OFFLINE],
  "remove-picture": ["profile", OFFLINE_BUTTON],
  "email-code": ["email-code", OFFLINE],
  "email-resend": ["email-resend", OFFLINE_BUTTON],
  "email-cancel": ["email-resend", OFFLINE_BUTTON],
  password: ["password", OFFLINE],
  device: ["devices", OFFLINE_BUTTON],
  devices: ["devices", OFFLINE_BUTTON],
  "positions-switch": ["positions-switch", OFFLINE_BUTTON],
  "positions-forget": ["positions-switch", OFFLINE_BUTTON],
  "positions-restore": ["positions-switch", OFFLINE_BUTTON],
  newsletter: ["newsletter", OFFLINE_BUTTON],
  cancel: ["cancel", OFFLINE_BUTTON],
  close: ["close", OFFLINE],
};
