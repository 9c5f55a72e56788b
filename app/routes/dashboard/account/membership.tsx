import { href } from "../../../paths.ts";
import type { MembershipView } from "./membership-view.ts";
import styles from "./account.module.css";

/** What is paid for, until when, and by whom. */
export function Membership({ membership: { plan, ending, company, receipts } }: { membership: MembershipView }) {
  return (
    <>
      {plan && <p className={styles.plan}>{plan}</p>}
      <p>{ending}</p>
      {company && <p>{company} pays for it.</p>}
      {receipts.length > 0 && (
        <ul className={styles.list} aria-label="Receipts">
          {receipts.map(({ number, date, amount }) => (
            <li key={number}>
              <a href={href(`/?receipt=${number}`)}>Receipt {number}</a>
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
