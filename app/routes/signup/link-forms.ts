import { redirect, type ActionFunctionArgs } from "react-router";

import { draftCookie, readDraftToken } from "../../cookies.ts";
import { textOf } from "../../forms/text-of.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { whereaboutsOf } from "../../whereabouts.ts";
import { earnedStep, stepPath } from "./steps.ts";

/** The button behind the verification letter's link: on in this browser's own sign-up, or the word to go back to the other one. */
export async function verifyLink(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { signUp } = requireRooms(context);
  const linkToken = tokenOf(form);
  // The page itself says what is wrong with a link, once it is.
  if (!(await signUp.verifyByLink(linkToken))) return redirect(`/signup?verify=${encodeURIComponent(linkToken)}`, 303);
  const token = readDraftToken(request, url);
  const draft = token && (await signUp.findDraft(token));
  return redirect(draft && draft.isVerified ? stepPath(earnedStep(draft)) : "/signup?verified=1", 303);
}

/** The button behind a renewal letter's link: to the plans, as the member whom the letter was for. */
export async function renew(form: FormData, { context, url }: ActionFunctionArgs) {
  const linkToken = tokenOf(form);
  const draft = await requireRooms(context).signUp.startRenewal(linkToken, whereaboutsOf(context, url));
  if (!draft) return redirect(`/signup?renew=${encodeURIComponent(linkToken)}`, 303);
  return redirect(stepPath(2), { status: 303, headers: { "Set-Cookie": draftCookie(url, draft) } });
}

/** No token of ours is longer. */
const TOKEN_MAX_LENGTH = 400;

function tokenOf(form: FormData): string {
  const token = textOf(form, "token");
  return token.length <= TOKEN_MAX_LENGTH ? token : "";
}
