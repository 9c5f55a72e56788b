import { data, Form, href } from "react-router";

import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import type { ShownAct } from "../../../../server/operations/acts/acts.ts";
import type { ListCell, ListColumn, ListRow } from "../../../../server/operations/lists/lists.ts";
import {
  isListName,
  listNames,
  lists,
  type ListName,
  readCursor,
  toCursorText,
} from "../../../../server/operations/lists/list-table.ts";
import type { Services } from "../../../../server/services.ts";
import buttons from "../../../components/button.module.css";
import { Select } from "../../../forms/field.tsx";
import { withSearch } from "../../../frame/paths.ts";
import { ActForm } from "../act-form.tsx";
import { DataTable, linkTo } from "./data-table.tsx";
import { DeskPages } from "../desk-page.tsx";
import { PAGE_SIZE } from "./paging.ts";
import { memberPath, companyPath, codePath } from "./paths.ts";
import styles from "../screen.module.css";

/** A screen's lists by state, and the one in its address. */

type Screen = (typeof lists)[ListName]["screen"];

const paths: Record<Screen, string> = {
  members: href("/desk/members"),
  codes: href("/desk/codes"),
  companies: href("/desk/companies"),
};

export type StateLists = {
  screen: Screen;
  /** Empty where another back end has the members. */
  choices: { name: string; label: string }[];
  shown: ShownList | undefined;
};

type ShownList = {
  name: ListName;
  label: string;
  note: string;
  columns: ListColumn[];
  rows: { key: string; path: string | undefined; cells: string[] }[];
  firstPath: string | undefined;
  nextPath: string | undefined;
};

/** Throws a 404 for an unknown list. */
export async function readStateLists(
  { lists: service }: Services,
  searchParams: URLSearchParams,
  screen: Screen,
): Promise<StateLists> {
  const names = service.isThere ? listNames.filter((each) => lists[each].screen === screen) : [];
  const choices = names.map((name) => ({ name, label: lists[name].label }));
  const name = searchParams.get("list") ?? "";
  // A form without a choice sends an empty name.
  if (name === "") return { screen, choices, shown: undefined };
  if (!isListName(name) || !names.includes(name)) throw data(null, { status: 404 });
  const after = readCursor(searchParams.get("after") ?? "");
  const { columns, rows, next } = await service.readPage(name, { after, limit: PAGE_SIZE });
  const toPath = (cursor?: string) => withSearch(paths[screen], { list: name, after: cursor });
  const shown: ShownList = {
    name,
    label: lists[name].label,
    note: lists[name].note,
    columns,
    rows: rows.map(toShownRow),
    firstPath: after && toPath(),
    nextPath: next && toPath(toCursorText(next)),
  };
  return { screen, choices, shown };
}

function toShownRow({ cursor, about, cells }: ListRow): ShownList["rows"][number] {
  return { key: toCursorText(cursor), path: about && findPath(about), cells: cells.map(toCellText) };
}

function findPath(about: NonNullable<ListRow["about"]>): string {
  if ("member" in about) return memberPath(about.member);
  if ("code" in about) return codePath(about.code);
  return companyPath(about.company);
}

function toCellText(cell: ListCell): string {
  if (cell === undefined) return "";
  if (cell instanceof Date) return formatDate(cell);
  return typeof cell === "object" ? formatPenceInFull(cell.pence) : String(cell);
}

export function ListChooser({ screen, choices, shown }: StateLists) {
  if (choices.length === 0) return null;
  return (
    <Form action={paths[screen]} className={styles.search}>
      <Select
        id="state-list"
        label="List by state"
        name="list"
        defaultValue={shown?.name ?? ""}
        options={[{ value: "", label: "All" }, ...choices.map(({ name, label }) => ({ value: name, label }))]}
      />
      <button className={buttons.quiet}>Show</button>
    </Form>
  );
}

type StateListProps = ShownList & { file: ShownAct | undefined };

/** One page, with the act that exports the whole list as a `file`. */
export function StateList({ name, label, note, columns, rows, firstPath, nextPath, file }: StateListProps) {
  return (
    <section className={styles.section}>
      <h2>{label}</h2>
      <p className={styles.note}>{note}</p>
      <DataTable
        caption={label}
        columns={columns}
        rows={rows.map(({ key, path, cells: [first, ...others] }) => ({
          key,
          cells: [linkTo(path, first), ...others],
        }))}
        whenEmpty="This list is empty."
      />
      <DeskPages firstPath={firstPath} nextPath={nextPath} />
      <ActForm act={file} item={name} words={{ what: "the whole list" }} />
    </section>
  );
}
