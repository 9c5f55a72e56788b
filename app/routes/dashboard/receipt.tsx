import { useHydrated } from "remix-utils/use-hydrated";
import { Link } from "react-router";

import buttons from "../../ui/button.module.css";
import type { ReceiptScreen } from "./receipt-screen.ts";
import styles from "./receipt.module.css";

type ReceiptProps = ReceiptScreen & { productName: string };

/** What was paid, on one sheet of paper. */
export function Receipt({ number, facts, amount, contactEmail, productName }: ReceiptProps) {
  const canPrint = useHydrated();
  return (
    <article className={styles.receipt}>
      <header className={styles.heading}>
        <h1 tabIndex={-1}>Receipt</h1>
        <p>
          {productName}, {number}
        </p>
      </header>
      <dl className={styles.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className={styles.total}>
          <dt>Total</dt>
          <dd>{amount}</dd>
        </div>
      </dl>
      <p className={styles.note}>
        Paid once; nothing is renewed by itself. Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
      </p>
      <p className={styles.actions}>
        <Link className={buttons.quiet} to="/">
          Go to the dashboard
        </Link>
        {canPrint && (
          <button type="button" className={buttons.quiet} onClick={() => window.print()}>
            Print
          </button>
        )}
      </p>
    </article>
  );
}
