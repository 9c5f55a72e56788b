import { data } from "react-router";

import type { FormEcho } from "../../forms/read-submission.ts";
import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../forms/send-or-keep.ts";

/** What a form of this screen is answered with where the visitor stays: which form it was, and what it shows. */
export type LogInAnswer = { form: LogInFormName; echo: FormEcho } | { form: "reset-again"; isSent: true };

export type LogInFormName = "log-in" | "reset-request" | "reset-again" | "reset-code" | "reset-password";

/** What this screen says of a form that got no answer. */
export const unanswered: Unanswered<LogInFormName> = {
  words: {
    "log-in": ["log-in", OFFLINE],
    "reset-request": ["reset-request", OFFLINE],
    "reset-again": ["reset-again", OFFLINE_BUTTON],
    "reset-code": ["reset-code", OFFLINE],
    "reset-password": ["reset-password", OFFLINE],
  },
  kept: ["email"],
};

/** A form that was refused, shown again with what was typed. */
export function refuse(form: LogInFormName, echo: FormEcho, init: ResponseInit = { status: 400 }) {
  return data<LogInAnswer>({ form, echo }, init);
}

/** What was refused, if it was this form. */
export function echoOf(answer: LogInAnswer | undefined, form: LogInFormName): FormEcho | undefined {
  return answer?.form === form && "echo" in answer ? answer.echo : undefined;
}
