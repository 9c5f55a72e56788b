import type { SubmissionResult } from "@conform-to/react";
import { data, redirect, type HeadersArgs } from "react-router";

/** `form`: which of the screen's forms was refused; `result`: for Conform. */
export type Refusal<Form extends string> = { form: Form; result: SubmissionResult };

/** Clears earlier errors, which Conform keeps until it gets another result. */
const NOTHING_WRONG: SubmissionResult = { error: {} };

/** The form's `lastResult`: the answer to it, or to another of the `forms` whose errors it shows. */
export function toLastResult<Form extends string>(
  answer: Refusal<Form> | object | undefined,
  ...forms: Form[]
): SubmissionResult {
  return answer && isRefusal(answer) && forms.includes(answer.form as Form) ? answer.result : NOTHING_WRONG;
}

export function isRefusal(answer: object): answer is Refusal<string> {
  return "result" in answer;
}

/** Shows the page again, with the typed values and the errors. */
export function refuse<Form extends string>(
  form: Form,
  result: SubmissionResult,
  init: ResponseInit = { status: 400 },
) {
  return data<Refusal<Form>>({ form, result }, init);
}

/** For a form that is a button alone. */
export function toFormResult(sentence: string): SubmissionResult {
  return { status: "error", error: { "": [sentence] } };
}

type Done<Answer> = { headers?: HeadersInit; answer: Answer };

/**
 * A browser without script is redirected (303), so that a reload repeats nothing; with script the page stays, loads
 * what changed and gets the answer. `path` is without the base.
 */
export function answerDone<Answer>(request: Request, path: string, { headers = {}, answer }: Done<Answer>) {
  if (isDataRequest(request)) return data(answer, { headers });
  return redirect(path, { status: 303, headers });
}

/** A `headers` export for routes with forms: the framework drops an action's headers unless the route returns them. */
export function readRetryAfter({ actionHeaders }: HeadersArgs): HeadersInit {
  const wait = actionHeaders.get("Retry-After");
  return wait === null ? {} : { "Retry-After": wait };
}

/** The framework's own requests have a path that ends in `.data`. */
export function isDataRequest(request: Request): boolean {
  return new URL(request.url).pathname.endsWith(".data");
}
