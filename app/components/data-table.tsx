import type { ReactNode } from "react";

import styles from "./data-table.module.css";

type DataTableProps = {
  /** What the table lists. It is read out; it is shown where no heading above says the same. */
  caption: string;
  isCaptionShown?: boolean;
  columns: string[];
  /** `key` tells the rows apart. The first cell of a row is its heading. */
  rows: { key: string | number; cells: ReactNode[] }[];
  whenEmpty: string;
};

/** A table, which on a phone becomes a block for each row. */
export function DataTable({ caption, isCaptionShown = false, columns, rows, whenEmpty }: DataTableProps) {
  if (rows.length === 0) return <p className={styles.empty}>{whenEmpty}</p>;
  return (
    <table className={styles.table}>
      <caption className={isCaptionShown ? undefined : "visually-hidden"}>{caption}</caption>
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
