import { data, href } from "react-router";
import { promiseHash } from "remix-utils/promise";

import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { findCover } from "../../../../server/money/membership/cover.ts";
import type { ActName } from "../../../../server/operations/acts/acts.ts";
import { Pages } from "../../../components/pages.tsx";
import { toCount } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/members.$id.ts";
import { ActForm, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { toAuditLine } from "../audit-line.server.ts";
import { AuditTable } from "../audit-table.tsx";
import { CopyButton } from "../copy-button.tsx";
import { DeskPage, Facts, Sections, TableSection } from "../desk-page.tsx";
import { readNumber } from "../paging.ts";
import { listMemberActs } from "../member-acts.ts";
import { Challenges, Emails } from "../member-parts.tsx";
import {
  accessText,
  isRefundable,
  isToBeRestored,
  toAccountChallenge,
  toEmail,
  toFacts,
  toMemberState,
  toOrder,
  toTerm,
  whyText,
} from "../member-texts.ts";
import { memberFileMiddleware } from "../member-file.ts";
import type { ScreenHandle } from "../navigation.ts";
import { Pill } from "../pill.tsx";
import { Notes, toNoteLine } from "../notes.tsx";
import { requireOperator } from "../operator.ts";
import styles from "../desk.module.css";

export const handle: ScreenHandle = { tab: "Members" };

export const middleware = [memberFileMiddleware];

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS_SHOWN = 50;
/** Consumers may cancel within these days (Consumer Contracts Regulations 2013, regulation 30), and then they ask. */
const RECENT_IN_MS = 14 * 24 * 60 * 60 * 1000;

/** For answering a member; never what they watch, read, search for or save. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireOperator(context);
  const services = requireServices(context);
  const id = toCount(params.id);
  const record = id === undefined ? undefined : await services.accounts.findRecord(id);
  if (!record) throw data(null, { status: 404 });
  const { accounts: _, membership, payments, sessions, outbox, support, audit, codes, newsletter, notes } = services;
  const person = { memberId: record.id, email: record.closedEmail ?? record.email };
  const { access, terms, orders, lost, devices, emails, challenges, entries, seat, isPaidByCompany, monthly, noted } =
    await promiseHash({
      access: membership.findAccess(record.id),
      terms: membership.listFor(record.id),
      orders: payments.listFor(person),
      lost: payments.listGivenBack(record.id),
      devices: sessions.listPage(record.id, { page: readNumber(url.searchParams, "devices") ?? 1 }),
      emails: outbox.listNewestFor(person, EMAILS_SHOWN),
      challenges: support.listChallenges(record.id),
      entries: audit.listFor(record.id),
      seat: codes.findSeatFor(record.id),
      isPaidByCompany: services.signUp.isPaidByCompany(record.id),
      monthly: newsletter.find(record.id),
      noted: notes.listFor({ memberId: record.id }),
    });
  const cover = findCover(terms, services.clock());
  const recentSince = new Date(services.clock().getTime() - RECENT_IN_MS);
  const recent = orders.findLast((each) => isRefundable(each) && each.createdAt > recentSince);
  return {
    title: displayFullName(record) || `Member ${record.id}`,
    email: person.email,
    state: toMemberState({ record, access, cover, lost }),
    id: record.id,
    facts: toFacts(record, seat),
    names: { firstName: record.firstName, lastName: record.lastName },
    isClosed: record.eraseAt !== undefined,
    hasPending: record.pendingEmail !== undefined,
    getsNewsletter: monthly === "on",
    isRevoked: terms.some((term) => isToBeRestored(term, { lost, now: services.clock() })),
    hasAccess: access.isActive,
    isPaidByCompany,
    access: accessText(access),
    why: whyText({ access, cover: cover, orders, entries }),
    terms: terms.map((term) => toTerm(term, orders)),
    orders: orders.map((order) => toOrder(order, services.plans)).toReversed(),
    recentOrder: recent && toOrder(recent, services.plans),
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
  const forms = listMemberActs(member);
  return (
    <DeskPage
      title={member.title}
      state={member.state}
      about={
        <span>
          <span>{member.email}</span>
          <CopyButton text={member.email} what="address" />
        </span>
      }
    >
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
      <Acts forms={forms} />
      {member.isClosed && (
        <p className={styles.note}>This account is closed. The member can reopen it with the link in our email.</p>
      )}
      <Sections sections={sections} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <section className={styles.section} id="access">
            <h2>Access</h2>
            <Facts facts={[["Access", member.access], ["Why", member.why], ...member.facts]} />
          </section>
          <Notes of="member" notes={member.notes} />
        </div>
        <div className={styles.column}>
          <Orders orders={member.orders} besides={member.recentOrder?.id} />
          <Terms terms={member.terms} />
          <Contact {...member} />
          <section className={styles.section} id="audit">
            <h2>What operators did</h2>
            <AuditTable caption="What operators did" entries={member.actions} />
          </section>
        </div>
      </div>
    </DeskPage>
  );
}

const refunds = ["member refund", "member refund-part"] as const;

const sections: [id: string, label: string][] = [
  ["access", "Access"],
  ["notes", "Notes"],
  ["orders", "Orders"],
  ["terms", "Terms"],
  ["sessions", "Sessions"],
  ["emails", "Emails"],
  ["challenges", "Codes and links"],
  ["audit", "Audit"],
];

/** Acts without a form on this page: another operator may have made one disappear. */
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
  "member merge-code",
  "member merge",
  "member deactivate",
  "member close",
];

/** Orders with payments, refunds and disputes. The head of the page refunds the order `besides`. */
function Orders({ orders, besides }: Pick<MemberData, "orders"> & { besides: number | undefined }) {
  return (
    <TableSection
      id="orders"
      title="Orders and payments"
      columns={["Date", "What", { label: "Amount", isNumber: true }, "State", "Receipt", "Payments"]}
      rows={orders.map(({ id, date, what, amount, state, receipt, ...rest }) => ({
        key: id,
        cells: [
          date,
          what,
          amount,
          <Pill key="state" tone={state.tone}>
            {state.text}
          </Pill>,
          receipt && (
            <span key="receipt" className={styles.whole}>
              {receipt}
              <CopyButton text={receipt} what={`receipt ${receipt}`} />
            </span>
          ),
          <Payments key="payments" {...rest} />,
        ],
      }))}
      whenEmpty="There are no orders."
    >
      <div className={styles.acts}>
        {orders
          .filter(({ canGiveBack }) => canGiveBack)
          .flatMap(({ id, left, date }) =>
            refunds
              .filter((act) => act !== "member refund" || id !== besides)
              .map((act) => <ActForm key={`${act} ${id}`} act={act} item={id} words={{ amount: left, date }} />),
          )}
      </div>
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
        <li key={id}>{`${at}: ${state}. ${why}`}</li>
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
      id="terms"
      title="Terms"
      columns={["From", "Until", "Source", "Ended early"]}
      rows={terms.map(({ id, from, until, by, ended }) => ({ key: id, cells: [from, until, by, ended] }))}
      whenEmpty="There are no terms."
    />
  );
}

/** Devices, emails and codes. */
function Contact({ id, devices, emails, challenges }: MemberData) {
  return (
    <>
      <TableSection
        id="sessions"
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
