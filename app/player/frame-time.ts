import type { RefObject } from "react";

import type { Video } from "../../server/content/items/video.ts";

export type ForeignVideo = Video & { kind: "youtube" | "vimeo" };

/** YouTube tells its time by itself once `player-watch.tsx` has spoken to it; Vimeo wants to be asked for each event. */
const vimeoRequests = ["timeupdate", "ended"].map((value) => JSON.stringify({ method: "addEventListener", value }));

/** The parts of both hosts' messages that tell a time, in seconds. */
type TimeMessage = {
  event?: string;
  info?: { currentTime?: number; duration?: number; playerState?: number } | null;
  data?: { seconds?: number; duration?: number } | null;
};

/** `left`: in ms; Infinity until the player has said something. */
export type FrameTime = { left: () => number; stop: () => void };

export function listenToFrame(frame: RefObject<HTMLIFrameElement | null>, video: ForeignVideo): FrameTime {
  const { origin } = new URL(video.src);
  let seconds = 0;
  let duration = Infinity;
  let isOver = false;
  let hasSubscribed = video.kind === "youtube";

  function onMessage({ source, origin: sender, data }: MessageEvent): void {
    if (source !== frame.current?.contentWindow || sender !== origin) return;
    const { event, info, data: times } = readMessage(data);
    if (!hasSubscribed) for (const request of vimeoRequests) frame.current.contentWindow?.postMessage(request, origin);
    hasSubscribed = true;
    seconds = info?.currentTime ?? times?.seconds ?? seconds;
    duration = info?.duration || times?.duration || duration;
    // YouTube's state 0 is “ended”.
    if (event === "ended" || info?.playerState === 0) isOver = true;
    if (event === "timeupdate" || info?.playerState === 1) isOver = false;
  }
  window.addEventListener("message", onMessage);
  return {
    left: () => (isOver ? 0 : (duration - seconds) * 1000),
    stop: () => window.removeEventListener("message", onMessage),
  };
}

/** A player's message, as JSON or as an object. */
function readMessage(data: unknown): TimeMessage {
  try {
    const message: unknown = typeof data === "string" ? JSON.parse(data) : data;
    return typeof message === "object" && message !== null ? message : {};
  } catch {
    return {};
  }
}
