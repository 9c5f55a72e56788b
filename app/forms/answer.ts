import type { SubmissionResult } from "@conform-to/react";
import { data, redirect, type HeadersArgs } from "react-router";

/** The answer to a form that was refused: which of the screen's forms it was, and what Conform shows in it. */
export type Refusal<Form extends string> = { form: Form; result: SubmissionResult };

/** Clears the errors of an earlier answer, which Conform keeps until it gets another result. */
const NOTHING_WRONG: SubmissionResult = { error: {} };

/** The `lastResult` of a form: the answer to it, or to another of the `forms` whose errors it shows. */
export function toLastResult<Form extends string>(
  answer: Refusal<Form> | object | undefined,
  ...forms: Form[]
): SubmissionResult {
  return answer && isRefusal(answer) && forms.includes(answer.form as Form) ? answer.result : NOTHING_WRONG;
}

export function isRefusal(answer: object): answer is Refusal<string> {
  return "result" in answer;
}

/** Answers a form that was refused: the page again, with what was typed and what is wrong with it. */
export function refuse<Form extends string>(
  form: Form,
  result: SubmissionResult,
  init: ResponseInit = { status: 400 },
) {
  return data<Refusal<Form>>({ form, result }, init);
}

/** The result of a form without fields, which is a button alone. */
export function toFormResult(sentence: string): SubmissionResult {
  return { status: "error", error: { "": [sentence] } };
}

type Done<Answer> = { headers?: HeadersInit; answer: Answer };

/**
 * Answers a form that succeeded: a browser without script is redirected (303), so that a reload repeats nothing;
 * a page that posted by script stays, loads what changed and gets the answer. `path` is without the base.
 */
export function answerDone<Answer>(request: Request, path: string, { headers = {}, answer }: Done<Answer>) {
  if (isDataRequest(request)) return data(answer, { headers });
  return redirect(path, { status: 303, headers });
}

/** A `headers` export for routes with forms: the framework keeps an action's headers from a page unless its route asks for them. */
export function readRetryAfter({ actionHeaders }: HeadersArgs): HeadersInit {
  const wait = actionHeaders.get("Retry-After");
  return wait === null ? {} : { "Retry-After": wait };
}

/** Whether script sent a request: the framework's own have a path that ends in `.data`. */
export function isDataRequest(request: Request): boolean {
  return new URL(request.url).pathname.endsWith(".data");
}
