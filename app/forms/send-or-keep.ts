import { data } from "react-router";

import { isConnectionLoss } from "../components/problem.tsx";
import { toFormResult, type Refusal } from "./answer.ts";

/** The error for a form without an answer, by intent: the form that shows it, and the sentence. */
export type Unanswered<Form extends string, Intent extends string = Form> = Record<
  Intent,
  [form: Form, sentence: string]
>;

/** The form may have reached the server; sent again it counts once. */
export const OFFLINE = "You seem to be offline. What you typed is still here. Send it again when you're back online.";

export const OFFLINE_BUTTON = "You seem to be offline. Try again when you're back online.";

export const OFFLINE_PAYMENT =
  "You seem to be offline, so we don't know yet whether you've paid. Try again when you're back online. We won't charge you twice.";

/** The status of a form without an answer, after which nothing is loaded again. */
export const NO_ANSWER = 503;

type Sending<Answer> = { request: Request; serverAction: () => Promise<Answer> };

/** Sends a form by script; without a connection it stays on the screen as it is. */
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
    // The scheme and the landing's row visibly do not change; an error page would lose the rest of this one.
    if (intent === "scheme" || intent === "forget") return data(null, { status: NO_ANSWER });
    if (typeof intent !== "string" || !Object.hasOwn(unanswered, intent)) throw error;
    const [form, sentence] = unanswered[intent as Intent];
    return data<Refusal<Form>>({ form, result: toFormResult(sentence) }, { status: NO_ANSWER });
  }
}
