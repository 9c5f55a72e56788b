import { data, href, Link, redirect } from "react-router";

import type { MemberRecord } from "../../../../server/members/accounts/members.ts";
import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { isEmail } from "../../../../server/platform/email-address.ts";
import { giftLabels } from "../../../../server/money/gifts/states.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import type { SeatedPage } from "../../../../server/money/companies/seats.ts";
import { formatDate, formatDateTime } from "../../../../server/platform/format.ts";
import type { Services } from "../../../../server/services.ts";
import { cleanText, toTextKey } from "../../../../server/platform/text.ts";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { readForm } from "../../../forms/intents.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/members.ts";
import { runDeskAct } from "../acts.server.ts";
import { DeskPage, DeskPages, MemberSearch } from "../desk-page.tsx";
import { type CardFinds as Finds, findCardPayments } from "../member/card-search.server.ts";
import { giftText } from "../member/gift-texts.ts";
import { cutPage, READ_SIZE, readNumber } from "../parts/paging.ts";
import { accessText } from "../member/member-texts.ts";
import { MemberFiles, MEMBERS_FILE, readMemberFiles, sendMembersFile } from "../member/member-files.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { Pill, type StateText } from "../parts/pill.tsx";
import { requireOperator } from "../operator.ts";
import { ListChooser, readStateLists, StateList } from "../parts/state-list.tsx";
import { memberPath, giftPath } from "../parts/paths.ts";
import screen from "../screen.module.css";
import styles from "../member/members.module.css";

export const handle: ScreenHandle = { tab: "Members", order: 20, key: "m" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

/** No name or address is longer. */
const TERM_MAX_LENGTH = 254;
const COMPANIES_SHOWN = 5;
/** The index of members needs as many letters (`server/members/accounts/member-search.ts`). */
const SHORTEST_SEARCH = 3;

/**
 * Searches members by name, address, receipt number, card or company, and sign-ups and gifts under way; also the lists by state.
 */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const term = cleanText(searchParams.get("q") ?? "").slice(0, TERM_MAX_LENGTH);
  const companyId = readNumber(searchParams, "company");
  const company = companyId === undefined ? undefined : (await services.companies.findById(companyId))?.name;
  if (searchParams.has("company") && company === undefined) throw data(null, { status: 404 });
  const stateLists = await readStateLists(services, searchParams, "members");
  const page = { before: readNumber(searchParams, "before"), size: READ_SIZE };
  const isTooShort = term !== "" && Array.from(term).length < SHORTEST_SEARCH;
  const receipt = term === "" ? undefined : await findReceipt(services, term);
  // A whole number is of one order alone.
  if (receipt?.isWhole) throw redirect(receipt.path);
  const cardFinds = await findCardPayments(services, term);
  const [found, companies, signUps, gifts] = await Promise.all([
    stateLists.shown || cardFinds
      ? []
      : companyId === undefined
        ? services.accounts.search({ ...page, search: term === "" ? undefined : term })
        : listOfCompany(services, { ...page, companyId }),
    isTooShort ? [] : listCompanies(services, term),
    isEmail(term) ? services.signUp.listOpen(term) : [],
    isEmail(term) ? listGifts(services, term) : [],
  ]);
  const address = { q: term === "" ? undefined : term, company: companyId };
  const { shown, nextPath } = cutPage(found, ({ id }) => withSearch(href("/desk/members"), { ...address, before: id }));
  return {
    term,
    isTooShort,
    isFirst: page.before === undefined,
    receipt,
    company,
    companies,
    signUps: signUps.map(toSignUp),
    gifts,
    rows: await Promise.all(shown.map((record) => toRow(services, record))),
    firstPath: withSearch(href("/desk/members"), address),
    nextPath,
    stateLists,
    acts: describeActs(operator.role, ["list csv"]),
    cardFinds,
    files: await readMemberFiles(services, operator, searchParams),
  };
}

export async function action(args: Route.ActionArgs) {
  const form = await readForm(args.request);
  return readText(form, "intent") === MEMBERS_FILE ? sendMembersFile(form, args) : runDeskAct(args, {}, form);
}

type MembersData = Route.ComponentProps["loaderData"];

/** Missing once its member was erased. */
async function findReceipt({ payments, accounts }: Services, term: string) {
  const found = await payments.findByReceipt(term);
  if (!found) return undefined;
  const { number, isWhole } = found;
  if ("giftId" in found) return { label: `The gift of receipt ${number}`, isWhole, path: giftPath(found.giftId) };
  if (!(await accounts.findRecord(found.memberId))) return undefined;
  return { label: `The member of receipt ${number}`, isWhole, path: memberPath(found.memberId) };
}

/** Given or got by someone who is not a member. */
async function listGifts({ gifts }: Services, email: string) {
  const found = await gifts.listFor({ memberId: 0, email });
  const paid = found.filter(({ state }) => state !== "draft");
  return paid.map((gift) => ({ path: giftPath(gift.id), what: giftText(gift), state: giftLabels[gift.state] }));
}

