import { Form, Link } from "react-router";

import buttons from "../../components/button.module.css";
import type { CompanyFigures } from "./company-figures.ts";
import { Figures } from "./figures.tsx";
import { companyPath, PUBLIC_VIEW } from "./view.ts";
import styles from "./company.module.css";

type CompanyHomeProps = { figures: CompanyFigures; others: { id: number; companyName: string }[] };

/** The page of a company, for its contact. */
export function CompanyHome({ figures, others }: CompanyHomeProps) {
  return (
    <>
      <p>
        You see counts, never people: no names, no addresses, nothing of what anyone does here.{" "}
        <Link to={companyPath(PUBLIC_VIEW)}>What your employer sees</Link> says the same to the people who join.
      </p>
      <ul className={styles.actions}>
        <li>
          <Link className={buttons.button} to={companyPath("poster")}>
            Poster to print
          </Link>
        </li>
        {figures.collections.length > 0 && (
          <li>
            <Link className={buttons.quiet} to="/company/collections.csv" reloadDocument>
              Collections as a file (CSV)
            </Link>
          </li>
        )}
      </ul>
      <Figures figures={figures} />
      {others.length > 0 && <Others others={others} />}
    </>
  );
}

function Others({ others }: Pick<CompanyHomeProps, "others">) {
  return (
    <section className={styles.section}>
      <h2>Your other companies</h2>
      <ul className={styles.actions}>
        {others.map(({ id, companyName }) => (
          <li key={id}>
            <Form method="post" action="/company" reloadDocument>
              <input type="hidden" name="intent" value="company-switch" />
              <input type="hidden" name="contact" value={id} />
              <button className={buttons.quiet}>{companyName}</button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
