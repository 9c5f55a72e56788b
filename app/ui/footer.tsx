import type { ReactNode } from "react";

import styles from "./footer.module.css";

type FooterProps = { productName: string; agency: { name: string; url: string }; children?: ReactNode };

/** Credits the product and its web agency (spec, section 1). */
export function Footer({ productName, agency, children }: FooterProps) {
  return (
    <footer className={styles.footer}>
      {children}
      <p>© {productName}</p>
      <p>
        Made by{" "}
        <a href={agency.url} rel="noopener noreferrer" target="_blank">
          {agency.name}
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
    </footer>
  );
}
