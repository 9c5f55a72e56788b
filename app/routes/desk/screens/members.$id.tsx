import { data, href } from "react-router";

import { displayFullName } from "../../../../server/accounts/rules.ts";
import { formatDateTime } from "../../../../server/format.ts";
import { findCover } from "../../../../server/membership/rules.ts";
import type { ActName } from "../../../../server/acts/acts.ts";
import { Pages } from "../../../components/pages.tsx";
import { toCount } from "../../../forms/read-text.ts";
import { requireServices } from "../../../middleware/guards.ts";
import { withSearch } from "../../../paths.ts";
import type { Route } from "./+types/members.$id.ts";
import { ActForm, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.ts";
import { AuditTable, toAuditLine } from "../audit-table.tsx";
import { DeskPage, Facts, TableSection } from "../desk-page.tsx";
import { readNumber } from "../lists.ts";
import { Challenges, Emails } from "../member-parts.tsx";
import {
  accessText,
  isToBeRestored,
  toAccountChallenge,
  toEmail,
  toFacts,
  toOrder,
  toTerm,
  whyText,
} from "../member-texts.ts";
import type { ScreenHandle } from "../navigation.ts";
import { Notes, toNoteLine } from "../notes.tsx";
import { requireOperator } from "../operator.ts";
import styles from "../desk.module.css";

export const handle: ScreenHandle = { tab: "Members" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS_SHOWN = 50;

/** Everything that operators need to answer a member; never what the member watches, reads, searches for or saves. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireOperator(context);
  const services = requireServices(context);
  const id = toCount(params.id);
  const record = id === undefined ? undefined : await services.accounts.findRecord(id);
  if (!record) throw data(null, { status: 404 });
  const { accounts: _, membership, payments, sessions, outbox, support, audit, codes, newsletter, notes } = services;
  const person = { memberId: record.id, email: record.closedEmail ?? record.email };
  const [access, terms, orders, lost, devices, emails, challenges, entries, seat, monthly, noted] = await Promise.all([
    membership.findAccess(record.id),
    membership.listFor(record.id),
    payments.listFor(person),
    payments.listGivenBack(record.id),
    sessions.listPage(record.id, { page: readNumber(url.searchParams, "devices") ?? 1 }),
    outbox.listNewestFor(person, EMAILS_SHOWN),
    support.listChallenges(record.id),
    audit.listFor(record.id),
    codes.findSeatFor(record.id),
    newsletter.find(record.id),
    notes.listFor({ memberId: record.id }),
  ]);
  return {
    title: displayFullName(record) || `Member ${record.id}`,
    id: record.id,
    facts: toFacts(record, seat),
    names: { firstName: record.firstName, lastName: record.lastName },
    isClosed: record.eraseAt !== undefined,
    hasPending: record.pendingEmail !== undefined,
    getsNewsletter: monthly === "on",
    isRevoked: terms.some((term) => isToBeRestored(term, { lost, now: services.clock() })),
    hasAccess: access.isActive,
    access: accessText(access),
    why: whyText({ access, cover: findCover(terms, services.clock()), orders, entries }),
    terms: terms.map((term) => toTerm(term, orders)),
    orders: orders.map((order) => toOrder(order, services.plans)).toReversed(),
    devices: {
      page: devices.page,
      pageCount: devices.pageCount,
      shown: devices.devices.map(({ device, startedAt, seenAt }) => ({
        device,
        startedOn: formatDateTime(startedAt),
        seenOn: formatDateTime(seenAt),
      })),
    },
    emails: emails.map(toEmail),
    challenges: challenges.map(toAccountChallenge),
    notes: noted.map(toNoteLine),
    actions: entries.map(toAuditLine),
  };
}

type MemberData = Route.ComponentProps["loaderData"];

export const action = (args: Route.ActionArgs) => runDeskAct(args, { member: args.params.id });

export default function Member({ loaderData: member }: Route.ComponentProps) {
  return (
    <DeskPage title={member.title}>
      {listHiddenActs(member).map((act) => (
        <LostRefusal key={act} act={act} />
      ))}
      {refunds.map((act) => (
        <LostRefusal
          key={act}
          act={act}
          items={member.orders.filter(({ canGiveBack }) => canGiveBack).map(({ id }) => id)}
        />
      ))}
      <div className={styles.columns}>
        <div className={styles.section}>
          <Facts facts={[...member.facts, ["Access", member.access], ["Why", member.why]]} />
        </div>
        <MemberActs {...member} />
      </div>
      <Notes of="member" notes={member.notes} />
      <Orders orders={member.orders} />
      <Terms terms={member.terms} />
      <Contact {...member} />
      <section className={styles.section}>
        <h2>What operators did</h2>
        <AuditTable caption="What operators did" entries={member.actions} />
      </section>
    </DeskPage>
  );
}

const refunds = ["member refund", "member refund-part"] as const;

/** The acts that this member's page has no form for. Another operator may have made a form disappear after it was opened. */
function listHiddenActs({ isClosed, hasPending, getsNewsletter, isRevoked }: MemberData): ActName[] {
  if (isClosed) return actsOfOpen;
  return [
    ...(hasPending ? [] : ["member verification" as const]),
    ...(getsNewsletter ? [] : ["member newsletter-end" as const]),
    ...(isRevoked ? [] : ["member restore" as const]),
  ];
}

const actsOfOpen: ActName[] = [
  "member verification",
  "member reset",
  "member name",
  "member address",
  "member sessions",
  "member newsletter-end",
  "member term",
  "member restore",
  "member deactivate",
  "member close",
];

/** The acts, those that are needed now first. Only the member's own email can open a closed account again. */
function MemberActs({ names, isClosed, hasPending, getsNewsletter, isRevoked, hasAccess }: MemberData) {
  if (isClosed)
    return <p className={styles.note}>This account is closed. Its member can open it again by their email.</p>;
  return (
    <Acts
      forms={[
        ...(hasPending ? [{ act: "member verification" as const }] : []),
        ...(isRevoked ? [{ act: "member restore" as const }] : []),
        ...(hasAccess
          ? [{ act: "member reset" as const }, { act: "member term" as const }]
          : [{ act: "member term" as const }, { act: "member reset" as const }]),
        { act: "member name", values: names },
        { act: "member address" },
        { act: "member sessions" },
        ...(getsNewsletter ? [{ act: "member newsletter-end" as const }] : []),
        { act: "member deactivate" },
        { act: "member close" },
      ]}
    />
  );
}

/** The ledger: orders with their payments, refunds and disputes. */
function Orders({ orders }: Pick<MemberData, "orders">) {
  return (
    <TableSection
      title="Orders and payments"
      columns={["Date", "What", { label: "Amount", isNumber: true }, "State", "Receipt", "Payments"]}
      rows={orders.map(({ id, date, what, amount, state, receipt, ...rest }) => ({
        key: id,
        cells: [date, what, amount, state, receipt, <Payments key="payments" {...rest} />],
      }))}
      whenEmpty="There was never an order."
    >
      {orders
        .filter(({ canGiveBack }) => canGiveBack)
        .flatMap(({ id, left, date }) =>
          refunds.map((act) => <ActForm key={`${act} ${id}`} act={act} item={id} words={{ amount: left, date }} />),
        )}
    </TableSection>
  );
}

function Payments({
  payments,
  parts,
  disputes,
}: Pick<MemberData["orders"][number], "payments" | "parts" | "disputes">) {
  if (payments.length === 0 && disputes.length === 0) return "–";
  return (
    <ul className={styles.lines}>
      {payments.map(({ id, at, state, why }) => (
        <li key={id}>
          {at}: {state}. {why}
        </li>
      ))}
      {parts.map(({ number, words }) => (
        <li key={number}>{words}</li>
      ))}
      {disputes.map((dispute) => (
        <li key={dispute}>{dispute}</li>
      ))}
    </ul>
  );
}

function Terms({ terms }: Pick<MemberData, "terms">) {
  return (
    <TableSection
      title="Terms"
      columns={["From", "Until", "Given by", "Ended before its time"]}
      rows={terms.map(({ id, from, until, by, ended }) => ({ key: id, cells: [from, until, by, ended] }))}
      whenEmpty="There was never a term."
    />
  );
}

/** Where they are logged in, and what was written to them. */
function Contact({ id, devices, emails, challenges }: MemberData) {
  return (
    <>
      <TableSection
        title="Where they are logged in"
        columns={["Browser", "Since", "Last used"]}
        rows={devices.shown.map(({ device, startedOn, seenOn }, index) => ({
          key: index,
          cells: [device, startedOn, seenOn],
        }))}
        whenEmpty="Nowhere."
      >
        <Pages
          {...devices}
          toPath={(page) => withSearch(href("/desk/members/:id", { id: String(id) }), { devices: page })}
        />
      </TableSection>
      <Emails emails={emails} />
      <Challenges challenges={challenges} />
    </>
  );
}
