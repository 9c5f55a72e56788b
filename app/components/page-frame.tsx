import type { ReactNode } from "react";
import { Link } from "react-router";

import { href } from "../frame/paths.ts";
import { OutsideLink } from "./outside-link.tsx";
import styles from "./page-frame.module.css";

/** First in the tab order: past the bar to the content, or to the heading of a dialog in browsers without style. */
export function SkipLink({ to = "main" }: { to?: string | undefined }) {
  return (
    <a className={styles.skip} href={`#${to}`}>
      Skip to content
    </a>
  );
}

/** Its style waits a moment, so that a fast page shows nothing. */
export function PendingBar({ isPending }: { isPending: boolean }) {
  return (
    <div aria-live="polite" className={styles.pending}>
      {isPending && (
        <div className={styles.bar}>
          <span className="visually-hidden">Loading</span>
        </div>
      )}
    </div>
  );
}

/** Leads home; on the desk and a company's pages to their start, `to`. */
export function Logo({ name, to }: { name: ReactNode; to?: string }) {
  const content = (
    <>
      <Mark />
      <span className={styles.name}>{name}</span>
    </>
  );
  return to === undefined ? (
    <a className={styles.logo} href={href("/")}>
      {content}
    </a>
  ) : (
    <Link className={styles.logo} to={to}>
      {content}
    </Link>
  );
}

/** The drawing is `pictures/logo/mark.svg`. */
export function Mark() {
  return (
    <svg
      className={styles.mark}
      viewBox="0 0 48 48"
      width="40"
      height="40"
      fill="currentColor"
      fillRule="evenodd"
      aria-hidden="true"
    >
      <path d="M12.3 14.8C10.2 10.5 12 5.6 16.3 4.5C20 3.6 23.5 5.9 24.3 9.4C26.2 8.5 28.3 8 30.5 8C39 8 45.5 14.9 45.5 24C45.5 27.3 44.7 30.2 43.3 32.7C39.7 32.5 36.8 34.8 32 35.5C26.6 36.3 21.8 34.4 18.3 31.1C15.4 28.4 12.6 26.3 8.3 25.8C7.4 21.4 9 17.4 12.3 14.8ZM13.3 21.6C14.3 25.4 19.1 26.9 22.6 24.1C24 23 22.7 21.1 21.2 22.1C19 23.6 16.3 22.9 15.6 20.8C15 19.1 12.9 19.9 13.3 21.6ZM15.9 12.6C14.7 10.6 15.2 8.4 17 7.9C18.7 7.4 20.5 8.7 20.8 10.7C19 10.9 17.3 11.5 15.9 12.6Z" />
      <path d="M2.5 24.2C3.3 27.3 5.2 28 8.3 28.3C11.8 28.6 14 30.5 16.5 32.9C20.6 36.9 26.6 38.6 32.8 37.6C36.4 37 38.9 35.2 42 34.9C38.3 40.7 31.9 44.3 24.6 44.3C12 44.3 0.2 36.5 2.5 24.2Z" />
    </svg>
  );
}

type PlainFrameProps = {
  className: string | undefined;
  mainClassName?: string | undefined;
  logo: ReactNode;
  tools: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

/** One column without the bar of members: the legal pages, a company's, and the log-in of the desk. */
export function PlainFrame({ className, mainClassName, logo, tools, footer, children }: PlainFrameProps) {
  return (
    <div className={`${styles.plain} ${className}`}>
      <SkipLink />
      <header className={styles.plainBar}>
        {logo}
        <div className={styles.plainTools}>{tools}</div>
      </header>
      <main id="main" className={`${styles.plainMain} ${mainClassName ?? ""}`}>
        {children}
      </main>
      {footer}
    </div>
  );
}

type FooterProps = {
  productName: string;
  agency: { name: string; url: string };
  /** For a member, if there are items about the product. */
  hasHelp?: boolean;
  children?: ReactNode;
};

/** Credits the web agency, and links to the legal pages (docs/behaviour.md, Navigation). */
export function Footer({ productName, agency, hasHelp = false, children }: FooterProps) {
  return (
    <footer className={styles.footer}>
      {children}
      <p>© {productName}</p>
      <p>
        {hasHelp && (
          <>
            <a href={href("/?view=help")}>Help</a>&emsp;
          </>
        )}
        <a href={href("/privacy")}>Privacy</a>&emsp;<a href={href("/terms")}>Terms</a>
      </p>
      <p>
        Made by <OutsideLink href={agency.url}>{agency.name}</OutsideLink>
      </p>
    </footer>
  );
}
