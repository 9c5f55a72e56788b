import { type ActionFunctionArgs, redirect } from "react-router";

import type { StartedSession } from "../../../../server/members/sessions/sessions.ts";
import { requestSource } from "../../../frame/context.ts";
import { draftCookie, sessionCookie } from "../../../frame/cookies.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { returnPath, safePath } from "../../../frame/paths.ts";
import { isRenewPath, stepPath } from "../signup/steps.ts";

/** Leads to the requested page. A member who comes to renew gets a draft, and step 2. */
export async function enter(session: StartedSession, { context, url }: Pick<ActionFunctionArgs, "context" | "url">) {
  const { sessions, signUp } = requireServices(context);
  const headers = new Headers({ "Set-Cookie": sessionCookie(url, session) });
  const to = safePath(url.searchParams.get("to"));
  const started = isRenewPath(to) ? await sessions.find(session.token) : undefined;
  const draft = started && (await signUp.startOwnRenewal(started.memberId, requestSource(context, url)));
  if (draft) headers.append("Set-Cookie", draftCookie(url, draft));
  return redirect(draft ? stepPath(2, returnPath(new URL(to, url))) : to, { status: 303, headers });
}
