import { useEffect, useState, type RefObject } from "react";

import { OutsideLink } from "../components/outside-link.tsx";
import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import type { ForeignVideo } from "./frame-time.ts";
import styles from "./player-watch.module.css";

/** Once loaded, a player answers within a second or two. */
const PATIENCE_MS = { afterLoad: 4000, atMost: 10_000 };
const ASK_EVERY_MS = 250;

/** A message that each player answers once it runs, as YouTube's iframe API (with `enablejsapi`) and Vimeo's player.js send it. */
const hosts = {
  youtube: { name: "YouTube", question: '{"event":"listening","id":1,"channel":"widget"}' },
  vimeo: { name: "Vimeo", question: '{"method":"ping"}' },
};

type PlayerWatchProps = {
  frame: RefObject<HTMLIFrameElement | null>;
  video: ForeignVideo;
  onRetry: () => void;
};

/**
 * Shows the frame of another host's player once the player has answered. An unreachable host leaves the browser's own error page,
 * white at night, which fires `load` like any other. A player that is silent for too long is shown with a link to the film.
 */
export function PlayerWatch({ frame, video, onRetry }: PlayerWatchProps) {
  const [state, setState] = useState<"waiting" | "answered" | "silent">("waiting");
  const [isPressed, setIsPressed] = useState(false);
  const { name, question } = hosts[video.kind];

  // Focus within another host's frame does not match `:focus` here.
  useEffect(() => {
    const onBlur = () => setIsPressed(document.activeElement === frame.current);
    window.addEventListener("blur", onBlur);
    return () => window.removeEventListener("blur", onBlur);
  }, [frame]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const giveUp = () => setState("silent");
    let patience = setTimeout(giveUp, PATIENCE_MS.atMost);
    const onLoad = () => {
      clearTimeout(patience);
      patience = setTimeout(giveUp, PATIENCE_MS.afterLoad);
    };
    // The message is no secret, and the frame may still be blank.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const asking = setInterval(() => element.contentWindow?.postMessage(question, "*"), ASK_EVERY_MS);
    const stop = () => {
      clearTimeout(patience);
      clearInterval(asking);
      element.removeEventListener("load", onLoad);
      window.removeEventListener("message", onMessage);
    };
    function onMessage({ source, origin }: MessageEvent): void {
      if (source !== element?.contentWindow || origin !== new URL(video.src).origin) return;
      stop();
      setState("answered");
    }
    element.addEventListener("load", onLoad, { once: true });
    window.addEventListener("message", onMessage);
    return stop;
  }, [frame, video.src, question]);

  return (
    <div className={state === "answered" ? undefined : styles[state]} data-pressed={isPressed || undefined}>
      <p role="status">{texts[state](name)}</p>
      {state === "silent" && (
        <>
          <OutsideLink className={buttons.quiet} href={toPageAddress(video)}>
            <Icon name="external" />
            <span>{`Watch it on ${name}`}</span>
          </OutsideLink>
          <button type="button" className={buttons.quiet} onClick={onRetry}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

const texts = {
  waiting: (name: string) => `Waiting for ${name}`,
  answered: () => "",
  silent: (name: string) => `${name} isn't answering, so this film may not play here.`,
};

/** The film's own page, with its list and its start; an unlisted film of Vimeo has its key there. */
function toPageAddress({ kind, src }: ForeignVideo): string {
  const { pathname, searchParams, hash } = new URL(src);
  const id = pathname.split("/").at(-1) ?? "";
  if (kind === "vimeo") {
    const key = searchParams.get("h");
    return `https://vimeo.com/${id}${key ? `/${key}` : ""}${hash}`;
  }
  const channel = searchParams.get("channel");
  if (channel) return `https://www.youtube.com/channel/${channel}/live`;
  const list = searchParams.get("list");
  if (id === "videoseries") return `https://www.youtube.com/playlist?list=${list}`;
  const start = searchParams.get("start");
  return `https://www.youtube.com/watch?v=${id}${list ? `&list=${list}` : ""}${start ? `&t=${start}s` : ""}`;
}
