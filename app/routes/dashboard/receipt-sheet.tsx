import { Link } from "react-router";

import buttons from "../../components/button.module.css";
import { Sheet, SheetActions, SheetFacts } from "../../components/sheet.tsx";
import type { ReceiptScreen } from "./receipt.ts";
import styles from "./receipt.module.css";

type ReceiptProps = ReceiptScreen & { productName: string };

/** A receipt, on one sheet of paper. */
export function ReceiptSheet({ number, facts, amount, contactEmail, productName }: ReceiptProps) {
  return (
    <Sheet className={styles.receipt}>
      <header id="receipt" className={styles.heading}>
        <h1 tabIndex={-1}>Receipt</h1>
        <p>
          {productName}, {number}
        </p>
      </header>
      <SheetFacts className={styles.facts} facts={facts} total={{ label: "Total", value: amount }} />
      <p className={styles.note}>
        Paid once; nothing is renewed by itself. Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
      </p>
      <SheetActions>
        <Link className={buttons.quiet} to="/">
          Go to the dashboard
        </Link>
      </SheetActions>
    </Sheet>
  );
}
