import { useRef, useState, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import type { Video } from "../../server/content/video.ts";
import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import { BackLink } from "../components/links.tsx";
import { useModal } from "../components/use-modal.ts";
import { FilmTools } from "./film-tools.tsx";
import type { ForeignVideo } from "./frame-time.ts";
import type { KnownPlace } from "./positions.ts";

type PlayerProps = ScreenProps & { closePath: string };

type ScreenProps = { itemKey: string; title: string; video: Video; place: KnownPlace | undefined };

/**
 * The full-screen player. It is an open dialog over an inert page, closed by a link; with script it becomes a modal one
 * that keeps the focus and closes by Escape as well. Only here is another host's player asked for.
 */
export function FilmPlayer({ closePath, ...screen }: PlayerProps) {
  const dialog = useModal();
  const closeLink = useRef<HTMLAnchorElement>(null);
  return (
    <dialog
      id="player"
      ref={dialog}
      open
      tabIndex={-1}
      className="player-player"
      aria-label={screen.title}
      onCancel={(event) => {
        event.preventDefault();
        closeLink.current?.click();
      }}
    >
      <BackLink
        ref={closeLink}
        className={`${buttons.round} player-close`}
        to={closePath}
        focus="#play"
        preventScrollReset
      >
        <Icon name="close" />
        <span className="visually-hidden">Close video</span>
      </BackLink>
      <Screen {...screen} />
    </dialog>
  );
}

/** The player, and once script is there its tools. */
function Screen({ itemKey, title, video, place }: ScreenProps) {
  // It is one of the two.
  const media = useRef<HTMLIFrameElement & HTMLVideoElement>(null);
  const foreign = video.kind === "youtube" || video.kind === "vimeo" ? video : undefined;
  const [attempt, setAttempt] = useState(0);
  return (
    <>
      <div className={`player-frame player-${video.orientation}`}>
        {foreign && <ForeignFilm key={attempt} frame={media} title={title} video={foreign} />}
        {video.kind === "file" && <OwnFilm element={media} title={title} film={video} />}
      </div>
      {useHydrated() && (
        <FilmTools
          itemKey={itemKey}
          place={place}
          media={media}
          foreign={foreign}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
    </>
  );
}

type ForeignFilmProps = { frame: RefObject<HTMLIFrameElement | null>; title: string; video: ForeignVideo };

/** YouTube's player answers only with its API enabled. A list may be in the address already, and a start of Vimeo's behind `#`. */
function toFrameAddress({ kind, src }: ForeignVideo): string {
  const more = kind === "youtube" ? `${src.includes("?") ? "&" : "?"}enablejsapi=1` : "";
  return src.replace(/#|$/, (end) => `${more}&autoplay=1${end}`);
}

function ForeignFilm({ frame, title, video }: ForeignFilmProps) {
  return (
    <iframe
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
  );
}

type OwnFilmProps = { element: RefObject<HTMLVideoElement | null>; title: string; film: Video & { kind: "file" } };

/** H.264 comes first, as phones decode it in hardware. A film of a CMS may have no captions, but a transcript. */
function OwnFilm({ element, title, film }: OwnFilmProps) {
  const { src, webm, captions } = film;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video ref={element} controls autoPlay playsInline aria-label={title}>
      <source src={src} type={/\.webm\b/.test(src) ? "video/webm" : "video/mp4"} />
      {webm && <source src={webm} type="video/webm" />}
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
    </video>
  );
}
