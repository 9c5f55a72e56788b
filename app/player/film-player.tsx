import { useRef } from "react";

import type { Item } from "../../server/content/items/item.ts";
import { itemKey } from "../../server/content/items/kinds.ts";
import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import { BackLink } from "../components/links.tsx";
import { Picture } from "../components/picture.tsx";
import { useModal } from "../components/use-modal.ts";
import { SchemeContext } from "../frame/scheme.ts";
import { ForeignFilm } from "./foreign-film.tsx";
import { OwnFilm } from "./own-film.tsx";
import type { KnownPosition } from "./core/positions.ts";

type PlayerProps = {
  /** Its picture is behind a film that does not fill the screen. */
  item: Pick<Item, "kind" | "id" | "title" | "picture" | "video">;
  position: KnownPosition | undefined;
  closePath: string;
};

/**
 * The full-screen player. It is an open dialog over an inert page, closed by a link; with script it becomes a modal one
 * that keeps the focus and closes by Escape as well. Only here is another host's player asked for.
 */
export function FilmPlayer({ item, position, closePath }: PlayerProps) {
  const { title, picture, video } = item;
  const key = itemKey(item);
  const dialog = useModal();
  const closeLink = useRef<HTMLAnchorElement>(null);
  const close = () => closeLink.current?.click();
  return (
    <dialog
      id="player"
      ref={dialog}
      open
      tabIndex={-1}
      className="player-player"
      data-scheme="night"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      {/* A dialog itself cannot fill the screen (WHATWG, Fullscreen API). */}
      <div className="player-stage">
        <div className="player-behind">
          <SchemeContext value="night">
            <Picture picture={picture} sizes="wide" alt="" />
          </SchemeContext>
        </div>
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
        {video?.kind === "file" && <OwnFilm itemKey={key} title={title} film={video} position={position} />}
        {(video?.kind === "youtube" || video?.kind === "vimeo") && (
          <ForeignFilm itemKey={key} title={title} video={video} onClose={close} />
        )}
      </div>
    </dialog>
  );
}
