import type { Media } from "../content/content-source.ts";
import type { WordpressClient } from "./wordpress-client.ts";
import { WordpressFault } from "./wordpress-faults.ts";

/** Films that lie on the WordPress itself, and their captions, passed on part by part: a part is all of one that is ever in memory. */
export type Films = {
  find(name: string, address: string): Promise<Media | "away" | undefined>;
  /** Forgets how long they are. */
  forget(): void;
};

const contentTypes: Record<string, string> = { webm: "video/webm", vtt: "text/vtt; charset=utf-8" };

/** A player asks for the rest of a film and takes what it gets (RFC 9110, section 15.3.7). */
const PART_MAX_BYTES = 1_000_000;

export function createFilms({ client }: { client: Pick<WordpressClient, "readFile"> }): Films {
  const sizes = new Map<string, number>();

  async function readPart(address: string, start: number, end: number) {
    const range = `bytes=${start}-${end}`;
    const { status, headers, bytes } = await client.readFile(address, { maxBytes: PART_MAX_BYTES, range });
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("Content-Range") ?? "") ?? [];
    if (status === 206 && Number(from) === start && total) return { size: Number(total), bytes };
    // A film so short that WordPress gives it whole.
    if (status === 200) return { size: bytes.byteLength, bytes: bytes.slice(start, end + 1) };
    if (status >= 400) return undefined;
    throw new WordpressFault(`${address}: it does not give parts of its films`);
  }

  async function measure(name: string, address: string): Promise<number | undefined> {
    const size = sizes.get(name) ?? (await readPart(address, 0, 0))?.size;
    if (size !== undefined) sizes.set(name, size);
    return size;
  }

  return {
    async find(name, address) {
      try {
        const size = await measure(name, address);
        if (!size) return undefined;
        return {
          contentType: contentTypes[name.split(".").at(-1) ?? ""] ?? "video/mp4",
          sizeInBytes: size,
          partMaxBytes: PART_MAX_BYTES,
          async read(start, end) {
            const part = await readPart(address, start, end);
            if (part?.size !== size || part.bytes.byteLength !== end - start + 1) {
              sizes.delete(name);
              throw new WordpressFault(`${address}: the film has changed while it was read`);
            }
            return part.bytes;
          },
        };
      } catch {
        return "away";
      }
    },
    forget: () => sizes.clear(),
  };
}
