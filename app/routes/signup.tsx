import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";

import { browserOf } from "../browser.ts";
import { visitorContext } from "../context.ts";
import { readDraftToken, sessionCookie } from "../cookies.ts";
import { entranceHouse } from "../entrance-house.ts";
import { retryAfterOf } from "../forms/answer.ts";
import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { NO_ANSWER, sendOrKeep } from "../forms/send-or-keep.ts";
import { requireServices } from "../middleware/guards.ts";
import { Entrance } from "../ui/entrance.tsx";
import { wantedPath } from "../whereabouts.ts";
import type { Route } from "./+types/signup.ts";
import { choosePlan, renew, resend, saveDetails, verify, verifyLink } from "./signup/actions.ts";
import { unanswered } from "./signup/form-answer.ts";
import { showKeptPostcode } from "./signup/kept-postcode.ts";
import { findLinkScreen } from "./signup/link-screen.ts";
import { openDraft } from "./signup/open-draft.ts";
import { pay } from "./signup/pay.ts";
import { openPayment, withoutGatewaysNotes } from "./signup/payment-screen.ts";
import { ScreenContent } from "./signup/screen-content.tsx";
import { screenTitle } from "./signup/screen-title.ts";
import { toSignUpScreen } from "./signup/sign-up-screen.ts";
import { parseStep, placeOf, stepPath } from "./signup/steps.ts";

export { retryAfterOf as headers };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  const visitor = context.get(visitorContext);
  const page = { house: entranceHouse(services), to: wantedPath(url) };
  const linked = await findLinkScreen(services, url.searchParams);
  if (linked) return data({ ...page, screen: linked }, { status: linked.name === "bad-link" ? 404 : 200 });

  const kept = withoutGatewaysNotes(url.searchParams);
  if (kept) throw redirect(`/signup?${kept.toString()}`);

  const token = readDraftToken(request, url);
  const step = parseStep(url.searchParams);
  const draft = token ? await openDraft(services, { token, step }) : undefined;
  const place = placeOf({ step, draft, isMember: visitor.member !== undefined });
  if (place === "home") throw redirect("/");
  if (place !== step) throw redirect(stepPath(place, page.to));

  const isCompleted = step === 4 && draft?.payment.state === "completed";
  const session =
    isCompleted && token ? await services.signUp.claimSession(token, browserOf(request, context)) : undefined;
  const hasSession = session !== undefined || visitor.member !== undefined;
  const params = url.searchParams;
  const opened = openPayment(toSignUpScreen(services, { step, draft, params, hasSession }), { context, params });
  const { screen, headers } = showKeptPostcode(opened, request, { url, services });
  return data({ ...page, screen }, { headers: session ? { "Set-Cookie": sessionCookie(url, session) } : headers });
}

/** A payment may have been refused for what another window has changed: the page shows that, not what it was. */
export function shouldRevalidate({ formData, actionStatus, ...other }: ShouldRevalidateFunctionArgs): boolean {
  return other.defaultShouldRevalidate || (formData?.get("intent") === "pay" && actionStatus !== NO_ANSWER);
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    details: saveDetails,
    verify,
    resend,
    plan: choosePlan,
    pay,
    "verify-link": verifyLink,
    renew,
  });

export const clientAction = (args: Route.ClientActionArgs) => sendOrKeep(args, unanswered);

export default function SignUp({ loaderData: { house, screen, to }, actionData }: Route.ComponentProps) {
  const answer = actionData ?? undefined;
  const isIn = screen.name === "confirmation" && screen.hasSession;
  return (
    <Entrance title={screenTitle(screen, answer)} house={house} mode={isIn ? undefined : "Sign Up"} to={to}>
      <ScreenContent house={house} screen={screen} answer={answer} to={to} />
    </Entrance>
  );
}
