import { href, Link } from "react-router";

import type { CompanyDetails } from "../../../../server/money/companies/company.ts";
import { collectionLabels } from "../../../../server/money/companies/labels.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/companies.$id.ts";
import { ActForm, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskPage, Facts, TableSection } from "../desk-page.tsx";
import { Seats, toSeats } from "../../company/seats.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { Pill, type Tone } from "../parts/pill.tsx";
import { Notes, toNoteLine } from "../parts/notes.tsx";
import { requireOperator } from "../operator.ts";
import { requireNumbered } from "../parts/paging.ts";
import { toCompanyLine } from "../parts/company-lines.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Companies" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const collectionTones: Record<keyof typeof collectionLabels, Tone> = {
  due: "waits",
  again: "bad",
  pending: "waits",
  confirmed: "good",
  "paid-out": "good",
  failed: "bad",
  "charged-back": "bad",
  cancelled: "plain",
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { companies, companyPage, dashboards, notes, clock } = requireServices(context);
  const company = await requireNumbered(params.id, (id) => companies.findById(id));
  const { debits: dashboard } = dashboards;
  const contacts = await companyPage.listContacts(company.id);
  const view = await companyPage.findView(company.id);
  return {
    ...toCompanyLine(company),
    id: company.id,
    acts: describeActs(operator.role, [
      "company link",
      "company invite",
      "company contract",
      "company details",
      "company remove-contact",
      "company note",
      "company note-remove",
      "list csv",
    ]),
    hasAgreed: company.state === "live",
    contactEmail: company.contactEmail,
    next: company.next && nextText(company.next),
    agreed: toAgreed(company),
    graceEndsOn: company.graceEndsAt && formatDate(company.graceEndsAt),
    mandate: company.mandateId,
    mandateUrl: company.mandateId === undefined ? undefined : dashboard?.mandateUrl(company.mandateId),
    gateway: dashboard?.title ?? "",
    addedOn: formatDate(company.createdAt),
    collections: company.collections.map(({ period, gatewayId, amountInPence, state, dueAt }) => ({
      outside: gatewayId === undefined ? undefined : dashboard?.debitUrl(gatewayId),
      year: period + 1,
      amount: formatPenceInFull(amountInPence),
      state: collectionLabels[state],
      tone: collectionTones[state],
      begins: formatDate(dueAt),
    })),
    contacts: contacts.map((contact) => ({
      id: contact.id,
      email: contact.email,
      invitedOn: formatDate(contact.invitedAt),
    })),
    notes: (await notes.listFor({ companyId: company.id })).map((note) => toNoteLine(note, clock())),
    seatsShown: toSeats(view?.months ?? [], company.accounts),
  };
}

/** `60 for £1,800.00 a year, from 03/03/2027`. */
function nextText({ accounts, priceInPence, from }: NonNullable<CompanyDetails["next"]>): string {
  const when = from ? `from ${formatDate(from)}` : "from the next collection";
  return `${accounts.toLocaleString("en-GB")} for ${formatPenceInFull(priceInPence)} a year, ${when}`;
}

/** The contract form begins with the latest terms. */
function toAgreed({ accounts, priceInPence, next }: CompanyDetails) {
  return {
    accounts: String(next?.accounts ?? accounts),
    price: ((next?.priceInPence ?? priceInPence) / 100).toFixed(2),
  };
}

type CompanyData = Route.ComponentProps["loaderData"];

export const action = (args: Route.ActionArgs) => runDeskAct(args, { company: args.params.id });

