import type { ReactNode } from "react";

import styles from "./notice.module.css";

/** A screen without content (nothing found, nothing there): a heading, one sentence, one thing to do. */
export function Notice({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice}>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
