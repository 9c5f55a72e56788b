import type { ProfileView } from "../../../../server/accounts/profile.ts";
import type { FormEcho } from "../../../forms/read-submission.ts";
import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../../forms/send-or-keep.ts";
import type { Told } from "./flash-messages.ts";

/** What a form of My Account is answered with where it stays open. */
export type AccountAnswer = { told: Told } | Refusal;

export type Refusal = {
  form: AccountForm;
  echo: FormEcho;
  /** The details as they are by now, where somebody changed them elsewhere. */
  now?: ProfileView;
  /** Whether the picture that came with the details was taken all the same. */
  isPictureKept?: boolean;
};

/** Every form of My Account, also those that another one speaks for. */
export type AccountIntent = AccountForm | "remove-picture" | "email-cancel" | "device";

type AccountForm = "profile" | "email-code" | "email-resend" | "password" | "devices" | "close";

/** What was refused, if it was this form. */
export function refusalOf(answer: AccountAnswer | undefined, form: AccountForm): Refusal | undefined {
  return answer && "form" in answer && answer.form === form ? answer : undefined;
}

/** The answer to details that were saved. */
export function savedOf(answer: AccountAnswer | undefined): AccountAnswer | undefined {
  const isSaved = answer && "told" in answer && (answer.told === "saved" || answer.told === "email-elsewhere");
  return isSaved ? answer : undefined;
}

/** The id of what stands in My Account, where the server has sent it. */
export const CONTENT_ID = "account-content";

/** What My Account says of a form that got no answer, and where. */
export const unanswered: Unanswered<AccountForm, AccountIntent> = {
  words: {
    profile: ["profile", OFFLINE],
    "remove-picture": ["profile", OFFLINE_BUTTON],
    "email-code": ["email-code", OFFLINE],
    "email-resend": ["email-resend", OFFLINE_BUTTON],
    "email-cancel": ["email-resend", OFFLINE_BUTTON],
    password: ["password", OFFLINE],
    device: ["devices", OFFLINE_BUTTON],
    devices: ["devices", OFFLINE_BUTTON],
    close: ["close", OFFLINE],
  },
  kept: ["firstName", "lastName", "email"],
};