export default function Company({ loaderData: company }: Route.ComponentProps) {
  const { id, acts, name, state, code, seats, price, next, agreed, liveSince, graceEndsOn, contactEmail, addedOn } =
    company;
  const link = { act: acts["company link"], isNeeded: !company.hasAgreed, words: { contact: contactEmail } };
  const invite = { act: acts["company invite"] };
  const change = [
    { act: acts["company contract"], values: agreed },
    { act: acts["company details"], values: { name, email: contactEmail } },
  ];
  return (
    <DeskPage
      title={company.name}
      state={state}
      about={
        <>
          <span>
            <span>{contactEmail}</span>
            <CopyButton text={contactEmail} what="contact's address" />
          </span>
          <span>
            <Link to={code.path}>{code.text}</Link>
            <CopyButton text={code.text} what="code" />
          </span>
        </>
      }
    >
      <LostRefusal act="company remove-contact" items={company.contacts.map((contact) => contact.id)} />
      {/* Before it has agreed, and when its payment has stopped, it needs a page to agree on. */}
      <Acts forms={company.hasAgreed ? [invite, ...change, link] : [link, invite, ...change]} />
      <Facts
        facts={[
          ["State", state.text],
          ["Code", linkTo(code.path, code.text)],
          [
            "Seats taken",
            <Link key="seats" to={withSearch(href("/desk/members"), { company: id })}>
              {seats}
            </Link>,
          ],
          ["Price a year", price],
          ["Then", next],
          ["Live since", liveSince],
          ["Grace ends", graceEndsOn],
          ["Direct Debit", <Mandate key="mandate" {...company} />],
          ["Contract emails go to", contactEmail],
          ["Added", addedOn],
        ]}
      />
      <Notes of="company" notes={company.notes} add={acts["company note"]} remove={acts["company note-remove"]} />
      <Collections {...company} />
      <Contacts {...company} />
      <Months seatsShown={company.seatsShown} />
    </DeskPage>
  );
}

function Mandate({ mandate, mandateUrl, gateway }: Pick<CompanyData, "mandate" | "mandateUrl" | "gateway">) {
  if (mandate === undefined) return "no mandate yet";
  return (
    <>
      <span>{`mandate ${mandate}`}</span>{" "}
      {mandateUrl !== undefined && (
        <OutsideLink className={styles.outside} href={mandateUrl}>
          Open at {gateway}
        </OutsideLink>
      )}
    </>
  );
}

function Collections({ id, acts, gateway, collections }: CompanyData) {
  return (
    <TableSection
      title="Collections"
      columns={["Year", { label: "Amount", isNumber: true }, "State", "Begins"]}
      rows={collections.map(({ year, amount, state, tone, begins, outside }) => ({
        key: year,
        cells: [
          year,
          amount,
          <span key="state">
            <Pill text={state} tone={tone} />{" "}
            {outside !== undefined && (
              <OutsideLink className={styles.outside} href={outside}>
                Open at {gateway}
                <span className="visually-hidden">: year {year}</span>
              </OutsideLink>
            )}
          </span>,
          begins,
        ],
      }))}
      whenEmpty="Nothing collected yet."
    >
      {collections.length > 0 && <ActForm act={acts["list csv"]} item={`collections-${id}`} words={{ what: "them" }} />}
    </TableSection>
  );
}

function Contacts({ acts, contacts }: CompanyData) {
  return (
    <section className={styles.section}>
      <h2>Contacts</h2>
      <p>They can see the company's own page: its contract, its code and rough totals, never names.</p>
      <DataTable
        caption="Contacts"
        columns={["Email", "Invited", "Acts"]}
        rows={contacts.map(({ id, email, invitedOn }) => ({
          key: id,
          cells: [
            email,
            invitedOn,
            <ActForm
              key="act"
              look="small"
              act={acts["company remove-contact"]}
              item={id}
              words={{ contact: email }}
            />,
          ],
        }))}
        whenEmpty="No contacts yet."
      />
    </section>
  );
}

/** The company sees the same: no figure is about fewer than five. */
function Months({ seatsShown }: Pick<CompanyData, "seatsShown">) {
  return (
    <section className={styles.section}>
      <h2>What the company sees of its staff</h2>
      <Seats {...seatsShown} />
    </section>
  );
}
