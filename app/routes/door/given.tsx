import type { FormMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { type ActionFunctionArgs, data } from "react-router";
import { z } from "zod";

import { dayText } from "../../../server/content/items/item-facts.ts";
import { forms, gifts as table } from "../../../server/refusals.ts";
import { formatDay, formatPence, waitText } from "../../../server/platform/format.ts";
import type { GivenGift } from "../../../server/money/gifts/gifts.ts";
import { answerDone, isRefusal, readRetryAfter, type Refusal, refuse, toFormResult } from "../../forms/answer.ts";
import { useCheckedForm } from "../../forms/checked-form.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { FlashMessage } from "../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { runIntent } from "../../forms/intents.ts";
import { type FieldMessage, toFieldErrors, tooSoon } from "../../forms/messages.ts";
import { parseForm } from "../../forms/parse-form.ts";
import { OFFLINE, OFFLINE_BUTTON, sendOrKeep } from "../../forms/send-or-keep.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { href } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/given.ts";
import { periodLabel, recipientText, stateText } from "./give/gift-texts.ts";
import { givenPath, givePath, sheetPath } from "./give/paths.ts";
import { AuthLayout, publicProduct } from "./login/auth-layout.tsx";
import { fact, Facts } from "./signup/step-bar.tsx";
import buttons from "../../components/button.module.css";
import steps from "./signup/step.module.css";
import styles from "./give/give.module.css";

/** The address has the right to the gift. */
export const middleware = [noIndexMiddleware];

export { readRetryAfter as headers };

/** The page behind a receipt's link: the state of the gift, and the giver's forms. Changes nothing itself. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  const product = publicProduct(services.product);
  const found = await services.gifts.findGiven(readToken(url));
  if (!found) return data({ product, gift: undefined, done: undefined }, { status: 404 });
  const plan = services.plans.find(({ type }) => type === found.planType);
  return data({
    product,
    gift: toView(found, periodLabel(plan)),
    done: outcomes.find((outcome) => outcome === url.searchParams.get("done")),
  });
}

function readToken(url: URL): string {
  return url.searchParams.get("gift") ?? "";
}

function toView(gift: GivenGift, what: string) {
  const amount = formatPence(gift.amountInPence);
  return {
    who: recipientText(gift),
    state: stateText(gift),
    message: gift.message,
    facts: [
      fact("Gift", what),
      ...(gift.recipientEmail ? [fact("Email", gift.recipientEmail)] : []),
      fact("Paid", `${amount} on ${formatDay(gift.paidAt)}`),
      fact("Receipt number", gift.receiptNumber),
    ],
    recipient: gift.canChangeRecipient ? { name: gift.recipientName, email: gift.recipientEmail ?? "" } : undefined,
    canSendAgain: gift.canSendAgain,
    cancelUntil: gift.cancelUntil && dayText(gift.cancelUntil),
    amount,
    sheetPath: gift.sheet && sheetPath(gift.giverToken),
  };
}

type GiftView = ReturnType<typeof toView>;

const outcomes = ["sent", "moved", "moved-and-sent"] as const;

type Outcome = (typeof outcomes)[number];

const outcomeTexts: Record<Outcome, string> = {
  sent: "We've sent it again.",
  moved: "You've changed the address.",
  "moved-and-sent":
    "You've changed the address, and we've sent the gift there. The link in the first email no longer works.",
};

type GivenAnswer = Refusal<"send-again" | "change-address" | "cancel-gift"> | { done: Outcome };

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "send-again": sendAgain,
    "change-address": changeAddress,
    "cancel-gift": cancelGift,
  });

async function requireGiven({ context, url }: ActionFunctionArgs): Promise<GivenGift> {
  const gift = await requireServices(context).gifts.findGiven(readToken(url));
  if (!gift) throw data(table["no-gift"], { status: 404 });
  return gift;
}

function answerOutcome(done: Outcome, { request, url }: ActionFunctionArgs) {
  return answerDone<GivenAnswer>(request, `${givenPath(readToken(url))}&done=${done}`, { answer: { done } });
}

async function sendAgain(_form: FormData, args: ActionFunctionArgs) {
  const { id } = await requireGiven(args);
  const result = await requireServices(args.context).gifts.sendAgain(id);
  if (result.ok) return answerOutcome("sent", args);
  if (result.reason === "too-many-attempts") return refuseSending("send-again", result.waitInMs);
  const reason = result.reason === "over" ? "closed" : result.reason;
  return refuse("send-again", toFormResult(table[reason]));
}

function refuseSending(form: "send-again" | "change-address", waitInMs: number) {
  return refuse(form, toFormResult(table["too-many-attempts"](waitText(waitInMs))), tooSoon(waitInMs));
}

const text = z.string({ error: forms["text-unreadable"] }).default("");
const newRecipient = z.object({ recipientName: text, recipientEmail: text });

type Recipient = z.infer<typeof newRecipient>;

const recipientMessages = {
  "name-missing": ["recipientName", table["recipient-name-missing"]],
  "name-long": ["recipientName", table["recipient-name-long"]],
  "email-invalid": ["recipientEmail", table["address-invalid"]],
} satisfies Record<string, FieldMessage<keyof Recipient>>;

async function changeAddress(form: FormData, args: ActionFunctionArgs) {
  const { id } = await requireGiven(args);
  const submission = parseForm(form, newRecipient, []);
  if (!submission.ok) return refuse("change-address", submission.reply());
  const { value, reply } = submission;
  const result = await requireServices(args.context).gifts.changeRecipient({ giftId: id, ...value });
  if (result.ok) return answerOutcome(result.isSent ? "moved-and-sent" : "moved", args);
  switch (result.reason) {
    case "name-missing":
    case "name-long":
    case "email-invalid":
      return refuse("change-address", reply({ fieldErrors: toFieldErrors([recipientMessages[result.reason]]) }));
    case "sheet":
    case "over":
      return refuse("change-address", reply({ formErrors: [table[result.reason === "over" ? "closed" : "sheet"]] }));
    case "too-many-attempts":
      return refuseSending("change-address", result.waitInMs);
  }
}

/** The page then says that it is cancelled. */
async function cancelGift(_form: FormData, args: ActionFunctionArgs) {
  const { id } = await requireGiven(args);
  const result = await requireServices(args.context).gifts.cancel(id);
  if (result.ok) return answerDone(args.request, givenPath(readToken(args.url)), { answer: null });
  return refuse("cancel-gift", toFormResult(table[result.reason]));
}

export const clientAction = (args: Route.ClientActionArgs) =>
  sendOrKeep(args, {
    "send-again": ["send-again", OFFLINE_BUTTON],
    "change-address": ["change-address", OFFLINE],
    "cancel-gift": ["cancel-gift", OFFLINE_BUTTON],
  });

export default function Given({ loaderData: { product, gift, done }, actionData }: Route.ComponentProps) {
  const answer = actionData ?? undefined;
  const title = gift ? "Your gift" : "This link doesn't work";
  return (
    <AuthLayout title={title} isWrong={answer && isRefusal(answer)} product={product}>
      <div className={steps.step}>
        {gift ? (
          <Gift gift={gift} done={done} answer={answer} />
        ) : (
          <>
            <h1 tabIndex={-1}>This link doesn't work</h1>
            <p>
              It may be incomplete. Open the link in your receipt again, or write to{" "}
              <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a> and we'll help.
            </p>
          </>
        )}
      </div>
    </AuthLayout>
  );
}

type GiftProps = { gift: GiftView; done: Outcome | undefined; answer: GivenAnswer | undefined };

function Gift({ gift, done, answer }: GiftProps) {
  const answered = answer && "done" in answer ? answer.done : undefined;
  const outcome = answer ? answered : done;
  return (
    <>
      <h1 tabIndex={-1} className={styles.name}>{`Your gift for ${gift.who.replace(/^The /, "the ")}`}</h1>
      {outcome && <FlashMessage sentence={outcomeTexts[outcome]} cause={answered && answer} />}
      {answer && isRefusal(answer) && !hasForm(gift, answer.form) && <Refused answer={answer} />}
      <p>{gift.state}</p>
      {gift.message && <blockquote className={styles.words}>{gift.message}</blockquote>}
      <Facts facts={gift.facts} />
      <div className={styles.acts}>
        {gift.sheetPath && (
          <a className={buttons.button} href={href(gift.sheetPath)}>
            Print your gift
          </a>
        )}
        {gift.canSendAgain && <SendAgain answer={answer} />}
        {gift.recipient && <ChangeAddress recipient={gift.recipient} answer={answer} />}
        {gift.cancelUntil && <Cancel gift={gift} answer={answer} />}
      </div>
      <p className={styles.foot}>
        <a href={href(givePath())}>Give another</a>
      </p>
    </>
  );
}

/** The time for an act may be over when its button is pressed. */
function hasForm({ canSendAgain, recipient, cancelUntil }: GiftView, form: string): boolean {
  const offered: Record<string, boolean> = {
    "send-again": canSendAgain,
    "change-address": recipient !== undefined,
    "cancel-gift": cancelUntil !== undefined,
  };
  return offered[form] ?? false;
}

function Refused({ answer }: { answer: Refusal<string> }) {
  const [form] = useCheckedForm({ id: "gift-refused", lastResult: answer.result });
  return <ErrorSummary form={form} />;
}

type AnswerProps = { answer: GivenAnswer | undefined };

function SendAgain({ answer }: AnswerProps) {
  const [form] = useCheckedForm({ id: "send-again", answer });
  return (
    <>
      <ErrorSummary form={form} />
      <IntentForm intent="send-again" form={form} replace>
        <Submit intent="send-again" label="Send it again" pending="Sending..." look="quiet" />
      </IntentForm>
    </>
  );
}

function ChangeAddress({
  recipient: { name, email },
  answer,
}: AnswerProps & { recipient: { name: string; email: string } }) {
  const [form, { recipientName, recipientEmail }] = useCheckedForm<Recipient>({
    id: "change-address",
    answer,
    defaultValue: { recipientName: name, recipientEmail: email },
  });
  return (
    <Folded title="Change the address" answer={answer} intent="change-address" form={form}>
      <ErrorSummary form={form} fields={[recipientName, recipientEmail]} />
      <Field field={recipientName} label="Their name" autoComplete="off" />
      <Field field={recipientEmail} label="Their email" type="email" autoComplete="off" />
      <Submit intent="change-address" label="Change the address" pending="Changing..." look="quiet" />
    </Folded>
  );
}

/** Confirmed with and without script: a slip of the thumb would end a gift. */
function Cancel({ gift, answer }: AnswerProps & { gift: GiftView }) {
  const [form] = useCheckedForm({ id: "cancel-gift", answer });
  return (
    <Folded title="Cancel and refund" answer={answer} intent="cancel-gift" form={form}>
      <ErrorSummary form={form} />
      <p>
        {`You can cancel until ${gift.cancelUntil}, before ${gift.who.replace(/^The /, "the ")} takes it up. We'll refund ${gift.amount} to your card, which takes 5 to 10 working days.`}
      </p>
      <Submit intent="cancel-gift" label={`Cancel and refund ${gift.amount}`} pending="Cancelling..." look="quiet" />
    </Folded>
  );
}

type FoldedProps = AnswerProps & {
  title: string;
  intent: "change-address" | "cancel-gift";
  form: FormMetadata;
  children: ReactNode;
};

/** A button that opens the form of an act. */
function Folded({ title, answer, intent, form, children }: FoldedProps) {
  return (
    <details open={answer && isRefusal(answer) && answer.form === intent}>
      <summary className={buttons.quiet}>{title}</summary>
      <IntentForm intent={intent} form={form} className={styles.form} replace>
        {children}
      </IntentForm>
    </details>
  );
}
