import { type ComponentType, lazy, type MouseEvent, Suspense } from "react";

import type { Sound } from "../../server/content/items/sound.ts";
import { isPlainClick } from "../components/links.tsx";
import { href } from "../frame/paths.ts";
import { useEvents } from "./controls/use-events.ts";
import { useStore } from "./controls/use-store.ts";
import type { KnownPosition } from "./core/positions.ts";
import { listSources } from "./core/sources.ts";
import { nowPlaying } from "./now-playing.ts";

const pauseEvents = ["play", "pause"];

const loadPlayer = () => import("./played-here.tsx");

/** A link to an item's page; where it is a recording, what a tap plays. */
export type OneTap = {
  key: string;
  title: string;
  path: string;
  played?: { sound: Sound; position: KnownPosition } | undefined;
};

/** Lets a tap on a link play its recording at once, in the bar at the foot of the page. Its picture is within the link. */
export function useOneTap({ key, title, path, played }: OneTap) {
  const playing = useStore(nowPlaying);
  const own = playing?.recording.itemKey === key ? playing.element : undefined;
  useEvents(own, pauseEvents);
  const isPaused = own?.paused ?? true;
  const canPlay = isPaused && played !== undefined;

  function play(event: MouseEvent<HTMLAnchorElement>): void {
    if (!canPlay || !isPlainClick(event)) return;
    event.preventDefault();
    const { sound, position } = played;
    if (own) return void own.play().catch(() => undefined);
    const element = begin(sound, position.startAt);
    const image = event.currentTarget.querySelector("img");
    const recording = { itemKey: key, title, sound, picture: image?.currentSrc || image?.src };
    loadPlayer().then(
      ({ takeOver }) => takeOver(recording, { element, position }),
      () => {
        // Nothing may play that cannot be stopped.
        element.pause();
        window.location.assign(href(path));
      },
    );
  }

  function pause(event: MouseEvent<HTMLAnchorElement>): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    own?.pause();
  }

  return { isPaused, canPlay, play, pause };
}

/** Plays at once: browsers allow it only within the press, before any script can be fetched. */
function begin(sound: Sound, startAt = 0): HTMLAudioElement {
  const element = new Audio();
  element.loop = sound.playMinutes !== undefined;
  const { src } = listSources(sound).find(({ type }) => element.canPlayType(type)) ?? sound;
  element.src = src + (element.loop ? "" : `#t=${startAt}`);
  element.play().catch(() => undefined);
  return element;
}

const LateTimer = lazy(async (): Promise<{ default: ComponentType }> => {
  const loaded = await loadPlayer().catch(() => undefined);
  return { default: loaded?.OneTapTimer ?? (() => null) };
});

/** The timer of what plays. Where its script is lost the bar has one. */
export function OneTapTimer() {
  return (
    <Suspense fallback={null}>
      <LateTimer />
    </Suspense>
  );
}
