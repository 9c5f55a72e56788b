import type { ReactNode } from "react";

import dormouse from "./dormouse.module.css";
import styles from "./empty-screen.module.css";

export function EmptyScreen({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={`${styles.screen} ${dormouse.asleep}`}>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
