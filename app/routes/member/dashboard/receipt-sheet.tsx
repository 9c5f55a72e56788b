import { Link } from "react-router";

import buttons from "../../../components/button.module.css";
import { Sheet, SheetActions } from "../../../paper/sheet.tsx";
import type { ReceiptScreen } from "./receipt.ts";

export function ReceiptSheet({ sheet, note, contactEmail }: ReceiptScreen) {
  return (
    <Sheet id="receipt" title="Receipt" className="sheet-receipt" {...sheet}>
      <p className="sheet-note">
        <span>{note}</span> Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
      </p>
      <SheetActions>
        <Link className={buttons.quiet} to="/">
          Go to the dashboard
        </Link>
      </SheetActions>
    </Sheet>
  );
}
