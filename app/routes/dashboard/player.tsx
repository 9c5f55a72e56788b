import { lazy, Suspense, useRef, useState, type ComponentType, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { BackLink } from "../../components/links.tsx";
import type { Video } from "../../../server/content/video.ts";
import buttons from "../../components/button.module.css";
import { Icon } from "../../components/icons.tsx";
import { useModal } from "./account/use-modal.ts";
import { useKeptPosition, useOpened } from "./kept-position.ts";
import type { PlayerWatchProps } from "./player-watch.tsx";
import styles from "./player.module.css";

/** If its script does not arrive, the frame comes up by itself. */
const PlayerWatch = lazy<ComponentType<PlayerWatchProps>>(() =>
  import("./player-watch.tsx").catch(() => ({ default: () => null })),
);

export type ForeignVideo = Video & { kind: "youtube" | "vimeo" };

type PlayerProps = ScreenProps & { closePath: string };

type ScreenProps = { itemKey: string; title: string; video: Video };

/**
 * The full-screen player. It is an open dialog over an inert page, closed by a link; with script it becomes a modal one
 * that keeps the focus and closes by Escape as well. Only here is another host's player asked for.
 */
export function Player({ closePath, ...screen }: PlayerProps) {
  const dialog = useModal();
  const closeLink = useRef<HTMLAnchorElement>(null);
  return (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      className={styles.player}
      aria-label={screen.title}
      onCancel={(event) => {
        event.preventDefault();
        closeLink.current?.click();
      }}
    >
      <BackLink
        ref={closeLink}
        className={`${buttons.round} ${styles.close}`}
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

function Screen({ itemKey, title, video }: ScreenProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [attempt, setAttempt] = useState(0);
  const isHydrated = useHydrated();
  const className = `${styles.frame} ${styles[video.orientation]}`;
  // No more is known of what another host plays.
  useOpened(isForeign(video) ? itemKey : undefined);
  if (!isForeign(video)) {
    return (
      <div className={className}>
        {video.kind === "file" && <OwnFilm itemKey={itemKey} title={title} film={video} />}
      </div>
    );
  }
  return (
    <>
      <div className={className}>
        <ForeignFilm key={attempt} frame={frame} title={title} video={video} />
      </div>
      {isHydrated && (
        <Suspense>
          <PlayerWatch key={attempt} frame={frame} video={video} onRetry={() => setAttempt(attempt + 1)} />
        </Suspense>
      )}
    </>
  );
}

function isForeign(video: Video): video is ForeignVideo {
  return video.kind === "youtube" || video.kind === "vimeo";
}

type ForeignFilmProps = { frame: RefObject<HTMLIFrameElement | null>; title: string; video: ForeignVideo };

function ForeignFilm({ frame, title, video: { kind, src } }: ForeignFilmProps) {
  return (
    <iframe
      ref={frame}
      // YouTube's player answers only with its API enabled.
      src={src + (kind === "youtube" ? "?enablejsapi=1&autoplay=1" : "&autoplay=1")}
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

type OwnFilmProps = Omit<ScreenProps, "video"> & { film: Video & { kind: "file" } };

/** H.264 comes first, as phones decode it in hardware. A film of a CMS may have no captions, but a transcript. */
function OwnFilm({ itemKey, title, film }: OwnFilmProps) {
  const { src, webm, captions } = film;
  const element = useRef<HTMLVideoElement>(null);
  useKeptPosition(element, itemKey);
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video ref={element} controls autoPlay playsInline aria-label={title}>
      <source src={src} type={/\.webm\b/.test(src) ? "video/webm" : "video/mp4"} />
      {webm && <source src={webm} type="video/webm" />}
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
    </video>
  );
}
