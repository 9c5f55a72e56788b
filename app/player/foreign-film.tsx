import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { type ForeignVideo, type FrameTime, listenToFrame } from "./frame-time.ts";
import { sendAtOnce } from "./core/send-at-once.ts";
import { PlayerWatch } from "./player-watch.tsx";
import { FilmTimer } from "./controls/sleep-timer.tsx";
import { silenceOthers } from "./core/solo.ts";

type ForeignFilmProps = { itemKey: string; title: string; video: ForeignVideo; onClose: () => void };

type FrameRef = RefObject<HTMLIFrameElement | null>;

/** A film in another host's player, which has controls of its own. */
export function ForeignFilm({ itemKey, title, video, onClose }: ForeignFilmProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  // A new frame in place of one that is silent.
  const [attempt, setAttempt] = useState(0);
  return (
    <>
      <div className={`player-frame player-${video.orientation}`}>
        <iframe
          key={attempt}
          ref={frame}
          src={toFrameAddress(video)}
          title={title}
          // Scripts and its own origin are harmless together in a frame of another host: it cannot reach ours.
          // oxlint-disable-next-line react/iframe-missing-sandbox
          sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
          allow="autoplay; fullscreen; picture-in-picture"
          allowFullScreen
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
      {useHydrated() && (
        <>
          <PlayerWatch key={attempt} frame={frame} video={video} onRetry={() => setAttempt(attempt + 1)} />
          <ForeignTimer itemKey={itemKey} frame={frame} video={video} onClose={onClose} />
        </>
      )}
    </>
  );
}

/** YouTube's player answers only with its API enabled. A list may be in the address already, and a start of Vimeo's behind `#`. */
function toFrameAddress({ kind, src }: ForeignVideo): string {
  const more = kind === "youtube" ? `${src.includes("?") ? "&" : "?"}enablejsapi=1` : "";
  return src.replace(/#|$/, (end) => `${more}&autoplay=1${end}`);
}

type ForeignTimerProps = Omit<ForeignFilmProps, "title"> & { frame: FrameRef };

/** The sleep timer over a film that begins elsewhere. */
function ForeignTimer({ itemKey, frame, video, onClose }: ForeignTimerProps) {
  const frameLeft = useFrameTime(frame, video);
  useEffect(() => {
    // We know no more about what another host plays.
    sendAtOnce({ open: itemKey });
    silenceOthers();
  }, [itemKey]);
  function close(): void {
    // Silent at once, whatever the way back takes; and without a step in the history.
    frame.current?.contentWindow?.location.replace("about:blank");
    onClose();
  }
  return <FilmTimer frameLeft={frameLeft} onEnd={close} />;
}

function useFrameTime(frame: FrameRef, video: ForeignVideo): () => number {
  const time = useRef<FrameTime>(undefined);
  useEffect(() => {
    time.current = listenToFrame(frame, video);
    return time.current.stop;
  }, [frame, video]);
  return useCallback(() => time.current?.left() ?? Infinity, []);
}
