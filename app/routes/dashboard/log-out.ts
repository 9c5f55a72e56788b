import { redirect, type ActionFunctionArgs } from "react-router";

import { visitorContext } from "../../context.ts";
import { endedSessionCookie } from "../../cookies.ts";
import { requireServices } from "../../middleware/guards.ts";

/**
 * Ends the session here and in the browser, which also forgets the pictures and films that it has kept for a day and more.
 * Not its cookies: the scheme stays as it was chosen. Over plain http browsers pass over this.
 */
export async function logOut(_form: FormData, { context, url }: ActionFunctionArgs) {
  const { token } = context.get(visitorContext);
  if (token) await requireServices(context).sessions.end(token);
  return redirect("/login", { status: 303, headers: { "Set-Cookie": endedSessionCookie(url), ...forgetting } });
}

/** The header that has a browser forget them. */
export const forgetting = { "Clear-Site-Data": '"cache", "storage"' };
