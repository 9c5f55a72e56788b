import { after, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "../clock.ts";
import { isDrawn } from "../content/drawn-pictures.ts";
import type { ContentSource, Media } from "../content/content-source.ts";
import { createPictureStore } from "../content/picture-store.ts";
import type { Log } from "../log.ts";
import type { WordpressClient } from "./wordpress-client.ts";
import { AwayFault } from "./wordpress-faults.ts";
import { createFilms } from "./wordpress-films.ts";

/** The files of a WordPress as its content shows them; nothing else of it can be asked for. */
export type WordpressMedia = {
  /** From now on these are known: their addresses by their names. */
  know(files: ReadonlyMap<string, string>): void;
  find: ContentSource["findMedia"];
};

type MediaOptions = { client: Pick<WordpressClient, "readFile">; clock: Clock; log: Log; folder: string };

/** What telephones make today. */
const PICTURE_MAX_BYTES = 20_000_000;
/** How long nobody waits again for a picture that did not come; after a few in a row, for any. */
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
