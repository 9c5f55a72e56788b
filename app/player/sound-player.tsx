import { type ReactNode, useState } from "react";

import type { Item } from "../../server/content/item.ts";
import { itemKey } from "../../server/content/kinds.ts";
import type { Sound } from "../../server/content/sound.ts";
import { nowPlaying } from "./now-playing.ts";
import type { KnownPlace } from "./positions.ts";
import { Recording } from "./recording.tsx";
import { SoundStage } from "./sound-stage.tsx";

type SoundPlayerProps = {
  item: Pick<Item, "kind" | "id" | "title" | "video">;
  sound: Sound;
  /** The member's place in it, if places are stored. */
  place: KnownPlace | undefined;
  /** Its picture. */
  children: ReactNode;
};

/** An item's recording, below the picture. Once it plays it goes on while its member goes from page to page. */
export function SoundPlayer({ item, sound, place, children }: SoundPlayerProps) {
  const { title, video } = item;
  const key = itemKey(item);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [isPlaying] = useState(() => nowPlaying.read()?.recording.itemKey === key);
  // Of an item with both, the place in its film is kept.
  const known = video?.kind === "file" ? undefined : place;
  return (
    <div ref={setStage} id="sound" className="player-sound" data-sound={key}>
      {children}
      <div className="player-controls">
        {!isPlaying && <Recording title={title} sound={sound} />}
        {stage && <SoundStage stage={stage} itemKey={key} title={title} sound={sound} place={known} />}
      </div>
    </div>
  );
}
