import { data } from "react-router";

import { isConnectionLoss } from "../../ui/problem.tsx";
import type { FormAnswer, FormName } from "./form-answer.ts";

const OFFLINE = "You seem to be offline. What you typed is still here: send it again when the connection is back.";

/** What a form says that got no answer. Whether it has reached us nobody knows; sent again it counts once. */
const sentences: Record<FormName, string> = {
  details: OFFLINE,
  plan: OFFLINE,
  verify: OFFLINE,
  resend: OFFLINE,
  pay: "You seem to be offline, so we cannot say yet whether you have paid. Press again when the connection is back: nobody is charged twice.",
};

/** Fields that are in no form again; what stands in them on the screen stays there. */
const hidden = new Set(["intent", "password", "passwordConfirmation", "methodId"]);

/** Sends a form in the browser, and keeps it on the screen where there is no connection. */
export async function sendOrKeep<Answer>(request: Request, send: () => Promise<Answer>) {
  const form = await request.clone().formData();
  try {
    return await send();
  } catch (error) {
    const name = form.get("intent");
    if (!isConnectionLoss(error) || !isFormName(name)) throw error;
    const texts = [...form].filter((field): field is [string, string] => typeof field[1] === "string");
    const values = Object.fromEntries(texts.filter(([field]) => !hidden.has(field)));
    const answer: FormAnswer = { form: name, echo: { values, formErrors: [sentences[name]], fieldErrors: {} } };
    return data(answer, { status: NO_ANSWER });
  }
}

/** The status of what was never answered. There is nothing to load again then either. */
export const NO_ANSWER = 503;

function isFormName(name: unknown): name is FormName {
  return typeof name === "string" && Object.hasOwn(sentences, name);
}
