import { data } from "react-router";

import { isConnectionLoss } from "../ui/problem.tsx";
import type { FormEcho } from "./read-submission.ts";
import { textOf } from "./text-of.ts";

/** What a screen says of its forms when they got no answer. */
export type Unanswered<Form extends string, Intent extends string = Form> = {
  /** By intent: the form that says it, and the sentence. */
  words: Record<Intent, [form: Form, sentence: string]>;
  /** The fields whose texts may be shown again: no passwords, no codes of emails. What stands in others on the screen stays there. */
  kept: string[];
};

/** Whether it has reached us nobody knows; sent again it counts once. */
export const OFFLINE =
  "You seem to be offline. What you typed is still here: send it again when the connection is back.";

/** For a form that is a button alone. */
export const OFFLINE_BUTTON = "You seem to be offline. Press again when the connection is back.";

/** The status of what was never answered. There is nothing to load again then either. */
export const NO_ANSWER = 503;

type Sending<Answer> = { request: Request; serverAction: () => Promise<Answer> };

/** Sends a form in the browser, and keeps it on the screen where there is no connection. */
export async function sendOrKeep<Answer, Form extends string>(
  { request, serverAction }: Sending<Answer>,
  { words, kept }: Unanswered<Form, string>,
) {
  const copy = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    const fields = await copy.formData();
    const intent = textOf(fields, "intent");
    // The scheme stays as it was: that is seen, and nothing on the page is worth losing for it.
    if (intent === "scheme") return data(null, { status: NO_ANSWER });
    const said = Object.hasOwn(words, intent) ? words[intent] : undefined;
    if (!said) throw error;
    const [form, sentence] = said;
    const typed = kept.filter((name) => fields.has(name)).map((name) => [name, textOf(fields, name)]);
    const echo: FormEcho = { values: Object.fromEntries(typed), formErrors: [sentence], fieldErrors: {} };
    return data({ form, echo }, { status: NO_ANSWER });
  }
}
