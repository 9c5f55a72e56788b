import { createContext } from "react";
import { data, type ActionFunctionArgs } from "react-router";

import { forms } from "../server/refusals.ts";
import { schemeCookie, type Scheme } from "./cookies.ts";
import { answerDone } from "./forms/answer.ts";
import { pathOf } from "./paths.ts";

/** The CSS `color-scheme` of each, with which the browser paints before it has our styles. */
export const colorSchemes = { night: "dark", dawn: "light", system: "dark light" };

/**
 * The scheme of a page without loader data, such as one whose loader failed. On the server it comes from the request, in a browser from
 * the page as it was served.
 */
export const SchemeContext = createContext<Scheme | "system" | undefined>(
  typeof document === "undefined" ? undefined : (document.documentElement.dataset.scheme as Scheme | "system"),
);

/** The form of the scheme switch, which every screen has. */
export function changeScheme(form: FormData, { request, url }: ActionFunctionArgs) {
  const scheme = form.get("scheme");
  if (scheme !== "night" && scheme !== "dawn") throw data(forms.ours["no-scheme"], { status: 400 });
  return answerDone(request, pathOf(url), { headers: { "Set-Cookie": schemeCookie(url, scheme) }, answer: null });
}
