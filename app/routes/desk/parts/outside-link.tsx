import type { ReactNode } from "react";

import styles from "./outside-link.module.css";

/** To another site, in a tab of its own. `look`: a button's class. */
export function OutsideLink({ address, look, children }: { address: string; look?: string; children: ReactNode }) {
  return (
    <a className={look ?? styles.outside} href={address} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
