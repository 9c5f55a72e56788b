import { data, type ActionFunctionArgs } from "react-router";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { answerDone } from "../../../forms/answer.ts";
import type { FormEcho } from "../../../forms/read-submission.ts";
import { pathOfView } from "../content.ts";
import { parseView } from "../view.ts";
import { accountPath } from "./account-path.ts";
import { told as words, type Told } from "./told.ts";

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

export type AccountForm = "profile" | "email-code" | "email-resend" | "password" | "close";

/** A form that was refused, shown again with what was typed. */
export function refuse(refusal: Refusal, status = 400) {
  return data<AccountAnswer>(refusal, { status });
}

/** A form that has done its work: My Account says so. */
export function tell(told: Told, { request, url }: ActionFunctionArgs) {
  const path = `${accountPath(pathBehind(url), words[told].part)}&told=${told}`;
  return answerDone<AccountAnswer>(request, path, { told: { told } });
}

/** The screen that My Account lies over. */
export function pathBehind(url: URL): string {
  return pathOfView(parseView(url.searchParams));
}

/** What was refused, if it was this form. */
export function refusalOf(answer: AccountAnswer | undefined, form: AccountForm): Refusal | undefined {
  return answer && "form" in answer && answer.form === form ? answer : undefined;
}