async function listOfCompany(services: Services, page: SeatedPage) {
  const ids = await services.codes.listSeatedBy(page);
  const records = await Promise.all(ids.map((id) => services.accounts.findRecord(id)));
  return records.filter((record) => record !== undefined);
}

/** By name; there are hundreds at most. */
async function listCompanies({ companies }: Services, term: string) {
  if (term === "") return [];
  const found = (await companies.list()).filter(({ name }) => toTextKey(name).includes(toTextKey(term)));
  return found.slice(0, COMPANIES_SHOWN).map(({ id, name, seatsTaken }) => ({
    name,
    seatsTaken,
    path: withSearch(href("/desk/members"), { company: id }),
  }));
}

function toSignUp({ id, purpose, createdAt, isVerified }: Awaited<ReturnType<Services["signUp"]["listOpen"]>>[number]) {
  return {
    path: href("/desk/sign-ups/:id", { id: String(id) }),
    what: purpose === "join" ? "Unfinished sign-up" : "Unfinished renewal",
    since: formatDateTime(createdAt),
    isVerified,
  };
}

/** A provider is not asked about each member of a list. */
async function findState({ membership, capabilities }: Services, memberId: number): Promise<StateText> {
  if (!capabilities.holdsAll) return { text: "held by the provider", tone: "plain" };
  const access = await membership.findAccess(memberId);
  return { text: accessText(access), tone: access.isActive ? "good" : "plain" };
}

async function toRow(services: Services, record: MemberRecord) {
  const { id, email, closedEmail, accountType, createdAt, eraseAt } = record;
  return {
    id,
    path: memberPath(id),
    name: displayFullName(record) || "(no name)",
    email: closedEmail ?? email,
    accountType,
    state: eraseAt
      ? ({ text: `closed, erased on ${formatDate(eraseAt)}`, tone: "waits" } as const)
      : await findState(services, id),
    since: formatDate(createdAt),
  };
}

export default function Members({ loaderData: found }: Route.ComponentProps) {
  const { term, stateLists, cardFinds, files, acts } = found;
  return (
    <DeskPage title="Members">
      <MemberSearch term={term} />
      <ListChooser {...stateLists} />
      <OtherFinds {...found} />
      {cardFinds && <CardFinds {...cardFinds} />}
      {files && <MemberFiles found={files} report={acts["list csv"]} />}
      {stateLists.shown ? (
        <StateList {...stateLists.shown} file={acts["list csv"]} />
      ) : (
        !cardFinds && <FoundMembers {...found} />
      )}
    </DeskPage>
  );
}

function FoundMembers(found: MembersData) {
  const { term, company, rows, firstPath, nextPath, isFirst } = found;
  return (
    <section className={screen.section}>
      <h2>{company === undefined ? (term === "" ? "The newest" : `Members matching “${term}”`) : `With ${company}`}</h2>
      <DataTable
        caption="Members"
        columns={["Name", "Email", "Type", "Access", "Since", { label: "Number", isNumber: true }]}
        rows={rows.map(({ id, path, name, email, accountType, state, since }) => ({
          key: id,
          cells: [linkTo(path, name), email, accountType, <Pill key="access" {...state} />, since, id],
        }))}
        whenEmpty={whenEmptyText(found)}
      />
      <DeskPages firstPath={isFirst ? undefined : firstPath} nextPath={nextPath} />
    </section>
  );
}

function whenEmptyText({ term, isTooShort, receipt, companies, signUps, gifts }: MembersData): string {
  if (term === "") return "There are no members.";
  if (receipt || companies.length > 0 || signUps.length > 0 || gifts.length > 0)
    return "No member's name or address matches.";
  return isTooShort ? "Type at least three letters." : "No members match.";
}

function OtherFinds({ receipt, companies, signUps, gifts }: MembersData) {
  if (!receipt && companies.length === 0 && signUps.length === 0 && gifts.length === 0) return null;
  return (
    <ul className={styles.finds}>
      {receipt && (
        <li>
          <Link to={receipt.path}>{receipt.label}</Link>
        </li>
      )}
      {companies.map(({ name, seatsTaken, path }) => (
        <li key={path}>
          <Link to={path}>{`The members with ${name}`}</Link> <span>{`(${seatsTaken})`}</span>
        </li>
      ))}
      {signUps.map(({ path, what, since, isVerified }) => (
        <li key={path}>
          <Link to={path}>{what}</Link>
          <span>{`, since ${since}, address ${isVerified ? "verified" : "not verified yet"}`}</span>
        </li>
      ))}
      {gifts.map(({ path, what, state }) => (
        <li key={path}>
          <Link to={path}>{what}</Link> <span>{`(${state})`}</span>
        </li>
      ))}
    </ul>
  );
}

function CardFinds({ what, payments }: Finds) {
  return (
    <section className={screen.section}>
      <h2>Paid with {what}</h2>
      {payments.length === 0 && (
        <p className={screen.note}>
          No payment on this day or the three days before. A new payment takes a few minutes to show up.
        </p>
      )}
      <ul className={styles.finds}>
        {payments.map(({ key, path, words }) => (
          <li key={key}>{path === undefined ? words : <Link to={path}>{words}</Link>}</li>
        ))}
      </ul>
    </section>
  );
}
