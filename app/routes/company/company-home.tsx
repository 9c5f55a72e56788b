import { Form, Link } from "react-router";

import buttons from "../../components/button.module.css";
import type { CompanyScreen } from "./company-screen.ts";
import type { CompanyFigures } from "./company-figures.ts";
import { CodeGroups, Figures } from "./figures.tsx";
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

type AgreedProps = Extract<CompanyScreen, { name: "agreed" }>;

/** What a company's contact sees once the Direct Debit is set up. They need not be logged in. */
export function Agreed({ company, code, posterPath }: AgreedProps) {
  return (
    <>
      <p>
        Thank you. The people of {company} join by this code. It works within a minute or so, and we will write to you
        once it does.
      </p>
      <p className={styles.posterCode}>
        <CodeGroups code={code} />
      </p>
      <ul className={styles.actions}>
        <li>
          <Link className={buttons.button} to={posterPath}>
            Poster to print
          </Link>
        </li>
        <li>
          <Link className={buttons.quiet} to={companyPath()}>
            Open your company&rsquo;s page
          </Link>
        </li>
      </ul>
      <p>
        Your company&rsquo;s page shows how many seats are taken and has your invoices. There is no password: type the
        email address that we wrote to, and we will send you a link and a code.
      </p>
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
