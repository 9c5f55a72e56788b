import { useEffect, useMemo, useState } from "react";

import type { Video } from "../../server/content/items/video.ts";
import { type Controls, hasFailed, type Progress } from "./core/controls.ts";
import { FilmControls } from "./controls/film-controls.tsx";
import { showOnLockScreen } from "./core/lock-screen.ts";
import { keepPosition, type KnownPosition } from "./core/positions.ts";
import { FilmTimer } from "./controls/sleep-timer.tsx";
import { playAlone } from "./core/solo.ts";
import { toSourceProps } from "./core/sources.ts";

type OwnFilmProps = {
  itemKey: string;
  title: string;
  film: Video & { kind: "file" };
  position: KnownPosition | undefined;
};

/**
 * A film of our own, with our controls once script is there, and the browser's before. H.264 comes first, as phones decode it in
 * hardware. A film of a CMS may have no captions, but a transcript.
 */
export function OwnFilm({ itemKey, title, film: { src, webm, captions, orientation }, position }: OwnFilmProps) {
  const [element, setElement] = useState<HTMLVideoElement | null>(null);
  const { src: only, sources } = toSourceProps([
    { src, type: /\.webm\b/.test(src) ? "video/webm" : "video/mp4" },
    ...(webm ? [{ src: webm, type: "video/webm" }] : []),
  ]);
  return (
    <>
      <div className={`player-frame player-${orientation}`}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <video ref={setElement} src={only} controls={element === null} autoPlay playsInline aria-label={title}>
          {sources.map((file) => (
            <source key={file.src} {...file} />
          ))}
          {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
        </video>
      </div>
      {element && <FilmTools film={element} itemKey={itemKey} title={title} position={position} />}
    </>
  );
}

/** The parts that script adds to a film: its controls, those of the lock screen, the sleep timer, and the member's position. */
function FilmTools({ film, itemKey, title, position }: Omit<OwnFilmProps, "film"> & { film: HTMLVideoElement }) {
  const controls = useMemo(() => toControls(film), [film]);
  const [known] = useState(position);
  useEffect(() => {
    const picture = document.querySelector<HTMLImageElement>("#play img");
    const releases = [
      playAlone(film),
      showOnLockScreen(controls, { title, picture: picture?.currentSrc }),
      known && keepPosition(film, { itemKey, known }),
    ];
    return () => {
      for (const release of releases) release?.();
    };
  }, [film, controls, itemKey, title, known]);
  return (
    <>
      <FilmControls film={film} controls={controls} title={title} />
      <FilmTimer element={film} />
    </>
  );
}

const SKIP_SECONDS = 10;

function toControls(film: HTMLVideoElement): Controls {
  return {
    element: film,
    skipSeconds: SKIP_SECONDS,
    // Until the film's length is known it begins where its address says.
    seek: (seconds) => film.duration && (film.currentTime = Math.min(film.duration, Math.max(0, seconds))),
    read: () => readProgress(film),
  };
}

function readProgress(film: HTMLVideoElement): Progress {
  const { currentTime: seconds, duration, paused } = film;
  const isLost = hasFailed(film);
  return { seconds, duration: Number.isFinite(duration) ? duration : 0, isPlaying: !paused && !isLost, isLost };
}
