import type { ReactNode } from "react";
import { Link } from "react-router";

import buttons from "../../components/button.module.css";
import styles from "./desk.module.css";

type DataTableProps = {
  /** What the table lists; read out, and shown unless the heading above says the same. */
  caption: string;
  isCaptionHidden?: boolean;
  columns: string[];
  /** `key` tells the rows apart. The first cell of a row is its heading. */
  rows: { key: string | number; cells: ReactNode[] }[];
  whenEmpty: string;
};

/** A table, which on a phone becomes a block for each row. */
export function DataTable({ caption, isCaptionHidden, columns, rows, whenEmpty }: DataTableProps) {
  if (rows.length === 0) return <p className={styles.empty}>{whenEmpty}</p>;
  return (
    <table className={styles.table}>
      <caption className={isCaptionHidden ? "visually-hidden" : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [head, ...cells] }) => (
          <tr key={key}>
            <th scope="row" data-label={columns[0]}>
              {head}
            </th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} data-label={columns[index + 1]}>
                {cell === undefined || cell === "" ? "–" : cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The way on from one page of a list to the next. There is none back but to the first: the lists grow at their head. */
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
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
