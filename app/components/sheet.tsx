import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "./button.module.css";
import styles from "./sheet.module.css";

type SheetProps = { className?: string | undefined; children: ReactNode };

/** A sheet of paper: on a screen with a frame, on paper without. */
export function Sheet({ className, children }: SheetProps) {
  return <article className={className ? `${styles.sheet} ${className}` : styles.sheet}>{children}</article>;
}

export type Fact = { label: string; value: string };

/** The facts of a receipt or an invoice, and the sum below them. `className` lays out a fact. */
export function SheetFacts({ facts, total, className }: { facts: Fact[]; total: Fact; className: string | undefined }) {
  return (
    <dl className={className}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{total.label}</dt>
        <dd>{total.value}</dd>
      </div>
    </dl>
  );
}

/** The way back, and the button that prints: without script a browser prints by its own menu. */
export function SheetActions({ children }: { children: ReactNode }) {
  const canPrint = useHydrated();
  return (
    <p className={styles.actions}>
      {children}
      {canPrint && (
        <button type="button" className={buttons.quiet} onClick={() => window.print()}>
          Print
        </button>
      )}
    </p>
  );
}
