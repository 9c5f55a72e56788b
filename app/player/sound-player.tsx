import { type ReactNode, useState } from "react";

import type { Sound } from "../../server/content/sound.ts";
import type { Video } from "../../server/content/video.ts";
import { nowPlaying } from "./now-playing.ts";
import type { KnownPlace } from "./positions.ts";
import { Recording } from "./recording.tsx";
import { SoundStage } from "./sound-stage.tsx";

type PlayedItem = {
  itemKey: string;
  title: string;
  /** The member's place in it, if places are stored. */
  place: KnownPlace | undefined;
};

type SoundPlayerProps = PlayedItem & {
  video: Video | undefined;
  sound: Sound;
  /** Its picture. */
  children: ReactNode;
};

/** An item's recording, below the picture. Once it plays it goes on while its member goes from page to page. */
export function SoundPlayer({ itemKey, title, video, sound, place, children }: SoundPlayerProps) {
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [isPlaying] = useState(() => nowPlaying.read()?.recording.itemKey === itemKey);
  // Of an item with both, the place in its film is kept.
  const known = video?.kind === "file" ? undefined : place;
  return (
    <div ref={setStage} id="sound" className="player-sound" data-sound={itemKey}>
      {children}
      <div className="player-controls">
        {!isPlaying && <Recording title={title} sound={sound} />}
        {stage && <SoundStage stage={stage} itemKey={itemKey} title={title} sound={sound} place={known} />}
      </div>
    </div>
  );
}
