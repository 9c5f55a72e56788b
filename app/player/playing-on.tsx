import { useEffect } from "react";

import { nowPlaying, SESSION_KEY } from "./now-playing.ts";

/** The recording that plays on, beside every page and every error. After a reload it is offered again. */
export function PlayingOn() {
  const playing = nowPlaying.use();
  useEffect(() => {
    try {
      if (sessionStorage.getItem(SESSION_KEY)) {
        // Firefox reports a module as missing when its page goes away meanwhile; and without a line there is no offer.
        void import("./offer-again.ts").then(
          ({ offerAgain }) => offerAgain(),
          () => undefined,
        );
      }
    } catch {
      // The browser keeps nothing for this site.
    }
  }, []);
  return playing && <playing.Bar playing={playing} />;
}
