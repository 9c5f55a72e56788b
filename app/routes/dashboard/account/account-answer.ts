import type { ProfileView } from "../../../../server/accounts/profile.ts";
import type { FormEcho } from "../../../forms/read-submission.ts";
import type { Told } from "./told.ts";

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

export type AccountForm = "profile" | "email-code" | "email-resend" | "password" | "devices" | "close";

/** What was refused, if it was this form. */
export function refusalOf(answer: AccountAnswer | undefined, form: AccountForm): Refusal | undefined {
  return answer && "form" in answer && answer.form === form ? answer : undefined;
}

/** The answer to details that were saved. */
export function savedOf(answer: AccountAnswer | undefined): AccountAnswer | undefined {
  const isSaved = answer && "told" in answer && (answer.told === "saved" || answer.told === "email-elsewhere");
  return isSaved ? answer : undefined;
}
