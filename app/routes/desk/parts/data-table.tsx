import { Link } from "react-router";
import type { ReactNode } from "react";

import styles from "./data-table.module.css";

/** `isNumber`: right-aligned, so that digits align. `isWhole`: codes and names that must not break. */
type Column = string | { label: string; isNumber?: true; isWhole?: true };

export type DataTableProps = {
  /** Read out, and shown where no heading has it. */
  caption: string;
  isCaptionShown?: boolean;
  columns: Column[];
  /** The first cell is the row's heading. */
  rows: { key: string | number; cells: ReactNode[] }[];
  whenEmpty: string;
};

/** So many columns fit on a tablet. */
const NARROW_COLUMNS = 4;
/** And so many on a phone. */
const PAIR = 2;

/** In a narrow place each row is a block. No word or number breaks. */
export function DataTable({ caption, isCaptionShown = false, columns, rows, whenEmpty }: DataTableProps) {
  if (rows.length === 0) return <p className={styles.empty}>{whenEmpty}</p>;
  const heads = columns.map((column) => (typeof column === "string" ? { label: column } : column));
  const width = heads.length > NARROW_COLUMNS ? styles.wide : heads.length <= PAIR ? styles.pair : "";
  return (
    <div className={`${styles.frame} ${width}`}>
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
                const cell = cells[index] === "" ? undefined : cells[index];
                return (
                  <Cell
                    key={head.label}
                    scope={index === 0 ? "row" : undefined}
                    className={toCellClass(head, cell === undefined)}
                    data-label={head.label}
                  >
                    <div>{typeof cell === "string" ? keepWhole(cell) : (cell ?? "–")}</div>
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

function toCellClass({ isNumber, isWhole }: Exclude<Column, string>, isEmpty = false): string | undefined {
  const look = isNumber ? styles.number : isWhole ? styles.whole : undefined;
  return isEmpty ? `${look ?? ""} ${styles.none}`.trim() : look;
}

/** A cell that leads to a screen, if there is one. */
export function linkTo(path: string | undefined, text: ReactNode): ReactNode {
  return path === undefined ? text : <Link to={path}>{text}</Link>;
}

/** Days, receipts and codes with digits, which a browser would break at a hyphen. Longer ones may break. */
const brittle = /(?<!\S)(\S*-\S*)(?!\S)/;
const LONGEST_WHOLE = 24;

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
