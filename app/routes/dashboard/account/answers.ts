import { data, type ActionFunctionArgs } from "react-router";

import { answerDone } from "../../../forms/answer.ts";
import { pathOfView } from "../content.ts";
import { parseView } from "../view.ts";
import type { AccountAnswer, Refusal } from "./account-answer.ts";
import { accountPath } from "./account-path.ts";
import { told as words, type Told } from "./told.ts";

/** A form that was refused, shown again with what was typed. */
export function refuse(refusal: Refusal, init: ResponseInit = { status: 400 }) {
  return data<AccountAnswer>(refusal, init);
}

/** A form that has done its work: My Account says so. */
export function tell(told: Told, { request, url }: ActionFunctionArgs) {
  const { part } = words[told];
  const path = `${accountPath(pathBehind(url), part)}&told=${told}${part === "open" ? "" : `#account-${part}`}`;
  return answerDone<AccountAnswer>(request, path, { told: { told } });
}

/** The screen that My Account lies over. */
export function pathBehind(url: URL): string {
  return pathOfView(parseView(url.searchParams));
}
