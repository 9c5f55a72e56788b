import { useRef } from "react";

import type { Video } from "../../../server/content/video.ts";
import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { Icon } from "../../ui/icons.tsx";
import { useModal } from "./account/use-modal.ts";
import styles from "./player.module.css";

type PlayerProps = { title: string; video: Video; closePath: string };

/**
 * The full-screen player. It is an open dialog over an inert page, closed by a link; with script it becomes a modal one
 * that keeps the focus and closes by Escape as well. A player of another host is first asked for here.
 */
export function Player({ title, video, closePath }: PlayerProps) {
  const dialog = useModal();
  const closeLink = useRef<HTMLAnchorElement>(null);
  return (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      className={styles.player}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        closeLink.current?.click();
      }}
    >
      <a
        ref={closeLink}
        className={`${buttons.round} ${styles.close}`}
        href={href(closePath)}
        data-back=""
        data-focus="#play"
        data-stay=""
      >
        <Icon name="close" />
        <span className="visually-hidden">Close video</span>
      </a>
      <div className={`${styles.frame} ${styles[video.orientation]}`}>
        <Screen title={title} video={video} />
      </div>
    </dialog>
  );
}

function Screen({ title, video }: { title: string; video: Video }) {
  if (video.kind === "file") {
    return <OwnFilm title={title} film={video} />;
  }
  return (
    <iframe
      src={`${video.src}${video.src.includes("?") ? "&" : "?"}autoplay=1`}
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

/** H.264 comes first: telephones play it without effort. A film of a CMS may have no captions; its words are in the transcript. */
function OwnFilm({ title, film }: { title: string; film: Video & { kind: "file" } }) {
  const { src, webm, captions } = film;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video controls autoPlay playsInline aria-label={title}>
      <source src={src} type={src.endsWith(".webm") ? "video/webm" : "video/mp4"} />
      {webm && <source src={webm} type="video/webm" />}
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
    </video>
  );
}
