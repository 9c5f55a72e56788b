import type { ComponentType } from "react";

import type { Sound } from "../../server/content/catalogue/sound.ts";
import type { KnownPlace } from "./core/positions.ts";
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
export type Listening = {
  recording: Recording;
  element: HTMLAudioElement;
  /** For how long it was played, in ms: the place of a loop in the minutes that it plays for. */
  playedMs: { current: number };
  /** The server's state of it, if it stores places. */
  place?: KnownPlace | undefined;
  /** Whether it was stopped here, at the end of a loop or of the timer. */
  isStopped: { current: boolean };
  /** Whether it could not be fetched. */
  isLost: { current: boolean };
  /** The volume that it comes up to, slowly, where it follows another recording. */
  risesTo?: number | undefined;
  /** The member on whose page it was played before a reload. */
  memberId?: number | undefined;
};

/** Its bar comes with what plays, so that no page is heavier before. */
export type NowPlaying = Listening & { Bar: ComponentType<{ playing: Listening }> };

/** Where a tab notes what plays in it. */
export const SESSION_KEY = "playing";

/** The recording that plays on from page to page until it is closed, if there is one. */
export const nowPlaying = createStore<NowPlaying | undefined>(undefined);
