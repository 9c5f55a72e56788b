import { nowPlaying } from "./now-playing.ts";
import { readNote, showBar } from "./player-bar.tsx";
import { openRecording } from "./recording.ts";

/** Offers to go on with what played in this tab before a reload, unless its own page is there, which does. */
export function offerAgain(): void {
  const note = readNote();
  if (!note || nowPlaying.read() || document.querySelector(`[data-sound="${note.recording.itemKey}"]`)) return;
  showBar(openRecording(note.recording, note));
}
