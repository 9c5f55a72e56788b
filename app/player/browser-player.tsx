import type { Sound } from "../../server/content/items/sound.ts";
import { listSources, toSourceProps } from "./core/sources.ts";

/** The browser's own player. Without script a loop goes on until it is stopped. */
export function BrowserPlayer({ title, sound }: { title: string; sound: Sound }) {
  const { src, sources } = toSourceProps(listSources(sound));
  return (
    // Captions belong to films: the item's text or transcript says what is heard.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio src={src} controls preload="none" loop={!!sound.playMinutes} aria-label={title}>
      {sources.map((file) => (
        <source key={file.src} {...file} />
      ))}
    </audio>
  );
}
