/** Files for spreadsheets: RFC 4180 in UTF-8 with a byte order mark, without which Excel reads another encoding. */

export const BYTE_ORDER_MARK = "\uFEFF";

export function toCsv(rows: string[][]): string {
  return BYTE_ORDER_MARK + rows.map(toCsvLine).join("");
}

/** One row with its line end. A spreadsheet takes no cell of it as a formula. */
export function toCsvLine(cells: string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** A cell that begins like this is a formula to a spreadsheet; an apostrophe before it makes it text (OWASP, CSV injection). */
const formulaLike = /^[\s\p{C}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20|%]/u;

function toCell(text: string): string {
  const harmless = formulaLike.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
