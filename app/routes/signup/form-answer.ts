import { data, redirect } from "react-router";

import type { FormEcho } from "../../forms/read-submission.ts";
import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../forms/send-or-keep.ts";

/** What a form of the wizard is answered with where the visitor stays: which form it was, and what it shows. */
export type FormAnswer =
  | { form: FormName; echo: FormEcho }
  | { form: "details"; echo: FormEcho; isRegistered: boolean }
  | { form: "verify" | "resend"; isDone: true };

export type FormName = "details" | "plan" | "verify" | "resend" | "pay";

/** What the wizard says of a form that got no answer. */
export const unanswered: Unanswered<FormName> = {
  words: {
    details: ["details", OFFLINE],
    plan: ["plan", OFFLINE],
    verify: ["verify", OFFLINE],
    resend: ["resend", OFFLINE_BUTTON],
    pay: [
      "pay",
      "You seem to be offline, so we cannot say yet whether you have paid. Press again when the connection is back: you will not be charged twice.",
    ],
  },
  kept: ["accountType", "code", "firstName", "lastName", "email", "postcode"],
};

/** A form that was refused, shown again with what was typed. */
export function refuse(answer: FormAnswer, init: ResponseInit = { status: 400 }) {
  return data<FormAnswer>(answer, init);
}

/** For whoever posts to a sign-up that is no longer there: it was too old, or another browser's. */
export function startAgain() {
  return redirect("/signup?step=1&expired=1", 303);
}

/** What was refused, if it was this form. */
export function echoOf(answer: FormAnswer | undefined, form: FormName): FormEcho | undefined {
  return answer?.form === form && "echo" in answer ? answer.echo : undefined;
}
