import type { ReactNode } from "react";

import styles from "./account.module.css";

/** A part of My Account that is folded until somebody wants it. */
export function Part({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details className={styles.part} open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
