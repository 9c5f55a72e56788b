import { redirect } from "react-router";

import { displayFullName, isEmail } from "../../../server/accounts/rules.ts";
import type { MemberRecord } from "../../../server/accounts/members.ts";
import type { SeatedPage } from "../../../server/codes/seats.ts";
import { formatDate, formatDateTime } from "../../../server/format.ts";
import type { Access } from "../../../server/membership/membership.ts";
import type { Services } from "../../../server/services.ts";
import { cleanText, toTextKey } from "../../../server/text.ts";
import { cutPage, type DeskView, deskPath, READ_SIZE, readNumber } from "./view.ts";

/** The search for members by part of a name or address, by receipt number or by company, and for sign-ups under way. */

/** No name or address is longer. */
const TERM_MAX_LENGTH = 254;
const COMPANIES_SHOWN = 5;
/** As many letters as the index of members needs (`server/accounts/member-search.ts`). */
const SHORTEST_SEARCH = 3;

export async function findMembersScreen(services: Services, { params }: DeskView) {
  const term = cleanText(params.get("q") ?? "").slice(0, TERM_MAX_LENGTH);
  const companyId = readNumber(params, "company");
  const company = companyId === undefined ? undefined : (await services.companies.findById(companyId))?.name;
  if (params.has("company") && company === undefined) return undefined;
  const page = { before: readNumber(params, "before"), size: READ_SIZE };
  const isTooShort = term !== "" && Array.from(term).length < SHORTEST_SEARCH;
  const receipt = term === "" ? undefined : await findReceipt(services, term);
  // A whole number is of one member alone.
  if (receipt?.isWhole) throw redirect(receipt.path);
  const [found, companies, signUps] = await Promise.all([
    companyId === undefined
      ? services.accounts.search({ ...page, search: term === "" ? undefined : term })
      : listOfCompany(services, { ...page, companyId }),
    isTooShort ? [] : listCompanies(services, term),
    isEmail(term) ? services.signUp.listOpen(term) : [],
  ]);
  const address = { q: term === "" ? undefined : term, company: companyId };
  const { shown, nextPath } = cutPage(found, ({ id }) => deskPath("members", { ...address, before: id }));
  return {
    name: "members" as const,
    title: "Members",
    term,
    isTooShort,
    isFirst: page.before === undefined,
    receipt,
    company,
    companies,
    signUps: signUps.map(toSignUp),
    rows: await Promise.all(shown.map((record) => toRow(services, record))),
    firstPath: deskPath("members", address),
    nextPath,
  };
}

export type MembersScreen = NonNullable<Awaited<ReturnType<typeof findMembersScreen>>>;

/** The receipt that a term names, unless its member has been erased. */
async function findReceipt({ payments, accounts }: Services, term: string) {
  const found = await payments.findMemberOfReceipt(term);
  if (!found || !(await accounts.findRecord(found.memberId))) return undefined;
  const { number, isWhole, memberId } = found;
  return { number, isWhole, path: deskPath("member", { id: memberId }) };
}

async function listOfCompany(services: Services, page: SeatedPage) {
  const ids = await services.codes.listSeatedBy(page);
  const records = await Promise.all(ids.map((id) => services.accounts.findRecord(id)));
  return records.filter((record) => record !== undefined);
}

/** Companies whose name has the term in it: there are hundreds at most. */
async function listCompanies({ companies }: Services, term: string) {
  if (term === "") return [];
  const found = (await companies.list()).filter(({ name }) => toTextKey(name).includes(toTextKey(term)));
  return found.slice(0, COMPANIES_SHOWN).map(({ id, name, seatsTaken }) => ({
    name,
    seatsTaken,
    path: deskPath("members", { company: id }),
  }));
}

function toSignUp({ id, purpose, createdAt, isVerified }: Awaited<ReturnType<Services["signUp"]["listOpen"]>>[number]) {
  return {
    path: deskPath("sign-up", { id }),
    what: purpose === "join" ? "Sign-up under way" : "Renewal under way",
    since: formatDateTime(createdAt),
    isVerified,
  };
}

/** A provider is not asked about each member of a list. */
async function findAccess({ membership, capabilities }: Services, memberId: number): Promise<string> {
  return capabilities.holdsAll ? sayAccess(await membership.findAccess(memberId)) : "kept by the provider";
}

async function toRow(services: Services, record: MemberRecord) {
  const { id, email, closedEmail, accountType, createdAt, eraseAt } = record;
  return {
    id,
    path: deskPath("member", { id }),
    name: displayFullName(record) || "(no name)",
    email: closedEmail ?? email,
    accountType,
    access: eraseAt ? `closed, erased on ${formatDate(eraseAt)}` : await findAccess(services, id),
    since: formatDate(createdAt),
  };
}

export function sayAccess(access: Access): string {
  if (access.isActive) return access.endsAt ? `until ${formatDate(access.endsAt)}` : "yes";
  return access.reason === "unavailable" ? "not known just now" : "none";
}
