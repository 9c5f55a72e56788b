import { data, type ActionFunctionArgs } from "react-router";

import { forms } from "../../server/refusals.ts";
import { schemeCookie } from "../cookies.ts";
import { pathOf } from "../paths.ts";
import { answerDone } from "./answer.ts";

/** Keeps the scheme that a visitor chose; every screen has the switch. */
export function changeScheme(form: FormData, { request, url }: ActionFunctionArgs) {
  const scheme = form.get("scheme");
  if (scheme !== "night" && scheme !== "dawn") throw data(forms.ours["no-scheme"], { status: 400 });
  return answerDone(request, pathOf(url), { headers: { "Set-Cookie": schemeCookie(url, scheme) }, answer: null });
}
