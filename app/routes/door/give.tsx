import { redirect } from "react-router";

import type { Services } from "../../../server/services.ts";
import { callerContext } from "../../frame/context.ts";
import { readGiftToken } from "../../frame/cookies.ts";
import { readRetryAfter } from "../../forms/answer.ts";
import { runIntent } from "../../forms/intents.ts";
import { OFFLINE, OFFLINE_PAYMENT, sendOrKeep } from "../../forms/send-or-keep.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { href } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/give.ts";
import { type GiveAnswer, payForGift, requireOffered, saveGift } from "./give/actions.ts";
import { GiveForm } from "./give/give-form.tsx";
import { type GiveScreen, toGiveScreen } from "./give/give-screen.ts";
import { giveText } from "./give/gift-texts.ts";
import { findGivePlace, giveCheckingPath, givePath, parseGiveStep } from "./give/paths.ts";
import { AuthLayout, publicProduct } from "./login/auth-layout.tsx";
import { Checking } from "./signup/pages.tsx";
import { openPayment, withoutStripeParams } from "./signup/pay.ts";
import { PaymentStep } from "./signup/payment-step.tsx";
import { shouldRevalidatePayment } from "./signup/steps.ts";
import { Facts, GiveBar } from "./signup/step-bar.tsx";
import buttons from "../../components/button.module.css";
import steps from "./signup/step.module.css";

export { readRetryAfter as headers, shouldRevalidatePayment as shouldRevalidate };

export async function loader(args: Route.LoaderArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  requireOffered(services);
  const cleaned = withoutStripeParams(url.searchParams);
  if (cleaned) throw redirect(`/give?${cleaned.toString()}`);
  const step = parseGiveStep(url.searchParams);
  const draft = await openGift(services, { token: readGiftToken(request, url), isReturning: step > 0 });
  const place = findGivePlace(step, draft);
  if (place !== step) throw redirect(givePath(place));
  const { member } = context.get(callerContext);
  const screen = await toGiveScreen(services, { step, draft, member, isExpired: url.searchParams.has("expired") });
  return {
    product: publicProduct(services.product),
    title: giveText(services.plans, services.product.name),
    screen: screen.name === "payment" ? openPayment(screen, args) : screen,
  };
}

/** Looks up an open payment at the gateway first: the browser may just have returned from the payer's bank. */
async function openGift(
  { gifts }: Services,
  { token, isReturning }: { token?: string | undefined; isReturning: boolean },
) {
  const draft = token === undefined ? undefined : await gifts.findDraft(token);
  const isOpen = draft?.payment.state === "unfinished" || draft?.payment.state === "checking";
  if (token === undefined || !isOpen || !isReturning) return draft;
  await gifts.settle(token);
  return gifts.findDraft(token);
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, { scheme: changeScheme, give: saveGift, pay: payForGift });

export const clientAction = (args: Route.ClientActionArgs) =>
  sendOrKeep(args, {
    give: ["give", OFFLINE],
    pay: ["pay", OFFLINE_PAYMENT],
  });

export default function Give({ loaderData: { product, title, screen }, actionData }: Route.ComponentProps) {
  const answer = actionData ?? undefined;
  const isWrong = answer !== undefined || (screen.name === "payment" && screen.trouble !== undefined);
  const titles: Record<GiveScreen["name"], string> = {
    details: title,
    payment: "Payment",
    checking: "Checking your payment",
    refunded: "We're refunding your payment",
    done: "Thank you",
  };
  return (
    <AuthLayout title={titles[screen.name]} isWrong={isWrong} product={product}>
      <ScreenContent product={product} title={title} screen={screen} answer={answer} />
    </AuthLayout>
  );
}

type ContentProps = Route.ComponentProps["loaderData"] & { answer: GiveAnswer | undefined };

function ScreenContent({ product, title, screen, answer }: ContentProps) {
  switch (screen.name) {
    case "details":
      return <GiveForm title={title} screen={screen} answer={answer} />;
    case "payment": {
      const bar = <GiveBar at={2} back={givePath()} />;
      const paid = answer?.form === "pay" ? { ...answer, form: "pay" as const } : undefined;
      return <PaymentStep product={product} screen={screen} answer={paid} to={undefined} bar={bar} />;
    }
    case "checking":
      return <Checking bar={<GiveBar at={2} />} path={giveCheckingPath} />;
    case "refunded":
      return (
        <div className={steps.step}>
          <h1 tabIndex={-1}>We're refunding your payment</h1>
          <p>
            {`You paid ${screen.amount}, but we couldn't make your gift. We're refunding all of it to your card, which takes 5 to 10 working days.`}
          </p>
          <p>
            <a className={buttons.button} href={href(givePath())}>
              Try again
            </a>
          </p>
        </div>
      );
    case "done":
      return <Done screen={screen} />;
  }
}

function Done({ screen }: { screen: Extract<GiveScreen, { name: "done" }> }) {
  return (
    <div className={steps.step}>
      <GiveBar at={3} />
      <h1 tabIndex={-1}>Thank you</h1>
      <div className={steps.outcome}>
        <p>{screen.next}</p>
        <p>
          We've sent a receipt to <strong>{screen.email}</strong>. Its link shows you whether your gift was taken up,
          and lets you change or cancel it.
        </p>
        <Facts facts={screen.facts} />
        <div className={steps.next}>
          {screen.sheetPath && (
            <a className={buttons.button} href={href(screen.sheetPath)}>
              Print your gift
            </a>
          )}{" "}
          <a className={screen.sheetPath ? buttons.quiet : buttons.button} href={href(screen.givenPath)}>
            See your gift
          </a>
        </div>
      </div>
    </div>
  );
}
