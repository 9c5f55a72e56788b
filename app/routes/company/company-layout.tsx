import type { ReactNode } from "react";
import { Form, Link } from "react-router";

import buttons from "../../components/button.module.css";
import { Mark, SkipLink } from "../../components/page-frame.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { companyPath, PUBLIC_VIEW } from "./view.ts";
import styles from "./company.module.css";

type CompanyLayoutProps = {
  title: string;
  isRefused: boolean;
  productName: string;
  hasSession: boolean;
  /** A sheet of paper brings its own heading. */
  isSheet: boolean;
  children: ReactNode;
};

/** The frame of every screen of a company's page. */
export function CompanyLayout({ title, isRefused, productName, hasSession, isSheet, children }: CompanyLayoutProps) {
  return (
    <div className={styles.page}>
      <title>{`${isRefused ? "Error: " : ""}${title} – ${productName}`}</title>
      <SkipLink />
      <header className={styles.bar}>
        <Link className={styles.logo} to={companyPath()}>
          <Mark />
          <span>{productName} for companies</span>
        </Link>
        <div className={styles.tools}>
          <SchemeSwitch />
          {hasSession && (
            <Form method="post" action="/company" reloadDocument>
              <input type="hidden" name="intent" value="company-log-out" />
              <button className={buttons.quiet}>Log Out</button>
            </Form>
          )}
        </div>
      </header>
      <main id="main" className={styles.main}>
        {!isSheet && <h1 tabIndex={-1}>{title}</h1>}
        {children}
      </main>
      <footer className={styles.footer}>
        <Link to={companyPath(PUBLIC_VIEW)}>What your employer sees</Link>
      </footer>
    </div>
  );
}
