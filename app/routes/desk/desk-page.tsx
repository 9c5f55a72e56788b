import type { ReactNode } from "react";
import { href, Link } from "react-router";

import { keepWhole } from "../../components/data-table.tsx";
import { Mark } from "../../components/page-frame.tsx";
import { FlashMessage } from "../../forms/flash-message.tsx";
import buttons from "../../components/button.module.css";
import { useDesk } from "./use-desk.ts";
import styles from "./desk.module.css";

/** A screen of the desk: its title, its heading, what was just done, and what it shows. */
export function DeskPage({ title, children }: { title: string; children: ReactNode }) {
  const { productName, flash } = useDesk();
  return (
    <>
      <title>{`${title} – ${productName} desk`}</title>
      <h1 tabIndex={-1}>{title}</h1>
      {flash && <FlashMessage sentence={flash.message} cause={flash} />}
      {children}
    </>
  );
}

export function DeskLogo({ productName }: { productName: string }) {
  return (
    <Link className={styles.logo} to={href("/desk")}>
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
