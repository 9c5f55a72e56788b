import type { ReactNode } from "react";
import { Link } from "react-router";

import type { CompanyFigures } from "./company-figures.ts";
import styles from "./company.module.css";

/** Everything that a company is shown, and what the public page shows with sample figures. */
export function Figures({ figures, isSample = false }: { figures: CompanyFigures; isSample?: boolean }) {
  const { company, state, seatsPaid, price, code, codeState, seatsTaken, months, collections } = figures;
  const taken = seatsTaken ? `${seatsTaken.count} at the end of ${seatsTaken.month}` : NOT_YET;
  return (
    <>
      <dl className={styles.facts}>
        <Fact label="Company">{company}</Fact>
        <Fact label="Direct Debit">{state}</Fact>
        <Fact label="Seats paid">{`${seatsPaid}, for ${price} a year`}</Fact>
        <Fact label="Seats taken">{taken}</Fact>
        <Fact label="Code">
          <code>{code}</code> {codeState}
        </Fact>
      </dl>
      <section className={styles.section}>
        <h2>Who has joined</h2>
        {months.length === 0 ? <p>{NOT_YET}</p> : <Months months={months} />}
      </section>
      <section className={styles.section}>
        <h2>Collections</h2>
        {collections.length === 0 ? (
          <p>Nothing has been collected yet.</p>
        ) : (
          <Collections collections={collections} isSample={isSample} />
        )}
      </section>
    </>
  );
}

const NOT_YET = "We count at the end of each month.";

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Months({ months }: Pick<CompanyFigures, "months">) {
  return (
    <table className={styles.table}>
      <caption>Counted once, at the end of each month, and rounded down to fives.</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Joined</th>
          <th scope="col">Seats taken at its end</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, joined, seatsTaken }) => (
          <tr key={month}>
            <th scope="row">{month}</th>
            <td data-label="Joined">{joined}</td>
            <td data-label="Seats taken at its end">{seatsTaken}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Collections({ collections, isSample }: Pick<CompanyFigures, "collections"> & { isSample: boolean }) {
  return (
    <table className={styles.table}>
      <caption>One for each year.</caption>
      <thead>
        <tr>
          <th scope="col">Year</th>
          <th scope="col">Begins</th>
          <th scope="col">Amount</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {collections.map(({ year, begins, amount, state, path }) => (
          <tr key={year}>
            <th scope="row">{isSample ? `Year ${year}` : <Link to={path}>Invoice, year {year}</Link>}</th>
            <td data-label="Begins">{begins}</td>
            <td data-label="Amount">{amount}</td>
            <td data-label="State">{state}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
