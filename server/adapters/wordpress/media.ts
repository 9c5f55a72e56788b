import { after, type Clock, MINUTE_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import { isDrawn } from "../../content/drawn-pictures.ts";
import { createPictureStore } from "../../content/picture-store.ts";
import type { ContentSource, Media } from "../../content/source.ts";
import type { Log } from "../../log.ts";
import { AwayFault, type WordpressClient, WordpressFault } from "./client.ts";

/** The files of a WordPress as its content shows them; nothing else of it can be asked for. */
export type WordpressMedia = {
  /** From now on these are known: their addresses by their names. */
  know(files: ReadonlyMap<string, string>): void;
  find: ContentSource["findMedia"];
};

type MediaOptions = { client: Pick<WordpressClient, "readFile">; clock: Clock; log: Log; folder: string };

/** What telephones make today. */
const PICTURE_MAX_BYTES = 20_000_000;
/** How long a picture that did not come is not asked for again; after a few in a row, any picture. */
const AWAY_FOR_MS = 30 * SECOND_IN_MS;
const FEW = 2;
/** How long what is no picture is not asked for again. */
const MISSING_FOR_MS = 10 * MINUTE_IN_MS;

export function createWordpressMedia({ client, clock, log, folder }: MediaOptions): WordpressMedia {
  const pictures = createPictureStore({ folder, clock, log });
  const films = createFilms({ client });
  const waits = createWaits(clock);
  let known: ReadonlyMap<string, string> = new Map();

  /** A file's bytes; nothing where there is none. @throws when WordPress does not answer, at once for a while after that. */
  async function fetchPicture(name: string, address: string): Promise<Uint8Array | undefined> {
    const wait = waits.find(name);
    if (wait === "away") throw new AwayFault("WordPress did not answer a moment ago");
    if (wait === "missing") return undefined;
    try {
      const { status, bytes } = await client.readFile(address, { maxBytes: PICTURE_MAX_BYTES });
      waits.noteAnswer();
      return status === 200 ? bytes : undefined;
    } catch (error) {
      if (!(error instanceof AwayFault)) return undefined;
      waits.noteAway(name);
      throw error;
    }
  }

  async function findPicture(
    name: string,
    address: string,
    width: number | undefined,
  ): Promise<Media | "away" | undefined> {
    const drawn = await pictures.find({ name, width, fetch: () => fetchPicture(name, address) });
    if (drawn === undefined) waits.noteMissing(name);
    if (drawn === undefined || drawn === "away") return drawn;
    return { contentType: "image/webp", ...drawn };
  }

  return {
    know(files) {
      known = files;
      waits.forget();
      films.forget();
    },
    async find(name, width) {
      const address = known.get(name);
      if (address === undefined) return undefined;
      return isDrawn(name) ? findPicture(name, address, width) : films.find(name, address);
    },
  };
}

/** What is not worth asking for now. */
function createWaits(clock: Clock) {
  const missing = new Map<string, Date>();
  const away = new Map<string, Date>();
  let failures = 0;
  let allAwayUntil = new Date(0);

  const isBefore = (until: Date | undefined) => until !== undefined && clock() < until;
  return {
    find(name: string): "missing" | "away" | undefined {
      if (isBefore(missing.get(name))) return "missing";
      return isBefore(allAwayUntil) || isBefore(away.get(name)) ? "away" : undefined;
    },
    noteMissing: (name: string) => void missing.set(name, after(clock(), MISSING_FOR_MS)),
    noteAway(name: string) {
      const until = after(clock(), AWAY_FOR_MS);
      away.set(name, until);
      failures += 1;
      if (failures >= FEW) allAwayUntil = until;
    },
    noteAnswer: () => void (failures = 0),
    forget() {
      missing.clear();
      away.clear();
    },
  };
}

/**
 * Films and recordings on the WordPress itself, and captions, passed on part by part: a part is all of one that is ever in
 * memory.
 */
type Films = {
  find(name: string, address: string): Promise<Media | "away" | undefined>;
  /** Forgets how long they are. */
  forget(): void;
};

/** What a film or recording is served as, by the ending of our name for it. */
const contentTypes: Record<string, string> = {
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  ogg: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
  vtt: "text/vtt; charset=utf-8",
};

/** A player asks for the rest of a film and takes what it gets (RFC 9110, section 15.3.7). */
const PART_MAX_BYTES = 1_000_000;

function createFilms({ client }: { client: Pick<WordpressClient, "readFile"> }): Films {
  const sizes = new Map<string, number>();

  async function readPart(address: string, start: number, end: number) {
    const range = `bytes=${start}-${end}`;
    const { status, headers, bytes } = await client.readFile(address, { maxBytes: PART_MAX_BYTES, range });
    // A page that says there is no such file, whatever its status.
    if (/^text\/html\b/i.test(headers.get("Content-Type") ?? "")) return undefined;
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
          contentType: contentTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
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
