import type { PartCheck } from "../part-check.ts";

/** Where content comes from: the bundled Markdown, or a CMS. */
export type ContentSource = {
  /** What operators know it by. */
  name: string;
  /** Where its own pages are, if it has any: relative links of its texts lead there. */
  site?: string;
  /**
   * Every published item, in the shape of `sourceItemSchema` if all is well; the catalogue checks each one. An item that
   * has not changed may be the same object as before, and so may be the whole list; nobody alters them. `undefined` where nobody
   * could be asked, and nobody is to blame: it was not read, and what was read last stays.
   * @throws when it cannot be read whole: half a list is no list.
   */
  listItems(wish?: ListWish): Promise<unknown[] | undefined>;
  /** What is on disk of its last good reading, for a start while it is away. Sources that are always there keep nothing. */
  readKept?(): Promise<KeptItems | undefined>;
  /**
   * A file that items refer to as `media/NAME`, a picture about as wide as asked for where the source can draw it so.
   * `away`: there is such a file, but it cannot be had now.
   */
  findMedia(name: string, width?: number): Promise<Media | "away" | undefined>;
  /** Asks it for real. */
  check(): Promise<PartCheck>;
};

/** `acceptsEmpty`: an operator says that it is no mistake if there is nothing where there was much. */
export type ListWish = { acceptsEmpty?: boolean };

/** `fault`: why the last reading failed; none where nobody could be asked since. */
export type KeptItems = { items: unknown[]; readAt: Date | undefined; fault: string | undefined };

export type Media = {
  contentType: string;
  sizeInBytes: number;
  /** The most bytes that one answer should carry; everything, if nothing is said. */
  partMaxBytes?: number;
  /** The bytes from `start` up to and including `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
};
