import type { ReactNode } from "react";
import { Link } from "react-router";

import { CodeGroups } from "../../paper/code.tsx";
import { DataTable, keepWhole } from "../desk/parts/data-table.tsx";
import type { CompanyFigures } from "./company-texts.ts";
import { Seats } from "./seats.tsx";
import styles from "./company.module.css";

/** For a company, and with sample figures for the public page. */
export function Figures({ figures, isSample = false }: { figures: CompanyFigures; isSample?: boolean }) {
  const { company, state, seatsPaid, price, next, code, codeState, seats, collections } = figures;
  return (
    <>
      <section className={styles.section}>
        <h2>How many have joined</h2>
        <Seats {...seats} />
      </section>
      <dl className={styles.facts}>
        <Fact label="Company">{company}</Fact>
        <Fact label="Direct Debit">{state}</Fact>
        <Fact label="Seats paid">{`${seatsPaid}, for ${price} a year`}</Fact>
        {next && <Fact label="Then">{next}</Fact>}
        <Fact label="Code">
          <code>
            <CodeGroups code={code} />
          </code>{" "}
          <span>{codeState}</span>
        </Fact>
      </dl>
      <section className={styles.section}>
        <h2>Collections</h2>
        <Collections collections={collections} isSample={isSample} />
      </section>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{typeof children === "string" ? keepWhole(children) : children}</dd>
    </div>
  );
}

function Collections({ collections, isSample }: Pick<CompanyFigures, "collections"> & { isSample: boolean }) {
  return (
    <DataTable
      caption="One for each year."
      isCaptionShown
      columns={["Year", "Begins", { label: "Amount", isNumber: true }, "State"]}
      rows={collections.map(({ year, begins, amount, state, path }) => ({
        key: year,
        cells: [
          isSample ? (
            `Year ${year}`
          ) : (
            <Link key="invoice" to={path}>
              Invoice, year {year}
            </Link>
          ),
          begins,
          amount,
          state,
        ],
      }))}
      whenEmpty="Nothing collected yet."
    />
  );
}
