import { Form, Link } from "react-router";

import buttons from "../../components/button.module.css";
import { DataTable } from "../../components/data-table.tsx";
import type { ContentScreen, DraftsScreen } from "./content.ts";
import { deskPath } from "./view.ts";
import styles from "./desk.module.css";

/** The items of the content, with what each lacks. */
export function ContentPage({ title, source, isStale, rows, pages, ...filters }: ContentScreen) {
  return (
    <>
      <p className={styles.note}>
        From {source}.{isStale && " It could not be read for a while: this is what members see meanwhile."} What plays
        should have a transcript, but for loops of sound. Links to other sites are not tried from here: the preview of
        an item lists them, for a person to try.
      </p>
      <p>
        <Link to={deskPath("drafts")}>Drafts, and what is scheduled</Link>
      </p>
      <FilterForm {...filters} />
      <DataTable
        caption={title}
        columns={["Item", "Kind", "Date", "Missing", { label: "Links elsewhere", isNumber: true }]}
        rows={rows.map(({ key, title: name, path, kind, date, findings, outsideCount }) => ({
          key,
          cells: [
            <Link key="item" to={path}>
              {name}
            </Link>,
            kind,
            date,
            findings.length > 0 && <Findings key="findings" findings={findings} />,
            outsideCount > 0 && String(outsideCount),
          ].map((cell) => cell || undefined),
        }))}
        whenEmpty="No item is like that."
      />
      <PageLinks {...pages} />
    </>
  );
}

function FilterForm({ kind, filter, kindOptions, filterOptions }: FilterFormProps) {
  return (
    <Form method="get" action="/desk" className={styles.search}>
      <input type="hidden" name="view" value="content" />
      <Choice name="kind" label="Kind" value={kind} options={kindOptions} />
      <Choice name="gap" label="Missing" value={filter} options={filterOptions} />
      <button className={buttons.quiet}>Show</button>
    </Form>
  );
}

type FilterFormProps = Pick<ContentScreen, "kind" | "filter" | "kindOptions" | "filterOptions">;

type ChoiceProps = { name: string; label: string; value: string; options: { value: string; label: string }[] };

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={`content-${name}`}>{label}</label>
      {/* Made anew where Back leads to another choice. */}
      <select key={value} id={`content-${name}`} name={name} defaultValue={value}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Sentences about one item. */
export function Findings({ findings }: { findings: string[] }) {
  return (
    <ul className={styles.findings}>
      {findings.map((says) => (
        <li key={says}>{says}</li>
      ))}
    </ul>
  );
}

function PageLinks({ at, previous, next }: ContentScreen["pages"]) {
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {previous !== undefined && (
        <Link className={buttons.quiet} to={previous} rel="prev">
          Previous
        </Link>
      )}
      <p>{at}</p>
      {next !== undefined && (
        <Link className={buttons.quiet} to={next} rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}

/** What is written and not published. */
export function DraftsPage({ title, problem, note, rows }: DraftsScreen) {
  return (
    <>
      <p>
        <Link to={deskPath("content")}>What the content lacks</Link>
      </p>
      {problem === undefined ? (
        <>
          <p className={styles.note}>Members see nothing of these. {note}</p>
          <DataTable
            caption={title}
            columns={["Draft", "Kind", "State", "Changed"]}
            rows={rows.map(({ key, title: name, path, kind, state, changed }) => ({
              key,
              cells: [
                <Link key="draft" to={path}>
                  {name}
                </Link>,
                kind,
                state,
                changed,
              ],
            }))}
            whenEmpty="There are no drafts."
          />
        </>
      ) : (
        <p>{problem}</p>
      )}
    </>
  );
}
