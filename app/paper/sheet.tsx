import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import type { Letterhead } from "../../server/money/letterhead.ts";
import buttons from "../components/button.module.css";
import { Mark } from "../components/page-frame.tsx";
import style from "./sheet.css?url";

export type Fact = { label: string; value: string };

export type SheetTexts = {
  letterhead: Letterhead;
  /** "Paid", or the last day for paying. */
  status: string;
  facts: Fact[];
  total: Fact;
};

type SheetProps = SheetTexts & {
  title: "Receipt" | "Invoice";
  id?: string;
  className?: string;
  children: ReactNode;
};

export function Sheet({ title, letterhead, status, facts, total, id, className = "", children }: SheetProps) {
  return (
    <article id={id} className={`sheet ${className}`}>
      <SheetStyle />
      <Head {...letterhead} />
      <div className="sheet-title">
        <h1 tabIndex={-1}>{title}</h1>
        <p className="sheet-status">{status}</p>
      </div>
      <dl className="sheet-facts">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="sheet-total">
          <dt>{total.label}</dt>
          <dd>{total.value}</dd>
        </div>
      </dl>
      {children}
    </article>
  );
}

/** React puts it into the head, and waits for it: few pages have this style. */
function SheetStyle() {
  return <link rel="stylesheet" href={style} precedence="default" />;
}

function Head({ name, address, companyNumber, vatNumber }: Letterhead) {
  const lines = [
    ...address,
    companyNumber && `Company number ${companyNumber}`,
    vatNumber && `VAT number ${vatNumber}`,
  ].filter((line) => line !== undefined);
  return (
    <div className="sheet-head">
      <p className="sheet-name">
        <Mark /> {name}
      </p>
      {lines.length > 0 && (
        <address className="sheet-address">
          {lines.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </address>
      )}
    </div>
  );
}

/** Without script a browser prints by its own menu. */
export function SheetActions({ children }: { children: ReactNode }) {
  const canPrint = useHydrated();
  return (
    <p className="sheet-actions">
      <SheetStyle />
      {children}
      {canPrint && (
        <button type="button" className={buttons.quiet} onClick={() => window.print()}>
          Print
        </button>
      )}
    </p>
  );
}
