import { href } from "react-router";
import { promiseHash } from "remix-utils/promise";

import type { MemberRecord } from "../../../../server/members/accounts/members.ts";
import { type Person, toPerson } from "../../../../server/members/accounts/person.ts";
import type { DevicesPage } from "../../../../server/members/sessions/sessions.ts";
import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { type Cover, findCover } from "../../../../server/money/membership/cover.ts";
import { type ActName, describeActs, describeForms } from "../../../../server/operations/acts/acts.ts";
import type { Services } from "../../../../server/services.ts";
import { Pages } from "../../../components/pages.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/members.$id.ts";
import { Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { keepWhole, linkTo } from "../parts/data-table.tsx";
import { DeskPage, Facts, Sections, TableSection } from "../desk-page.tsx";
import { readNumber, requireNumbered } from "../parts/paging.ts";
import { listMemberActs, type MemberSituation } from "../member/member-acts.ts";
import { Challenges, Emails } from "../member/member-tables.tsx";
import { Orders, refunds } from "../member/member-orders.tsx";
import { toTimeline } from "../member/member-timeline.server.ts";
import {
  accessText,
  findUrgent,
  isRefundable,
  isRefunded,
  isToBeRestored,
  toAccountChallenge,
  toEmail,
  toFacts,
  toMemberState,
  toOrder,
  type Showing,
  toTerm,
  whyText,
} from "../member/member-texts.ts";
import { toGiftLine } from "../member/gift-texts.ts";
import { memberExportMiddleware } from "../member/member-export.server.ts";
import type { ScreenHandle } from "../navigation.ts";
import { Notes, toNoteLine } from "../parts/notes.tsx";
import { requireOperator } from "../operator.ts";
import { Pill } from "../parts/pill.tsx";
import { Timeline } from "../member/timeline.tsx";
import { memberPath } from "../parts/paths.ts";
import screen from "../screen.module.css";
import styles from "../member/member-page.module.css";

export const handle: ScreenHandle = { tab: "Members" };

export const middleware = [memberExportMiddleware];

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS_SHOWN = 50;
/** Consumers may cancel within these days (Consumer Contracts Regulations 2013, regulation 30), and then they ask. */
const RECENT_IN_MS = 14 * 24 * 60 * 60 * 1000;

/** For answering a member; never what they watch, read, search for or save. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const record = await requireNumbered(params.id, (id) => services.accounts.findRecord(id));
  const person = toPerson(record);
  const all = await readAll(services, { person, devicesPage: readNumber(url.searchParams, "devices") ?? 1 });
  const { access, terms, orders, lost, devices, emails, challenges, entries, seat, noted, given } = all;
  const { plans } = services;
  const { cards: dashboard } = services.dashboards;
  const now = services.clock();
  const showing = { plans, now, dashboard };
  const cover = findCover(terms, now);
  const situation = toSituation(record, { ...all, cover }, showing);
  return {
    title: displayFullName(record) || `Member ${record.id}`,
    email: person.email,
    state: toMemberState({ record, access, cover, lost }),
    id: record.id,
    facts: toFacts(record, { seat, now }),
    urgent: findUrgent(orders, dashboard),
    gateway: dashboard?.title ?? "",
    isClosed: situation.isClosed,
    forms: describeForms(operator.role, listMemberActs(situation)),
    acts: describeActs(operator.role, [...refunds, "member note", "member note-remove"]),
    hiddenActs: listHiddenActs(situation),
    access: accessText(access),
    why: whyText({ access, cover, orders, entries }),
    terms: terms.map((term) => toTerm(term, { orders, now })),
    orders: orders.map((order) => toOrder(order, showing)).toReversed(),
    recentOrderId: situation.recentOrder?.id,
    devices: toDevices(devices, now),
    emails: emails.map((email) => toEmail(email, now)),
    challenges: challenges.map((challenge) => toAccountChallenge(challenge, now)),
    gifts: given.filter(({ state }) => state !== "draft").map((gift) => toGiftLine(gift, now)),
    notes: noted.map((note) => toNoteLine(note, now)),
    timeline: toTimeline({ record, orders, terms, entries }, { plans, now, gateway: dashboard?.title }),
  };
}

/** Which acts the member may need. */
function toSituation(record: MemberRecord, all: Known, showing: Showing): MemberSituation {
  const { access, terms, orders, lost, isPaidByCompany, monthly, cover } = all;
  const { now } = showing;
  const recentSince = new Date(now.getTime() - RECENT_IN_MS);
  const recent = orders.findLast((each) => isRefundable(each) && each.createdAt > recentSince);
  return {
    names: { firstName: record.firstName, lastName: record.lastName },
    isClosed: record.eraseAt !== undefined,
    hasPending: record.pendingEmail !== undefined,
    getsNewsletter: monthly === "on",
    isRevoked: terms.some((term) => isToBeRestored(term, { lost, now })),
    hasAccess: access.isActive,
    hasEnded: cover.state === "over" && !isRefunded(cover.last, lost),
    isPaidByCompany,
    recentOrder: recent && toOrder(recent, showing),
  };
}

function toDevices({ page, pageCount, devices }: DevicesPage, now: Date) {
  const shown = devices.map(({ device, startedAt, seenAt }) => ({
    device,
    startedOn: formatRecent(startedAt, now),
    seenOn: formatRecent(seenAt, now),
  }));
  return { page, pageCount, shown };
}

function readAll(
  { membership, payments, sessions, outbox, support, audit, codes, signUp, newsletter, notes, gifts }: Services,
  { person, devicesPage }: { person: Person; devicesPage: number },
) {
  const { memberId } = person;
  return promiseHash({
    access: membership.findAccess(memberId),
    terms: membership.listFor(memberId),
    orders: payments.listFor(person),
    lost: payments.listGivenBack(memberId),
    devices: sessions.listPage(memberId, { page: devicesPage }),
    emails: outbox.listNewestFor(person, EMAILS_SHOWN),
    challenges: support.listChallenges(memberId),
    entries: audit.listFor(memberId),
    seat: codes.findSeatFor(memberId),
    isPaidByCompany: signUp.isPaidByCompany(memberId),
    monthly: newsletter.find(memberId),
    noted: notes.listFor({ memberId }),
    given: gifts.listFor(person),
  });
}

type MemberReads = Awaited<ReturnType<typeof readAll>>;

type Known = MemberReads & { cover: Cover<MemberReads["terms"][number]> };
type MemberData = Route.ComponentProps["loaderData"];

export const action = (args: Route.ActionArgs) => runDeskAct(args, { member: args.params.id });

export default function Member({ loaderData: member }: Route.ComponentProps) {
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
      {member.hiddenActs.map((act) => (
        <LostRefusal key={act} act={act} />
      ))}
      {refunds.map((act) => (
        <LostRefusal
          key={act}
          act={act}
          items={member.orders.filter(({ canGiveBack }) => canGiveBack).map(({ id }) => id)}
        />
      ))}
      {member.urgent && <p className={screen.urgent}>{keepWhole(member.urgent.sentence)}</p>}
      <Acts forms={member.forms} link={member.urgent?.link} />
      {member.isClosed && (
        <p className={screen.note}>This account is closed. The member can reopen it with the link in our email.</p>
      )}
      <Sections sections={sections} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <section className={screen.section} id="access">
            <h2>Access</h2>
            <Facts facts={[["Access", member.access], ["Why", member.why], ...member.facts]} />
          </section>
          <Notes
            of="member"
            notes={member.notes}
            add={member.acts["member note"]}
            remove={member.acts["member note-remove"]}
          />
        </div>
        <div className={styles.column}>
          <Timeline events={member.timeline} auditPath={withSearch(href("/desk/audit"), { member: member.id })} />
          <Orders {...member} besides={member.recentOrderId} />
          <Terms terms={member.terms} />
          {member.gifts.length > 0 && <Gifts gifts={member.gifts} />}
          <Contact {...member} />
        </div>
      </div>
    </DeskPage>
  );
}

const sections: [id: string, label: string][] = [
  ["access", "Access"],
  ["notes", "Notes"],
  ["timeline", "What happened"],
  ["orders", "Orders"],
  ["terms", "Terms"],
  ["sessions", "Sessions"],
  ["emails", "Emails"],
  ["challenges", "Codes and links"],
];

/** Acts without a form on this page: another operator may have made one disappear. */
function listHiddenActs({ isClosed, hasPending, getsNewsletter, isRevoked }: MemberSituation): ActName[] {
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

/** Those they gave, and those for them. */
function Gifts({ gifts }: Pick<MemberData, "gifts">) {
  return (
    <TableSection
      id="gifts"
      title="Gifts"
      columns={["Date", "What", "State"]}
      rows={gifts.map(({ id, path, what, on, state }) => ({
        key: id,
        cells: [on, linkTo(path, what), <Pill key="state" {...state} />],
      }))}
      whenEmpty="There are no gifts."
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
        <Pages {...devices} toPath={(page) => withSearch(memberPath(id), { devices: page })} />
      </TableSection>
      <Emails emails={emails} />
      <Challenges challenges={challenges} />
    </>
  );
}
