import { Link } from "react-router";

import buttons from "../../components/button.module.css";
import { DataTable } from "../../components/data-table.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import type { CompaniesScreen, CompanyScreen } from "./companies.ts";
import { DeskPages, Facts } from "./desk-layout.tsx";
import styles from "./desk.module.css";
import { deskPath } from "./view.ts";

export function CompaniesPage({ companies, nextPath, isFirst }: CompaniesScreen) {
  return (
    <>
      <DataTable
        caption="Companies"
        columns={[
          "Company",
          "State",
          { label: "Code", isWhole: true },
          { label: "Seats taken", isNumber: true },
          { label: "A year", isNumber: true },
          "Live since",
        ]}
        rows={companies.map(({ path, name, state, code, seats, price, liveSince }) => ({
          key: path,
          cells: [
            <Link key="name" to={path}>
              {name}
            </Link>,
            state,
            <Link key="code" to={code.path}>
              {code.text}
            </Link>,
            seats,
            price,
            liveSince,
          ],
        }))}
        whenEmpty="There are no companies."
      />
      <DeskPages firstPath={isFirst ? undefined : deskPath("companies")} nextPath={nextPath} />
      <section className={styles.section}>
        <h2>Collections</h2>
        <p>
          <Link className={buttons.quiet} to="/desk/collections.csv" reloadDocument>
            Download the collections of all companies (CSV)
          </Link>
        </p>
      </section>
      <ActForm act="company create" />
    </>
  );
}

export function CompanyPage(company: CompanyScreen) {
  const { id, state, code, seats, price, liveSince, graceEndsOn, contactEmail, mandate, addedOn } = company;
  return (
    <>
      <LostRefusal act="company remove-contact" items={company.contacts.map((contact) => contact.id)} />
      <Facts
        facts={[
          ["State", state],
          [
            "Code",
            <Link key="code" to={code.path}>
              {code.text}
            </Link>,
          ],
          [
            "Seats taken",
            <Link key="seats" to={deskPath("members", { company: id })}>
              {seats}
            </Link>,
          ],
          ["Price a year", price],
          ["Live since", liveSince],
          ["Grace ends", graceEndsOn],
          ["Direct Debit", mandate === undefined ? "no mandate yet" : `mandate ${mandate}`],
          ["Agreement goes to", contactEmail],
          ["Added", addedOn],
        ]}
      />
      <ActForm act="company link" words={{ contact: contactEmail }} />
      <Collections id={id} collections={company.collections} />
      <Contacts contacts={company.contacts} />
      <Months months={company.months} />
    </>
  );
}

function Collections({ id, collections }: Pick<CompanyScreen, "id" | "collections">) {
  return (
    <section className={styles.section}>
      <h2>Collections</h2>
      <DataTable
        caption="Collections"
        columns={["Year", { label: "Amount", isNumber: true }, "State", "Begins"]}
        rows={collections.map(({ year, amount, state, begins }) => ({
          key: year,
          cells: [year, amount, state, begins],
        }))}
        whenEmpty="Nothing was collected yet."
      />
      {collections.length > 0 && (
        <p>
          <Link className={buttons.quiet} to={`/desk/collections.csv?company=${id}`} reloadDocument>
            Download (CSV)
          </Link>
        </p>
      )}
    </section>
  );
}

function Contacts({ contacts }: Pick<CompanyScreen, "contacts">) {
  return (
    <section className={styles.section}>
      <h2>Contacts</h2>
      <p>They may see the company&rsquo;s own page: its contract, its code and counts in fives. No names.</p>
      <DataTable
        caption="Contacts"
        columns={["Email", "Invited"]}
        rows={contacts.map(({ id, email, invitedOn }) => ({ key: id, cells: [email, invitedOn] }))}
        whenEmpty="No contact is invited yet."
      />
      <ActForm act="company invite" />
      {contacts.map(({ id, email }) => (
        <ActForm key={id} act="company remove-contact" item={id} words={{ contact: email }} />
      ))}
    </section>
  );
}

function Months({ months }: Pick<CompanyScreen, "months">) {
  return (
    <section className={styles.section}>
      <h2>What the company sees of its people</h2>
      <DataTable
        caption="Counted at the end of each month, rounded down to fives"
        isCaptionShown
        columns={["Month", { label: "Joined", isNumber: true }, { label: "Seats taken", isNumber: true }]}
        rows={months.map(({ month, joined, seatsTaken }) => ({ key: month, cells: [month, joined, seatsTaken] }))}
        whenEmpty="Nothing yet: we count at the end of each month."
      />
    </section>
  );
}
