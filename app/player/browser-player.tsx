import type { Sound } from "../../server/content/sound.ts";

type BrowserPlayerProps = { title: string; sound: Sound };

/** The browser's own player. Without script a loop goes on until it is stopped. */
export function BrowserPlayer({ title, sound: { src, type, m4a, playMinutes } }: BrowserPlayerProps) {
  return (
    // Captions belong to films: the item's text or transcript says what is heard.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio controls preload="none" loop={!!playMinutes} aria-label={title}>
      <source src={src} type={type} />
      {m4a && <source src={m4a} type="audio/mp4" />}
    </audio>
  );
}
