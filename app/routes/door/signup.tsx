import { data, redirect } from "react-router";

import type { GiftCheck } from "../../../server/money/gifts/taking-up.ts";
import type { Services } from "../../../server/services.ts";
import { addressContext, readBrowser, callerContext } from "../../frame/context.ts";
import { readDraftToken, sessionCookie } from "../../frame/cookies.ts";
import { isRefusal, readRetryAfter } from "../../forms/answer.ts";
import { createLateComponent } from "../../frame/late-component.tsx";
import { changeScheme } from "../../frame/scheme.ts";
import { runIntent } from "../../forms/intents.ts";
import { tooMany } from "../../forms/messages.ts";
import { OFFLINE, OFFLINE_BUTTON, OFFLINE_PAYMENT, sendOrKeep } from "../../forms/send-or-keep.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { AuthLayout, publicProduct } from "./login/auth-layout.tsx";
import { returnPath } from "../../frame/paths.ts";
import type { Route } from "./+types/signup.ts";
import {
  choosePlan,
  renew,
  resendCode,
  switchNewsletter,
  saveDetails,
  takeGift,
  verifyByCode,
  verifyLink,
} from "./signup/actions.ts";
import { DetailsForm } from "./signup/details-form.tsx";
import { TakeGift, TakenUp } from "./signup/gift-step.tsx";
import { Checking, Confirmation, Improve, Refunded } from "./signup/pages.tsx";
import { openPayment, takePayment, showSavedPostcode, withoutStripeParams } from "./signup/pay.ts";
import { PaymentStep } from "./signup/payment-step.tsx";
import { PlanStep } from "./signup/plan-step.tsx";
import {
  findLinkScreen,
  findNewsletter,
  findOwnRenewal,
  openDraft,
  type ScreenProps,
  type SignUpScreen,
  toSignUpScreen,
} from "./signup/sign-up-screen.ts";
import { StepBar } from "./signup/step-bar.tsx";
import {
  checkingPath,
  earnedStep,
  findStep,
  GIFT,
  isSettled,
  LINK_PAGE_ID,
  OWN_RENEWAL,
  parseStep,
  shouldRevalidatePayment,
  stepPath,
} from "./signup/steps.ts";
import { Welcome } from "./signup/welcome.tsx";

export { readRetryAfter as headers, shouldRevalidatePayment as shouldRevalidate };

export async function loader(args: Route.LoaderArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  const caller = context.get(callerContext);
  const isMember = caller.member !== undefined;
  const page = { product: publicProduct(services.product), to: returnPath(url), isMember };
  const token = readDraftToken(request, url);
  const isOwn = url.searchParams.get("renew") === OWN_RENEWAL;
  const linked = isOwn
    ? await findOwnRenewal(services, { memberId: caller.member?.id, to: page.to })
    : await findLinkScreen(services, url.searchParams);
  if (token && linked?.name === "bad-link" && linked.kind === "verify") {
    const own = await services.signUp.findDraft(token);
    if (own?.isVerified) throw redirect(stepPath(earnedStep(own), page.to));
  }
  if (linked) return data({ ...page, screen: linked }, { status: linked.name === "bad-link" ? 404 : 200 });

  const cleaned = withoutStripeParams(url.searchParams);
  if (cleaned) throw redirect(`/signup?${cleaned.toString()}`);

  const step = parseStep(url.searchParams);
  const draft = token ? await openDraft(services, { token, step }) : undefined;
  const reached = findStep({ step, draft, isMember });
  if (reached === "home") throw redirect("/");
  if (reached !== step) throw redirect(stepPath(reached, page.to));

  const isCompleted = step === 4 && draft !== undefined && isSettled(draft) && draft.payment.state !== "refunded";
  const session =
    isCompleted && token ? await services.signUp.claimSession(token, readBrowser(request, context)) : undefined;
  const memberId = caller.member?.id ?? (session && (await services.sessions.find(session.token))?.memberId);
  const newsletter = await findNewsletter(services, isCompleted ? memberId : undefined);
  const hasSession = session !== undefined || isMember;
  const visit = { step, draft, params: url.searchParams, hasSession, newsletter };
  const gift = step === 1 ? await checkGift(services, args) : undefined;
  const endsAt = memberId !== undefined && isCompleted ? await services.membership.findCoverEnd(memberId) : undefined;
  const found = toSignUpScreen(services, { ...visit, gift, endsAt });
  const { screen, headers } =
    found.name === "payment"
      ? showSavedPostcode(openPayment(found, args), request, { url, services })
      : { screen: found, headers: {} };
  return data({ ...page, screen }, { headers: session ? { "Set-Cookie": sessionCookie(url, session) } : headers });
}

