import type { ComponentType } from "react";

import type { Sound } from "../../server/content/catalogue/sound.ts";
import type { Listening } from "./core/listening.ts";
import type { KnownPosition } from "./core/positions.ts";
import { createStore } from "./core/store.ts";

/** A recording, as it is shown on any page. */
export type Recording = {
  itemKey: string;
  title: string;
  sound: Sound;
  /** The address of its picture. */
  picture: string | undefined;
};

/** A recording with what plays it. */
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

/** Where a tab notes what plays in it. */
export const SESSION_KEY = "playing";

/** The recording that plays on from page to page until it is closed, if there is one. */
export const nowPlaying = createStore<NowPlaying | undefined>(undefined);
