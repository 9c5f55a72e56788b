import { Link } from "react-router";

import type { CompanyScreen } from "./company-screen.ts";
import { PrintButton } from "./print-button.tsx";
import { companyPath } from "./view.ts";
import buttons from "../../components/button.module.css";
import styles from "./company.module.css";

/** The invoice of a year, on one sheet of paper. */
export function Invoice({ number, facts, amount, contactEmail }: Extract<CompanyScreen, { name: "invoice" }>) {
  return (
    <>
      <article className={styles.sheet}>
        <h1 tabIndex={-1}>Invoice {number}</h1>
        <dl className={styles.facts}>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div className={styles.total}>
            <dt>Amount</dt>
            <dd>{amount}</dd>
          </div>
        </dl>
        <p>
          Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      </article>
      <p className={styles.paperTools}>
        <Link className={buttons.quiet} to={companyPath()}>
          Back
        </Link>
        <PrintButton />
      </p>
    </>
  );
}