/** The gift whose code is in the address. A refusal for now is one with a sentence. */
async function checkGift({ gifts }: Services, { context, url }: Route.LoaderArgs): Promise<GiftCheck | undefined> {
  const code = url.searchParams.get(GIFT);
  if (!code || !gifts.isOffered) return undefined;
  const check = await gifts.check(code, { address: context.get(addressContext) });
  if (check.ok || check.reason !== "too-many-attempts") return check;
  return { ok: false, reason: "unknown", message: tooMany(check.waitInMs) };
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    details: saveDetails,
    verify: verifyByCode,
    resend: resendCode,
    plan: choosePlan,
    pay: takePayment,
    "take-gift": takeGift,
    "verify-link": verifyLink,
    renew,
    newsletter: switchNewsletter,
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  sendOrKeep(args, {
    details: ["details", OFFLINE],
    plan: ["plan", OFFLINE],
    verify: ["verify", OFFLINE],
    resend: ["resend", OFFLINE_BUTTON],
    "take-gift": ["take-gift", OFFLINE],
    newsletter: ["newsletter", OFFLINE_BUTTON],
    pay: ["pay", OFFLINE_PAYMENT],
  });

export default function SignUp({ loaderData: { product, screen, to, isMember }, actionData }: Route.ComponentProps) {
  const answer = actionData ?? undefined;
  const isWrong = (answer && isRefusal(answer)) || (screen.name === "payment" && screen.trouble !== undefined);
  const isIn = isMember || ("hasSession" in screen && screen.hasSession);
  return (
    <AuthLayout
      title={titles[screen.name]}
      isWrong={isWrong}
      product={product}
      mode={isIn ? undefined : "Sign Up"}
      to={to}
      isWelcome={screen.name === "welcome"}
    >
      <ScreenContent product={product} screen={screen} answer={answer} to={to} />
    </AuthLayout>
  );
}

const LinkPage = createLateComponent(LINK_PAGE_ID, async () => (await import("./signup/link-pages.tsx")).LinkPage);

function ScreenContent({ screen, ...props }: ScreenProps) {
  switch (screen.name) {
    case "welcome":
      return <Welcome screen={screen} to={props.to} />;
    case "details":
      return <DetailsForm {...props} screen={screen} />;
    case "plan":
      return <PlanStep {...props} screen={screen} />;
    case "payment":
      return <PaymentStep {...props} screen={screen} />;
    case "confirmation":
      return <Confirmation {...props} screen={screen} />;
    case "checking":
      return <Checking bar={<StepBar step={3} to={props.to} canGoBack={false} />} path={checkingPath(props.to)} />;
    case "take-gift":
      return <TakeGift {...props} screen={screen} />;
    case "taken-up":
      return <TakenUp product={props.product} screen={screen} to={props.to} />;
    case "refunded":
      return <Refunded {...props} screen={screen} />;
    case "improve":
      return <Improve screen={screen} to={props.to} />;
    case "verify-link":
    case "verified":
    case "renewal":
    case "company":
    case "bad-link":
      return <LinkPage {...props} screen={screen} />;
  }
}

const titles: Record<SignUpScreen["name"], string> = {
  welcome: "Sign up",
  details: "Your details",
  plan: "Your plan",
  payment: "Payment",
  confirmation: "Payment Complete",
  checking: "Checking your payment",
  "take-gift": "Your gift",
  "taken-up": "You're a member",
  refunded: "We're refunding your payment",
  improve: "Improve Your Sleep",
  "verify-link": "Verify your email",
  verified: "Your email is verified",
  renewal: "Welcome back",
  company: "Direct Debit",
  "bad-link": "This link doesn't work",
};
