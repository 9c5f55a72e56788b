import { useEffect } from "react";

import { useStore } from "./controls/use-store.ts";
import { readItem } from "./core/storage.ts";
import { nowPlaying, SESSION_KEY } from "./now-playing.ts";

/** The recording that plays on, beside every page and every error. After a reload it is offered again. */
export function PlayingOn() {
  const playing = useStore(nowPlaying);
  useEffect(() => {
    if (readItem(SESSION_KEY, "sessionStorage") === null) return;
    // Firefox reports a module as missing when its page goes away meanwhile; and without a line there is no offer.
    void import("./offer-again.ts").then(
      ({ offerAgain }) => offerAgain(),
      () => undefined,
    );
  }, []);
  return playing && <playing.Bar playing={playing} />;
}
