import type { ActionFunctionArgs } from "react-router";

import { answerDone } from "../../../../forms/answer.ts";
import { accountPath } from "../view.ts";
import type { AccountAnswer } from "./account-answer.ts";
import { pathBehind } from "./account-screen.ts";
import { flashMessages, type Flash } from "./flash-messages.ts";

/** After success. */
export function showFlash(flash: Flash, { request, url }: ActionFunctionArgs) {
  const { row } = flashMessages[flash];
  const path = `${accountPath(pathBehind(url), row)}&flash=${flash}${row === "open" ? "" : `#account-${row}`}`;
  return answerDone<AccountAnswer>(request, path, { answer: { flash } });
}
