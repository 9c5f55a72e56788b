import { data, Link } from "react-router";

import type { GiftDetailsForDesk } from "../../../../server/money/gifts/gifts.ts";
import { type GiftQuestion, openStates } from "../../../../server/money/gifts/states.ts";
import { type ActName, describeForms } from "../../../../server/operations/acts/acts.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/gifts.$id.ts";
import { type ActFormProps, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskPage, Facts } from "../desk-page.tsx";
import { giftState, giftText } from "../member/gift-texts.ts";
import { Orders } from "../member/member-orders.tsx";
import { Emails } from "../member/member-tables.tsx";
import { toEmail, toOrder } from "../member/member-texts.ts";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { memberPath } from "../parts/paths.ts";
import { requireNumbered } from "../parts/paging.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Members" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS_READ = 20;

/** A gift has no member until someone takes it up. The giver's line is theirs, and is not shown here. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const gift = await requireNumbered(params.id, (id) => services.gifts.find(id));
  if (gift.state === "draft") throw data(null, { status: 404 });
  const record = gift.order && (await services.payments.findRecord(gift.order.id));
  const { cards: dashboard } = services.dashboards;
  const now = services.clock();
  const plan = services.plans.find(({ type }) => type === gift.planType)?.label ?? "";
  return {
    title: giftText(gift),
    state: giftState(gift.state),
    code: gift.code,
    question: gift.question && questions[gift.question],
    forms: describeForms(operator.role, listActs(gift)),
    facts: toFacts(gift, { plan, now }),
    giver: gift.giverMemberId === undefined ? undefined : memberPath(gift.giverMemberId),
    taker: gift.takerId === undefined ? undefined : memberPath(gift.takerId),
    // A refund by hand would leave out what "End the gift" does.
    orders: record ? [{ ...toOrder(record, { plans: services.plans, now, dashboard }), canGiveBack: false }] : [],
    gateway: dashboard?.title ?? "",
    emails: (await listEmails(services, gift)).map((email) => toEmail(email, now)),
  };
}

const questions: Record<GiftQuestion, string> = {
  "never-taken-up": "No one took it up in its 12 months. The giver has paid for it, so you may want to write to them.",
  refunded: "The money was refunded after someone took it up. Its term still runs: end it, or leave it.",
  disputed: "The bank took the money back after someone took it up. Its term still runs: end it, or leave it.",
};

/** The act that its state asks for comes first. */
function listActs({ state, isSheet, question }: GiftDetailsForDesk): ActFormProps<ActName>[] {
  const isOpen = openStates.includes(state);
  return [
    ...(question === undefined ? [] : [{ act: "gift dismiss" as const, isNeeded: true }]),
    ...(state === "sent" && !isSheet ? [{ act: "gift send-again" as const }] : []),
    ...(isOpen && !isSheet ? [{ act: "gift change-address" as const }] : []),
    ...(isOpen || state === "taken-up" || state === "expired" ? [{ act: "gift end" as const }] : []),
  ];
}

function toFacts(gift: GiftDetailsForDesk, { plan, now }: { plan: string; now: Date }): [string, string | undefined][] {
  const day = (at: Date | undefined) => at && formatRecent(at, now);
  const { giverName, giverEmail, recipientName, recipientEmail, isSheet, state } = gift;
  return [
    ["Plan", plan],
    ["From", withAddress(giverName, giverEmail)],
    ["For", isSheet ? `${recipientName}, on a printed sheet` : withAddress(recipientName, recipientEmail ?? "")],
    ["Arrives", state === "waiting" ? day(gift.deliverAt) : undefined],
    ["Sent", isSheet ? undefined : day(gift.sentAt)],
    ["Valid until", openStates.includes(state) ? day(gift.expiresAt) : undefined],
    ["Closed", day(gift.closedAt)],
  ];
}

function withAddress(name: string, address: string): string {
  return [name, address].filter(Boolean).join(", ") || "erased";
}

async function listEmails(
  { outbox }: ReturnType<typeof requireServices>,
  { giverEmail, recipientEmail, createdAt }: GiftDetailsForDesk,
) {
  const addresses = [giverEmail, recipientEmail].filter((address): address is string => Boolean(address));
  const lists = await Promise.all(addresses.map((recipient) => outbox.list({ recipient, limit: EMAILS_READ })));
  return lists
    .flat()
    .filter((email) => email.createdAt >= createdAt && email.kind.startsWith("gift"))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, { gift: args.params.id });

const allActs = ["gift send-again", "gift change-address", "gift end", "gift dismiss"] as const;

export default function GiftScreen({ loaderData: gift }: Route.ComponentProps) {
  const { title, state, code, question, forms, facts, giver, taker, orders, gateway, emails } = gift;
  return (
    <DeskPage
      title={title}
      state={state}
      about={
        <>
          {code && (
            <span>
              {code}
              <CopyButton text={code} what="code" />
            </span>
          )}
          {giver && <Link to={giver}>The member who gave it</Link>}
          {taker && <Link to={taker}>The member who took it up</Link>}
        </>
      }
    >
      {allActs
        .filter((name) => !forms.some(({ act }) => act?.name === name))
        .map((act) => (
          <LostRefusal key={act} act={act} />
        ))}
      {question && <p className={styles.urgent}>{question}</p>}
      <Acts forms={forms} />
      <Facts facts={facts} />
      <Orders orders={orders} gateway={gateway} besides={undefined} acts={undefined} />
      <Emails emails={emails} />
    </DeskPage>
  );
}
