import type { ReactNode } from "react";
import { Form, href, Link, useLocation } from "react-router";

import { DataTable, type DataTableProps, keepWhole } from "./parts/data-table.tsx";
import { TabLink } from "../../components/links.tsx";
import { Logo } from "../../components/page-frame.tsx";
import { PlainField } from "../../forms/field.tsx";
import { useFocusOn } from "../../forms/focus-on.ts";
import { FlashMessage } from "../../forms/flash-message.tsx";
import buttons from "../../components/button.module.css";
import { CopyButton } from "./parts/copy-button.tsx";
import { useCurrentTab } from "./navigation.ts";
import { Pill, type StateText } from "./parts/pill.tsx";
import { useDesk } from "./use-desk.ts";
import screen from "./screen.module.css";
import styles from "./desk-page.module.css";

type DeskPageProps = {
  title: string;
  state?: StateText | undefined;
  isRefused?: boolean;
  about?: ReactNode;
  children: ReactNode;
};

/** A screen's title, heading, message, links to the tab's other screens, and content. */
export function DeskPage({ title, state, isRefused = false, about, children }: DeskPageProps) {
  const { productName, flash, tabs } = useDesk();
  const { pathname } = useLocation();
  const current = useCurrentTab();
  const tab = tabs.find(({ label }) => label === current);
  return (
    <>
      <title>{`${isRefused ? "Error: " : ""}${title} – ${productName} desk`}</title>
      <div className={styles.head}>
        <div className={styles.title}>
          <h1 tabIndex={-1}>{title}</h1> {state && <Pill {...state} />}
        </div>
        {about !== undefined && <div className={styles.about}>{about}</div>}
      </div>
      {flash && <FlashMessage sentence={flash.message} cause={flash} />}
      {tab && tab.links.length > 0 && (
        <nav aria-label={tab.label} className={screen.links}>
          {tab.links.map(({ path, label }) => (
            <TabLink key={path} to={path} aria-current={path === pathname ? "page" : undefined}>
              {label}
            </TabLink>
          ))}
        </nav>
      )}
      {children}
    </>
  );
}

export function DeskLogo({ productName }: { productName: string }) {
  return <Logo name={<span className={styles.logo}>{productName} desk</span>} to={href("/desk")} />;
}

/** The first and the next page: lists grow at their head, so a previous page would have changed. */
export function DeskPages({ firstPath, nextPath }: { firstPath: string | undefined; nextPath: string | undefined }) {
  if (firstPath === undefined && nextPath === undefined) return null;
  return (
    <nav className={screen.buttons} aria-label="Pages">
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

export function Sections({ sections }: { sections: [id: string, label: string][] }) {
  return (
    <nav aria-label="On this page" className={screen.links}>
      {sections.map(([id, label]) => (
        <a key={id} href={`#${id}`}>
          {label}
        </a>
      ))}
    </nav>
  );
}

export function TableSection({ id, title, children, ...table }: TableSectionProps) {
  return (
    <section className={screen.section} id={id}>
      <h2>{title}</h2>
      <DataTable caption={title} {...table} />
      {children}
    </section>
  );
}

type TableSectionProps = Omit<DataTableProps, "caption"> & { id?: string; title: string; children?: ReactNode };

export function Sentences({ sentences }: { sentences: string[] }) {
  return (
    <ul className={styles.sentences}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

export function MemberSearch({ term = "" }: { term?: string }) {
  return (
    <SearchForm
      id="find-member"
      path={href("/desk/members")}
      label="Search: name, email, receipt, company, or card (4242 20/11/2026)"
      button="Find"
      term={term}
      maxLength={254}
    />
  );
}

type SearchFormProps = { id: string; path: string; label: string; button: string; term: string; maxLength: number };

export function SearchForm({ id, path, label, button, term, maxLength }: SearchFormProps) {
  return (
    <Form action={path} role="search" className={screen.search}>
      <PlainField
        id={id}
        label={label}
        type="search"
        name="q"
        autoComplete="off"
        key={term}
        defaultValue={term}
        maxLength={maxLength}
      />
      <button className={buttons.button}>{button}</button>
    </Form>
  );
}

/** No other page will ever show these codes. */
export function ShownOnce({ message, shownOnce, mailTo }: ShownOnceProps) {
  const { productName } = useDesk();
  const [only = "", ...others] = shownOnce;
  // The form that caused it may be far below.
  const box = useFocusOn<HTMLElement>(shownOnce);
  return (
    <section ref={box} className={styles.shownOnce} role="status" tabIndex={-1}>
      <p>{message}</p>
      <ul className={others.length > 0 ? styles.codes : undefined}>
        {shownOnce.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={screen.buttons}>
        <CopyButton text={shownOnce.join("\n")} what={others.length > 0 ? "codes" : "link"} isLabelled />
        {mailTo !== undefined && (
          <a className={buttons.quiet} href={toMail(mailTo, `Your link to the ${productName} desk`, only)}>
            Email it
          </a>
        )}
      </p>
    </section>
  );
}

type ShownOnceProps = { message: string; shownOnce: string[]; mailTo?: string | undefined };

/** In the operator's own mail program (RFC 6068). */
function toMail(address: string, subject: string, body: string): string {
  const [name, value, text] = [address, subject, body].map(encodeURIComponent);
  return `mailto:${name?.replace("%40", "@")}?subject=${value}&body=${text}`;
}
