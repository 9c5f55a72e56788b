import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { useMemo } from "react";
import { type ActionFunctionArgs, data, Form, redirect } from "react-router";

import { gifts as table } from "../../../server/refusals.ts";
import type { Member } from "../../../server/members/accounts/accounts.ts";
import type { GiftOffer } from "../../../server/money/gifts/taking-up.ts";
import { formatDay } from "../../../server/platform/format.ts";
import { addMonths } from "../../../server/platform/london-calendar.ts";
import { displayName } from "../../../server/platform/text.ts";
import type { Services } from "../../../server/services.ts";
import { readRetryAfter, type Refusal, refuse, toFormResult } from "../../forms/answer.ts";
import { useCheckedForm } from "../../forms/checked-form.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { runIntent } from "../../forms/intents.ts";
import { refuseTooMany, tooMany, tooSoon } from "../../forms/messages.ts";
import { readText } from "../../forms/read-text.ts";
import { OFFLINE_BUTTON, sendOrKeep } from "../../forms/send-or-keep.ts";
import { addressContext, callerContext } from "../../frame/context.ts";
import { requireSender, requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { href } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/gift.ts";
import { requireOffered } from "./give/actions.ts";
import { periodWords } from "./give/gift-texts.ts";
import { giftPath } from "./give/paths.ts";
import { AuthLayout, publicProduct } from "./login/auth-layout.tsx";
import { logInPath } from "./login/paths.ts";
import { giftSignUpPath } from "./signup/steps.ts";
import buttons from "../../components/button.module.css";
import steps from "./signup/step.module.css";
import styles from "./give/give.module.css";

/** The address may have a code. */
export const middleware = [noIndexMiddleware];

export { readRetryAfter as headers };

/** The longest code, with spaces between its groups. */
const CODE_MAX_LENGTH = 100;

/** Shows the gift, and the button that takes it up. Changes nothing itself. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  requireOffered(services);
  const { member } = context.get(callerContext);
  const page = { product: publicProduct(services.product), isMember: member !== undefined };
  if (member && url.searchParams.has("added")) return data({ ...page, screen: await toAdded(services, member) });
  const code = url.searchParams.get("code")?.slice(0, CODE_MAX_LENGTH);
  if (code === undefined) return data({ ...page, screen: { name: "enter" as const, code: "", refusal: undefined } });
  const check = await services.gifts.check(code, { address: context.get(addressContext) });
  if (check.ok) return data({ ...page, screen: await toOffer(services, { gift: check.gift, member }) });
  if (check.reason === "too-many-attempts") {
    const screen = { name: "enter" as const, code, refusal: tooMany(check.waitInMs) };
    return data({ ...page, screen }, tooSoon(check.waitInMs));
  }
  if (check.reason === "unknown")
    return data({ ...page, screen: { name: "enter" as const, code, refusal: check.message } }, { status: 404 });
  return data({ ...page, screen: { name: "closed" as const, reason: check.reason, sentence: check.message } });
}

async function toOffer(services: Services, { gift, member }: { gift: GiftOffer; member: Member | undefined }) {
  const plan = services.plans.find(({ type }) => type === gift.planType);
  const cover = member && (await services.membership.findCoverEnd(member.id));
  const endsAt = addMonths(cover ?? services.clock(), plan?.months ?? 0);
  return {
    name: "offer" as const,
    code: gift.code,
    from: displayName(gift.giverName),
    who: displayName(gift.recipientName),
    what: `${plan ? periodWords(plan) : ""} of ${services.product.name}`,
    message: gift.message,
    until: formatDay(gift.expiresAt),
    term: cover
      ? `It starts on ${formatDay(cover)}, when your present membership ends, and runs until ${formatDay(endsAt)}.`
      : `It starts as soon as you take it up, and runs until ${formatDay(endsAt)}.`,
  };
}

async function toAdded({ membership }: Services, member: Member) {
  const endsAt = await membership.findCoverEnd(member.id);
  return { name: "added" as const, endsOn: endsAt && formatDay(endsAt) };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme, "add-gift": addGift });

/** One button of a member's; repeated clicks add it once. */
async function addGift(form: FormData, args: ActionFunctionArgs) {
  const { context } = args;
  const { gifts } = requireServices(context);
  const code = readText(form, "code").slice(0, CODE_MAX_LENGTH);
  const { id: memberId } = requireSender(args, { form, path: giftPath(code) });
  const taken = await gifts.takeUp({ code, memberId, address: context.get(addressContext) });
  if (taken.ok) return redirect("/gift?added=1", 303);
  if (taken.reason !== "too-many-attempts") return refuse("add-gift", toFormResult(table[taken.reason]));
  return refuseTooMany("add-gift", taken);
}

export const clientAction = (args: Route.ClientActionArgs) =>
  sendOrKeep(args, { "add-gift": ["add-gift", OFFLINE_BUTTON] });

type Screen = Route.ComponentProps["loaderData"]["screen"];

type Product = Route.ComponentProps["loaderData"]["product"];

export default function GiftPage({ loaderData: { product, isMember, screen }, actionData }: Route.ComponentProps) {
  const answer = actionData ?? undefined;
  const isWrong = answer !== undefined || (screen.name === "enter" && screen.refusal !== undefined);
  return (
    <AuthLayout title={titles[screen.name]} isWrong={isWrong} product={product}>
      <div className={steps.step}>
        <ScreenContent screen={screen} isMember={isMember} answer={answer} product={product} />
      </div>
    </AuthLayout>
  );
}

const titles: Record<Screen["name"], string> = {
  enter: "Take up a gift",
  offer: "A gift for you",
  added: "Your gift is yours",
  closed: "Your gift",
};

type ContentProps = {
  screen: Screen;
  isMember: boolean;
  answer: Refusal<"add-gift"> | undefined;
  product: Product;
};

function ScreenContent({ screen, isMember, answer, product: { name, contactEmail } }: ContentProps) {
  switch (screen.name) {
    case "enter":
      return <EnterCode screen={screen} />;
    case "offer":
      return <Offer screen={screen} isMember={isMember} answer={answer} />;
    case "added":
      return (
        <>
          <h1 tabIndex={-1}>It's yours</h1>
          <p>
            {screen.endsOn
              ? `We've added it to your membership, which now runs until ${screen.endsOn}. It doesn't renew.`
              : "We've added it to your membership."}
          </p>
          <p>
            <a className={buttons.button} href={href("/")}>
              Go to {name}
            </a>
          </p>
        </>
      );
    case "closed":
      return (
        <>
          <h1 tabIndex={-1}>{closedTitles[screen.reason]}</h1>
          <p>{screen.sentence}</p>
          <p>
            Not what you expected? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </p>
          <p>
            <a className={buttons.quiet} href={href(isMember ? "/" : "/signup")}>
              Go to {name}
            </a>
          </p>
        </>
      );
  }
}

const closedTitles: Record<Extract<Screen, { name: "closed" }>["reason"], string> = {
  "not-yet": "Your gift isn't here yet",
  "taken-up": "This gift is taken up",
  over: "This gift has ended",
};

function EnterCode({ screen }: { screen: Extract<Screen, { name: "enter" }> }) {
  const { code: typed, refusal } = screen;
  // Conform compares results by identity.
  const lastResult = useMemo(() => toRefusal(typed, refusal), [typed, refusal]);
  const [form, { code }] = useCheckedForm<{ code: string }>({ id: "gift-code", lastResult });
  return (
    <>
      <h1 tabIndex={-1}>Take up a gift</h1>
      <p>Your code is in the email, or on the sheet you were given.</p>
      <ErrorSummary form={form} fields={[code]} />
      <Form method="get" action="/gift" className={styles.form} {...getFormProps(form, { ariaAttributes: false })}>
        <Field
          field={code}
          label="Gift code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="go"
        />
        <button className={buttons.button}>Open my gift</button>
      </Form>
    </>
  );
}

function toRefusal(typed: string, refusal: string | undefined): SubmissionResult | undefined {
  return refusal === undefined
    ? undefined
    : { status: "error", initialValue: { code: typed }, error: { code: [refusal] } };
}

type OfferProps = Pick<ContentProps, "isMember" | "answer"> & { screen: Extract<Screen, { name: "offer" }> };

function Offer({ screen, isMember, answer }: OfferProps) {
  const [form] = useCheckedForm({ id: "add-gift", answer });
  return (
    <>
      <h1 tabIndex={-1} className={styles.name}>{`A gift for you, ${screen.who}`}</h1>
      <p className={styles.name}>{`${screen.from} is giving you ${screen.what}.`}</p>
      {screen.message && <blockquote className={styles.words}>{screen.message}</blockquote>}
      <p>{`You don't pay anything, and it doesn't renew. Take it up by ${screen.until}.`}</p>
      {isMember ? (
        <>
          <p>{screen.term}</p>
          <ErrorSummary form={form} />
          <IntentForm intent="add-gift" form={form}>
            <input type="hidden" name="code" value={screen.code} />
            <Submit intent="add-gift" label="Add it to my membership" pending="Adding..." />
          </IntentForm>
        </>
      ) : (
        <>
          <p>New here? Sign up to use it. A member already? Log in to add it to your membership.</p>
          <div className={steps.next}>
            <a className={buttons.button} href={href(giftSignUpPath(screen.code))}>
              Sign up
            </a>{" "}
            <a className={buttons.quiet} href={href(logInPath(giftPath(screen.code)))}>
              Log in
            </a>
          </div>
        </>
      )}
    </>
  );
}
