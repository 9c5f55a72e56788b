import { Link } from "react-router";

import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { AccountScreen } from "./account-screen.ts";
import styles from "./account.module.css";

/** The paid term, the way to renew it, and the receipts. */
export function Membership({ membership, contactEmail }: Pick<AccountScreen, "membership" | "contactEmail">) {
  const { plan, ending, company, renewalToken, isSoldElsewhere, receipts } = membership;
  return (
    <>
      {plan && <p className={styles.plan}>{plan}</p>}
      <p>{ending}</p>
      {company && <p>{company} pays for it.</p>}
      {renewalToken && (
        <IntentForm intent="renew" action="/signup">
          <input type="hidden" name="token" value={renewalToken} />
          <Submit intent="renew" label="Renew" pending="Opening..." />
        </IntentForm>
      )}
      {isSoldElsewhere && (
        <p>
          To go on, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      {receipts.length > 0 && (
        <ul className={styles.list} aria-label="Receipts">
          {receipts.map(({ number, date, amount }) => (
            <li key={number}>
              <Link to={`/?receipt=${number}`}>Receipt {number}</Link>
              <span className={styles.quiet}>
                {date}, {amount}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
