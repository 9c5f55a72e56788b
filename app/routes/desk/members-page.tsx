import { Form, Link } from "react-router";

import buttons from "../../components/button.module.css";
import { DataTable } from "../../components/data-table.tsx";
import { DeskPages } from "./desk-layout.tsx";
import type { MembersScreen } from "./members.ts";
import styles from "./desk.module.css";

export function MembersPage(screen: MembersScreen) {
  const { term, company, rows, firstPath, nextPath, isFirst } = screen;
  return (
    <>
      <Form action="/desk" role="search" className={styles.search}>
        <input type="hidden" name="view" value="members" />
        <div className={styles.field}>
          <label htmlFor="find-member">Part of a name or email, a receipt number, or a company</label>
          <input id="find-member" type="search" name="q" key={term} defaultValue={term} maxLength={254} />
        </div>
        <button className={buttons.button}>Find</button>
      </Form>
      <OtherFinds {...screen} />
      <section className={styles.section}>
        <h2>{company === undefined ? (term === "" ? "The newest" : `Members like “${term}”`) : `With ${company}`}</h2>
        <DataTable
          caption="Members"
          columns={["Name", "Email", "Type", "Access", "Since", { label: "Number", isNumber: true }]}
          rows={rows.map(({ id, path, name, email, accountType, access, since }) => ({
            key: id,
            cells: [
              <Link key="name" to={path}>
                {name}
              </Link>,
              email,
              accountType,
              access,
              since,
              id,
            ],
          }))}
          whenEmpty={whenEmptyText(screen)}
        />
        <DeskPages firstPath={isFirst ? undefined : firstPath} nextPath={nextPath} />
      </section>
    </>
  );
}

function whenEmptyText({ term, isTooShort, receipt, companies, signUps }: MembersScreen): string {
  if (term === "") return "There are no members.";
  if (receipt || companies.length > 0 || signUps.length > 0) return "No member has this in their name or address.";
  return isTooShort ? "Type three letters or more." : "No member fits.";
}

/** Other things that the search term names: a receipt, a company, a sign-up. */
function OtherFinds({ receipt, companies, signUps }: MembersScreen) {
  if (!receipt && companies.length === 0 && signUps.length === 0) return null;
  return (
    <ul className={styles.finds}>
      {receipt && (
        <li>
          <Link to={receipt.path}>The member of receipt {receipt.number}</Link>
        </li>
      )}
      {companies.map(({ name, seatsTaken, path }) => (
        <li key={path}>
          <Link to={path}>The members with {name}</Link> ({seatsTaken})
        </li>
      ))}
      {signUps.map(({ path, what, since, isVerified }) => (
        <li key={path}>
          <Link to={path}>{what}</Link>, since {since}, address {isVerified ? "verified" : "not verified yet"}
        </li>
      ))}
    </ul>
  );
}
