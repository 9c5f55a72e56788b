import type { ProfileView } from "../../../../../server/members/accounts/profile.ts";
import type { ProfileField } from "../../../../../server/members/accounts/profile-fields.ts";
import type { Refusal } from "../../../../forms/answer.ts";
import type { Flash } from "./flash-messages.ts";

/** The hidden field with the text that the form showed: `shownFirstName`. */
export function toShownName(field: ProfileField): ShownName {
  return `shown${field.replace(/^./, (letter) => letter.toUpperCase())}` as ShownName;
}

export type ShownName = `shown${Capitalize<ProfileField>}`;

/** For a form after which My Account stays open. `undo` restores what it removed. */
export type AccountAnswer = { flash: Flash; undo?: string } | AccountRefusal;

export type AccountRefusal = Refusal<AccountForm> & {
  /** The present details, if they were changed elsewhere. */
  now?: ProfileView | undefined;
  /** The picture was saved although the details were refused. */
  isPictureSaved?: boolean;
  undo?: string;
};

/** Some show their errors in another form. */
export type AccountIntent =
  | AccountForm
  | "remove-picture"
  | "email-cancel"
  | "device"
  | "passkey-use"
  | "passkey-remove"
  | "passkey-decline"
  | "passkey-password"
  | "positions-forget"
  | "positions-restore";

export type AccountForm =
  | "profile"
  | "cancel"
  | "email-code"
  | "email-resend"
  | "password"
  | "passkey-add"
  | "passkey-proof"
  | "devices"
  | "positions-switch"
  | "newsletter"
  | "close";

export function findRefusal(answer: AccountAnswer | undefined, form: AccountForm): AccountRefusal | undefined {
  return answer && "form" in answer && answer.form === form ? answer : undefined;
}

/** Of the server-rendered content. */
export const CONTENT_ID = "account-content";
