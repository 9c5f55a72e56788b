import type { ReactNode } from "react";
import { Form, Link } from "react-router";

import { keepWhole } from "../../components/data-table.tsx";
import { TabLink } from "../../components/links.tsx";
import { Mark, SkipLink } from "../../components/page-frame.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { FlashMessage } from "../../forms/flash-message.tsx";
import buttons from "../../components/button.module.css";
import { deskPath, type ViewName } from "./view.ts";
import styles from "./desk.module.css";

type DeskLayoutProps = {
  title: string;
  productName: string;
  operator: { name: string; role: string };
  view: ViewName | "unknown";
  flash: { message: string } | undefined;
  children: ReactNode;
};

/** The sections of the desk, each with the screens that belong to it; the first is what its tab opens. */
const sections: { label: string; views: [ViewName, ...ViewName[]] }[] = [
  { label: "Members", views: ["members", "member", "sign-up"] },
  { label: "Companies", views: ["companies", "company"] },
  { label: "Codes", views: ["codes", "code"] },
  { label: "Health", views: ["health", "emails", "webhooks", "jobs", "catalogue", "figures"] },
  { label: "Content", views: ["content", "drafts", "preview"] },
  { label: "Audit log", views: ["audit"] },
  { label: "Your access", views: ["access"] },
];

/** The frame of every screen of the desk. */
export function DeskLayout({ title, productName, operator, view, flash, children }: DeskLayoutProps) {
  return (
    <>
      <title>{`${title} – ${productName} desk`}</title>
      <SkipLink />
      <header className={styles.bar}>
        <DeskLogo productName={productName} />
        <nav aria-label="Desk" className={styles.tabs}>
          <ul className={styles.tabList}>
            {sections.map(({ label, views }) => (
              <li key={label}>
                <TabLink
                  to={deskPath(views[0])}
                  aria-current={views.some((each) => each === view) ? "page" : undefined}
                >
                  {label}
                </TabLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.tools}>
          <span className={styles.who}>
            {operator.name}, {operator.role}
          </span>
          <SchemeSwitch />
          <Form method="post" reloadDocument>
            <input type="hidden" name="intent" value="log-out" />
            <button className={buttons.quiet}>Log Out</button>
          </Form>
        </div>
      </header>
      <main id="main" className={styles.main}>
        <h1 tabIndex={-1}>{title}</h1>
        {flash && <FlashMessage sentence={flash.message} cause={flash} />}
        {children}
      </main>
    </>
  );
}

export function DeskLogo({ productName }: { productName: string }) {
  return (
    <Link className={styles.logo} to="/desk">
      <Mark />
      <span>{productName} desk</span>
    </Link>
  );
}

/** Links to the first and the next page of a list. The lists grow at their head, so a previous page would not be the one that was seen. */
export function DeskPages({ firstPath, nextPath }: { firstPath: string | undefined; nextPath: string | undefined }) {
  if (firstPath === undefined && nextPath === undefined) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {firstPath !== undefined && (
        <Link className={buttons.quiet} to={firstPath}>
          First page
        </Link>
      )}
      {nextPath !== undefined && (
        <Link className={buttons.quiet} to={nextPath} rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}

/** The facts about one thing; those without a value are left out. */
export function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{typeof value === "string" ? keepWhole(value) : value}</dd>
          </div>
        ))}
    </dl>
  );
}
