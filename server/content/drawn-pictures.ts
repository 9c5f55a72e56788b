import { createHash } from "node:crypto";

/**
 * Pictures that are drawn anew in a few widths before anybody sees them. One is known by its name, `media/HASH.webp`, and
 * asked for as `?w=400`; what comes with the product has plain names and is served as it is.
 */
export const drawnWidths = [400, 800, 1600] as const;
export type DrawnWidth = (typeof drawnWidths)[number];

const HASH_LENGTH = 32;

/** The name of what is at an address, with the ending of what it is served as. */
export function nameOfAddress(address: string, ending: string): string {
  return `${createHash("sha256").update(address).digest("hex").slice(0, HASH_LENGTH)}.${ending}`;
}

export function isDrawn(name: string): boolean {
  return /^[\da-f]{32}\.webp$/.test(name);
}

/** The width that is drawn for one that was asked for: the next larger. */
export function chooseWidth(asked: number | undefined): DrawnWidth {
  if (asked === undefined) return 800;
  return drawnWidths.find((width) => width >= asked) ?? 1600;
}

/** The widths worth drawing of a picture so wide: nothing is made larger than it is. */
export function listWidths(width: number): DrawnWidth[] {
  const last = drawnWidths.findIndex((each) => each >= width);
  return drawnWidths.slice(0, last === -1 ? drawnWidths.length : last + 1);
}
