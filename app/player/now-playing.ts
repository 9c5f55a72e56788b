import type { ComponentType } from "react";

import type { Sound } from "../../server/content/items/sound.ts";
import type { Listening } from "./core/listening.ts";
import type { KnownPosition } from "./core/positions.ts";
import { createStore } from "./core/store.ts";

export type Recording = {
  itemKey: string;
  title: string;
  sound: Sound;
  /** The address of its picture. */
  picture: string | undefined;
};

export type Playing = Listening & {
  recording: Recording;
  /** The server's state of it, if it stores positions. */
  position?: KnownPosition | undefined;
  /** The volume that it comes up to, slowly, where it follows another recording. */
  risesTo?: number | undefined;
  /** The member on whose page it was played before a reload. */
  memberId?: number | undefined;
};

/** Its bar comes with what plays, so that no page is heavier before. */
export type NowPlaying = Playing & { Bar: ComponentType<{ playing: Playing }> };

/** The entry of the session storage that names what plays in this tab. */
export const SESSION_KEY = "playing";

/** The recording that plays on from page to page until it is closed. */
export const nowPlaying = createStore<NowPlaying | undefined>(undefined);
