import { data } from "react-router";

import { isConnectionLoss } from "../ui/problem.tsx";
import { sayOfForm, type Refusal } from "./answer.ts";
import { textOf } from "./text-of.ts";

/** What a screen says of its forms when they got no answer, by intent: the form that says it, and the sentence. */
export type Unanswered<Form extends string, Intent extends string = Form> = Record<
  Intent,
  [form: Form, sentence: string]
>;

/** Whether it has reached us is not known; sent again it counts once. */
export const OFFLINE =
  "You seem to be offline. What you typed is still here: send it again when the connection is back.";

/** For a form that is a button alone. */
export const OFFLINE_BUTTON = "You seem to be offline. Press again when the connection is back.";

/** The status of what was never answered. There is nothing to load again then either. */
export const NO_ANSWER = 503;

type Sending<Answer> = { request: Request; serverAction: () => Promise<Answer> };

/** Sends a form in the browser, and keeps it on the screen as it is where there is no connection. */
export async function sendOrKeep<Answer, Form extends string, Intent extends string>(
  { request, serverAction }: Sending<Answer>,
  unanswered: Unanswered<Form, Intent>,
) {
  const copy = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    const intent = textOf(await copy.formData(), "intent");
    // The scheme stays as it was: that is seen, and nothing on the page is worth losing for it.
    if (intent === "scheme") return data(null, { status: NO_ANSWER });
    if (!Object.hasOwn(unanswered, intent)) throw error;
    const [form, sentence] = unanswered[intent as Intent];
    return data<Refusal<Form>>({ form, result: sayOfForm(sentence) }, { status: NO_ANSWER });
  }
}
