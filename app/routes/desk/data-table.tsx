import type { ReactNode } from "react";

import styles from "./data-table.module.css";

/** `isNumber`: counts and money, at the right edge so that digits are below each other. `isWhole`: codes and names of one piece. */
type Column = string | { label: string; isNumber?: true; isWhole?: true };

export type DataTableProps = {
  /** The table's name. It is read out, and shown where no heading above says the same. */
  caption: string;
  isCaptionShown?: boolean;
  columns: Column[];
  /** `key` tells the rows apart. The first cell of a row is its heading. */
  rows: { key: string | number; cells: ReactNode[] }[];
  whenEmpty: string;
};

/** As many columns fit beside each other on a tablet. */
const NARROW_COLUMNS = 4;

/** A table, which in a narrow place becomes a block for each row. No word and no number of it is broken. */
export function DataTable({ caption, isCaptionShown = false, columns, rows, whenEmpty }: DataTableProps) {
  if (rows.length === 0) return <p className={styles.empty}>{whenEmpty}</p>;
  const heads = columns.map((column) => (typeof column === "string" ? { label: column } : column));
  return (
    <div className={heads.length > NARROW_COLUMNS ? `${styles.frame} ${styles.wide}` : styles.frame}>
      <table className={styles.table}>
        <caption className={isCaptionShown ? undefined : "visually-hidden"}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head.label} scope="col" className={toCellClass(head)}>
                {head.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {heads.map((head, index) => {
                const Cell = index === 0 ? "th" : "td";
                return (
                  <Cell
                    key={head.label}
                    scope={index === 0 ? "row" : undefined}
                    className={toCellClass(head)}
                    data-label={head.label}
                  >
                    <div>{toContent(cells[index])}</div>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toCellClass({ isNumber, isWhole }: Exclude<Column, string>): string | undefined {
  return isNumber ? styles.number : isWhole ? styles.whole : undefined;
}

function toContent(cell: ReactNode): ReactNode {
  if (cell === undefined || cell === "") return "–";
  return typeof cell === "string" ? keepWhole(cell) : cell;
}

/** Days, receipts and codes with digits, which a browser would break at a hyphen. Longer ones may be broken. */
const brittle = /(?<!\S)(\S*-\S*)(?!\S)/;
const LONGEST_WHOLE = 24;

/** A text whose numbers with hyphens, such as `D-2026-000042`, stay on one line. */
export function keepWhole(text: string): ReactNode {
  if (!brittle.test(text)) return text;
  return text.split(brittle).map((part, index) => {
    const isWhole = /\d/.test(part) && part.includes("-") && part.length <= LONGEST_WHOLE;
    return (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={isWhole ? styles.whole : undefined}>
        {part}
      </span>
    );
  });
}
