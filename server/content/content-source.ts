/** Where content comes from: the bundled Markdown, or a CMS. */
export type ContentSource = {
  /** Every published item, in the shape of `sourceItemSchema` if all is well; the catalogue checks each one. */
  listItems(): Promise<unknown[]>;
  /** A file that items refer to as `media/NAME`. */
  findMedia(name: string): Promise<Media | undefined>;
};

export type Media = {
  contentType: string;
  sizeInBytes: number;
  /** The bytes from `start` up to and including `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
};
