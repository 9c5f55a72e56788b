import { type ComponentType, lazy, type MouseEvent, Suspense, useEffect, useReducer } from "react";
import { Form } from "react-router";

import type { Sound } from "../../../../server/content/catalogue/sound.ts";
import { Icon } from "../../../components/icons.tsx";
import { isPlainClick } from "../../../components/links.tsx";
import { Picture } from "../../../components/picture.tsx";
import { href } from "../../../frame/paths.ts";
import { useStore } from "../../../player/controls/use-store.ts";
import { nowPlaying } from "../../../player/now-playing.ts";
import { listSources } from "../../../player/core/sources.ts";
import type { Started } from "./go-on.ts";
import style from "./go-on-row.css?url";
import { landingTexts } from "./landing-texts.ts";

const loadPlayer = () => import("../../../player/played-here.tsx");

/** Without it the bar has a timer. */
const OneTapTimer = lazy(async (): Promise<{ default: ComponentType }> => {
  const loaded = await loadPlayer().catch(() => undefined);
  return { default: loaded?.OneTapTimer ?? (() => null) };
});

/** Comes first on the landing. Without script all of it is links. */
export function GoOnRow({ started }: { started: Started[] }) {
  return (
    <Form id="go-on-row" method="post" replace>
      {/* React puts it into the head, and waits for it: no other page has this style. */}
      <link rel="stylesheet" href={style} precedence="default" />
      <input type="hidden" name="intent" value="forget" />
      <h2 id="go-on">{landingTexts.started}</h2>
      <ul className="go-on-entries">
        {started.map((entry) => (
          <Entry key={entry.key} entry={entry} />
        ))}
      </ul>
    </Form>
  );
}

/** A tap plays a recording at once; while it plays the same place leads to its page. */
function Entry({ entry: { key, title, path, left, picture, percent, played, undo, isSaved } }: { entry: Started }) {
  const playing = useStore(nowPlaying);
  const own = playing?.recording.itemKey === key ? playing.element : undefined;
  const isPaused = useIsPaused(own);
  const canPlay = isPaused && played !== undefined;

  function play(event: MouseEvent<HTMLAnchorElement>): void {
    if (!canPlay || !isPlainClick(event)) return;
    event.preventDefault();
    const { sound, place } = played;
    if (own) return void own.play().catch(() => undefined);
    const element = begin(sound, place.startAt);
    const image = event.currentTarget.querySelector("img");
    const recording = { itemKey: key, title, sound, picture: image?.currentSrc || image?.src };
    loadPlayer().then(
      ({ takeOver }) => takeOver(recording, { element, place }),
      () => {
        // Nothing may play that cannot be stopped.
        element.pause();
        window.location.assign(href(path));
      },
    );
  }

  return (
    <li>
      <a href={href(path)} onClick={play}>
        {picture && (
          <span className="go-on-picture">
            <Picture picture={picture} sizes="panel" does="" />
            {canPlay && <Icon name="play" />}
            {percent !== undefined && <progress aria-hidden="true" max="100" value={percent} />}
          </span>
        )}
        <span>
          {canPlay && <span className="visually-hidden">Play: </span>}
          <span>{title}</span> <span className="go-on-left">{left}</span>
        </span>
      </a>
      {!isPaused ? (
        <Suspense fallback={null}>
          <OneTapTimer />
        </Suspense>
      ) : (
        !isSaved && (
          <button id={undo && "undo"} name={undo ? "undo" : "item"} value={undo ?? key} className="go-on-forget">
            <span>{undo ? "Undo" : "Remove"}</span>
            <span className="visually-hidden"> {title}</span>
          </button>
        )
      )}
    </li>
  );
}

/** Paused, and no recording is in the bar. */
function useIsPaused(element: HTMLAudioElement | undefined): boolean {
  const [, showAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ending = new AbortController();
    for (const change of ["play", "pause"]) element?.addEventListener(change, showAgain, { signal: ending.signal });
    return () => ending.abort();
  }, [element]);
  return element?.paused ?? true;
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
