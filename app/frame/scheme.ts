import { createContext } from "react";
import { data, redirect, type ActionFunctionArgs } from "react-router";

import { forms } from "../../server/refusals.ts";
import { schemeCookie, type Scheme } from "./cookies.ts";
import { answerDone } from "../forms/answer.ts";
import { readText } from "../forms/read-text.ts";
import { toPath, safePath } from "./paths.ts";

/** The CSS `color-scheme`, which the browser paints before it has our styles. */
export const colorSchemes = { night: "dark", dawn: "light", system: "dark light" };

/**
 * The page's scheme, from the root's loader. Outside it, such as after a failed loader: from the request on the server,
 * from the served page in a browser.
 */
export const SchemeContext = createContext<Scheme | "system" | undefined>(
  typeof document === "undefined" ? undefined : (document.documentElement.dataset.scheme as Scheme | "system"),
);

/** Every screen has the switch. Its form names the page to return to where it is sent to another address. */
export function changeScheme(form: FormData, { request, url }: ActionFunctionArgs) {
  const scheme = form.get("scheme");
  if (scheme !== "night" && scheme !== "dawn") throw data(forms["no-scheme"], { status: 400 });
  const headers = { "Set-Cookie": schemeCookie(url, scheme) };
  if (form.has("page")) return redirect(safePath(readText(form, "page")), { status: 303, headers });
  return answerDone(request, toPath(url), { headers, answer: null });
}
