import { readItem, writeItem } from "../core/storage.ts";
import { createStore } from "../core/store.ts";

export type Speed = 0.75 | 1 | 1.25 | 1.5;

export const speeds: Speed[] = [0.75, 1, 1.25, 1.5];

/** A speed as it was stored, such as `1.25`; else the usual one. */
export function parseSpeed(text: string | null): Speed {
  return speeds.find((speed) => String(speed) === text) ?? 1;
}

/** Whether captions were switched `on` or `off` on this device; else the browser's own settings say whether they are shown. */
export function parseCaptions(text: string | null): boolean | undefined {
  return text === null ? undefined : text === "on";
}

const SPEED_KEY = "film-speed";
const CAPTIONS_KEY = "film-captions";

type FilmSettings = { speed: Speed; isCaptioned: boolean | undefined };

/** A member's choices about films, which are stored on this device and never sent. */
export const filmSettings = createStore<FilmSettings>({
  speed: parseSpeed(readItem(SPEED_KEY)),
  isCaptioned: parseCaptions(readItem(CAPTIONS_KEY)),
});

export function writeSpeed(speed: Speed): void {
  writeItem(SPEED_KEY, speed === 1 ? undefined : String(speed));
  filmSettings.set({ ...filmSettings.read(), speed });
}

export function writeCaptions(isCaptioned: boolean): void {
  writeItem(CAPTIONS_KEY, isCaptioned ? "on" : "off");
  filmSettings.set({ ...filmSettings.read(), isCaptioned });
}
