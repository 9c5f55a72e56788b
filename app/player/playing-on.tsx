import { useEffect } from "react";

import { nowPlaying, SESSION_KEY } from "./now-playing.ts";

/** The recording that plays on, beside every page and every error. After a reload it is offered again. */
export function PlayingOn() {
  const playing = nowPlaying.use();
  useEffect(() => {
    try {
      if (sessionStorage.getItem(SESSION_KEY)) void import("./offer-again.ts").then(({ offerAgain }) => offerAgain());
    } catch {
      // The browser keeps nothing for this site.
    }
  }, []);
  return playing && <playing.Bar playing={playing} />;
}
