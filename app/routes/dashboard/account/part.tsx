import type { ReactNode } from "react";

import type { AccountPart } from "./account-path.ts";
import styles from "./account.module.css";

type PartProps = { part: AccountPart; title: string; isOpen: boolean; children: ReactNode };

/** A part of My Account that is folded until somebody wants it. Its forms lead back to it, by the part of an address after #. */
export function Part({ part, title, isOpen, children }: PartProps) {
  return (
    <details id={`account-${part}`} className={styles.part} open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
