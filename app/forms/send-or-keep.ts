import { data } from "react-router";

import { isConnectionLoss } from "../components/problem.tsx";
import { toFormResult, type Refusal } from "./answer.ts";

/** The error that a screen shows when a form got no answer, by intent: the form that shows it, and the sentence. */
export type Unanswered<Form extends string, Intent extends string = Form> = Record<
  Intent,
  [form: Form, sentence: string]
>;

/** The form may have reached the server; sent again it counts once. */
export const OFFLINE =
  "You seem to be offline. What you typed is still here: send it again when the connection is back.";

/** For a form that is a button alone. */
export const OFFLINE_BUTTON = "You seem to be offline. Press again when the connection is back.";

/** The status of a form that got no answer. Then there is nothing to load again either. */
export const NO_ANSWER = 503;

type Sending<Answer> = { request: Request; serverAction: () => Promise<Answer> };

/** Sends a form in the browser, and keeps it on the screen as it is when there is no connection. */
export async function sendOrKeep<Answer, Form extends string, Intent extends string>(
  { request, serverAction }: Sending<Answer>,
  unanswered: Unanswered<Form, Intent>,
) {
  const copy = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    const intent = (await copy.formData()).get("intent");
    // The scheme and the landing's row visibly stay as they were; an error page would lose what else is on this one.
    if (intent === "scheme" || intent === "forget") return data(null, { status: NO_ANSWER });
    if (typeof intent !== "string" || !Object.hasOwn(unanswered, intent)) throw error;
    const [form, sentence] = unanswered[intent as Intent];
    return data<Refusal<Form>>({ form, result: toFormResult(sentence) }, { status: NO_ANSWER });
  }
}
