import { type ReactNode, useEffect, useRef, useState } from "react";

import buttons from "../../components/button.module.css";
import { drawIcon } from "../../components/icons.tsx";
import { type Controls, toggle } from "../core/controls.ts";
import { filmSettings, type Speed, speeds, writeCaptions, writeSpeed } from "./film-settings.ts";
import { PositionSlider, PlayButton, SkipButton, Slider, TimeLeft } from "./player-controls.tsx";
import { useEvents } from "./use-events.ts";
import { useStore } from "./use-store.ts";
import { listenForKeys } from "../core/keys.ts";
import { restWhenUnused } from "./resting.ts";
import styles from "./film-controls.module.css";

const speaker = <path d="M4 9.5v5h3.5l4.5 4v-13l-4.5 4z" />;
const icons = {
  sound: drawIcon(
    <>
      {speaker}
      <path d="M15.5 9a4 4 0 0 1 0 6M18 6.5a7.6 7.6 0 0 1 0 11" />
    </>,
  ),
  muted: drawIcon(
    <>
      {speaker}
      <path d="M16 9.5l5 5M21 9.5l-5 5" />
    </>,
  ),
  captions: drawIcon(
    <>
      <rect x="3" y="5.5" width="18" height="13" rx="2.5" />
      <path d="M10.5 10.6a2 2 0 1 0 0 2.8M17 10.6a2 2 0 1 0 0 2.8" />
    </>,
  ),
  smallWindow: drawIcon(
    <>
      <path d="M21 11V7.5A2.5 2.5 0 0 0 18.5 5h-13A2.5 2.5 0 0 0 3 7.5v9A2.5 2.5 0 0 0 5.5 19H9" />
      <rect x="12" y="13.5" width="9" height="6" rx="1.5" fill="currentColor" />
    </>,
  ),
  fullScreen: drawIcon(<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />),
  partScreen: drawIcon(<path d="M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5" />),
};

type FilmProps = { film: HTMLVideoElement };

/** A film's controls, over it or on a phone below it, and its captions. */
export function FilmControls({ film, controls, title }: FilmProps & { controls: Controls; title: string }) {
  const { track, isCaptioned } = useCaptions(film);
  const stage = findStage(film);
  useEffect(() => restWhenUnused(stage, film, () => toggle(controls)), [stage, film, controls]);
  useEffect(() => {
    const keys = {
      arrowup: () => setVolume(film, film.volume + VOLUME_STEP),
      arrowdown: () => setVolume(film, film.volume - VOLUME_STEP),
      f: () => toggleFullScreen(stage),
      ...(track && { c: () => writeCaptions(!isCaptioned) }),
    };
    return listenForKeys(film.closest("dialog"), controls, keys);
  }, [stage, film, controls, track, isCaptioned]);
  return (
    <>
      <p className={styles.title}>{title}</p>
      <div className={styles.foot}>
        {track && isCaptioned && <Captions film={film} track={track} />}
        <div className={styles.panel}>
          <PositionSlider controls={controls} />
          <div className={styles.row}>
            <div className={styles.playing}>
              <SkipButton controls={controls} isBack />
              <PlayButton controls={controls} />
              <SkipButton controls={controls} />
            </div>
            <VolumeControls film={film} />
            <p className={styles.left}>
              <TimeLeft controls={controls} />
              <Waiting film={film} />
            </p>
            <SpeedChoice film={film} />
            {track && (
              <SwitchButton name="Captions" isOn={isCaptioned} onPress={() => writeCaptions(!isCaptioned)}>
                {icons.captions}
              </SwitchButton>
            )}
            <WindowButtons stage={stage} film={film} />
          </div>
        </div>
      </div>
    </>
  );
}

/** The part of the dialog that can fill the screen. */
function findStage(film: HTMLVideoElement): HTMLElement {
  return film.closest<HTMLElement>("dialog > div") ?? film;
}

type SwitchButtonProps = { name: string; isOn: boolean; onPress: () => void; children: ReactNode };

function SwitchButton({ name, isOn, onPress, children }: SwitchButtonProps) {
  return (
    <button
      type="button"
      className={`${buttons.round} ${styles.switch}`}
      aria-label={name}
      aria-pressed={isOn}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

const VOLUME_STEP = 0.1;

function setVolume(film: HTMLVideoElement, volume: number): void {
  // Steps of a tenth add up to 0.30000000000000004.
  film.volume = Math.round(Math.min(1, Math.max(0, volume)) * 100) / 100;
  film.muted = false;
}

const volumeChanges = ["volumechange"];

/** Mute, and where there is a mouse the volume; a phone has keys for it. */
function VolumeControls({ film }: FilmProps) {
  useEvents(film, volumeChanges);
  const isMuted = film.muted || film.volume === 0;
  const percent = isMuted ? 0 : Math.round(film.volume * 100);
  return (
    <>
      <SwitchButton name="Mute" isOn={isMuted} onPress={() => setMuted(film, !isMuted)}>
        {isMuted ? icons.muted : icons.sound}
      </SwitchButton>
      <div className={styles.volume}>
        <Slider
          name="Volume"
          text={isMuted ? "muted" : `${percent} %`}
          max={100}
          step={5}
          value={percent}
          onMove={(to) => setVolume(film, to / 100)}
        />
      </div>
    </>
  );
}

function setMuted(film: HTMLVideoElement, isMuted: boolean): void {
  if (isMuted) film.muted = true;
  else setVolume(film, film.volume || 1);
}

const waitingChanges = ["loadstart", "waiting", "playing", "pause", "canplay", "error", "emptied"];
const PATIENCE_MS = 1000;

/** A sentence while a film that plays, or will as soon as it can, has nothing to show. */
function Waiting({ film }: FilmProps) {
  useEvents(film, waitingChanges);
  const { paused, played, readyState, networkState } = film;
  const isLoading = networkState === HTMLMediaElement.NETWORK_LOADING && readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
  const isWaiting = isLoading && (!paused || played.length === 0);
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const patience = setTimeout(() => setIsLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(patience);
      setIsLong(false);
    };
  }, [isWaiting]);
  return <span role="status">{isLong && "Waiting for the connection"}</span>;
}

/** How fast the film plays. The choice is remembered on this device. */
function SpeedChoice({ film }: FilmProps) {
  const { speed } = useStore(filmSettings);
  useEffect(() => setSpeed(film, speed), [film, speed]);
  return (
    <select
      // Belongs to no form: the page around it is one.
      form="none"
      className={styles.speed}
      aria-label="Speed"
      value={speed}
      onChange={({ currentTarget }) => writeSpeed(Number(currentTarget.value) as Speed)}
    >
      {speeds.map((each) => (
        <option key={each} value={each}>
          {each}×
        </option>
      ))}
    </select>
  );
}

function setSpeed(film: HTMLVideoElement, speed: Speed): void {
  // The speed of a film that is loaded again.
  film.defaultPlaybackRate = speed;
  film.playbackRate = speed;
}

/** Whether captions are shown. The choice is remembered on this device; before it, the browser's own settings decide. */
function useCaptions(film: HTMLVideoElement) {
  const [track] = film.textTracks;
  const [isShown] = useState(track?.mode === "showing");
  const { isCaptioned = isShown } = useStore(filmSettings);
  useEffect(() => {
    if (track && !isCaptioned) setMode(track, "disabled");
  }, [track, isCaptioned]);
  return { track, isCaptioned };
}

function setMode(track: TextTrack, mode: TextTrackMode): void {
  track.mode = mode;
}

const smallWindowChanges = ["enterpictureinpicture", "leavepictureinpicture"];

/** Captions in our own letters: above the controls, and as large as other text. */
function Captions({ film, track }: FilmProps & { track: TextTrack }) {
  const captions = useRef<HTMLParagraphElement>(null);
  useEvents(film, smallWindowChanges);
  const isSmall = document.pictureInPictureElement === film;
  useEffect(() => {
    // In a window of its own the browser shows them, if it can.
    setMode(track, isSmall ? "showing" : "hidden");
    const show = () => captions.current?.replaceChildren(...[...(track.activeCues ?? [])].map(drawCue));
    show();
    track.addEventListener("cuechange", show);
    return () => track.removeEventListener("cuechange", show);
  }, [track, isSmall]);
  return <p ref={captions} className={styles.captions} hidden={isSmall} />;
}

function drawCue(cue: TextTrackCue): HTMLElement {
  const line = document.createElement("span");
  if (cue instanceof VTTCue) line.append(cue.getCueAsHTML());
  return line;
}

const fullScreenChanges = ["fullscreenchange"];

/** Ways into a small window and onto the full screen, where the browser has them. An iPhone's full screen is the player's own. */
function WindowButtons({ stage, film }: FilmProps & { stage: HTMLElement }) {
  useEvents(film, smallWindowChanges);
  useEvents(document, fullScreenChanges);
  const isFull = document.fullscreenElement !== null;
  return (
    <>
      {document.pictureInPictureEnabled && (
        <SwitchButton
          name="Picture in picture"
          isOn={document.pictureInPictureElement === film}
          onPress={() => toggleSmallWindow(film)}
        >
          {icons.smallWindow}
        </SwitchButton>
      )}
      {document.fullscreenEnabled && (
        <SwitchButton name="Full screen" isOn={isFull} onPress={() => toggleFullScreen(stage)}>
          {isFull ? icons.partScreen : icons.fullScreen}
        </SwitchButton>
      )}
    </>
  );
}

function toggleSmallWindow(film: HTMLVideoElement): void {
  const isSmall = document.pictureInPictureElement !== null;
  (isSmall ? document.exitPictureInPicture() : film.requestPictureInPicture()).catch(() => undefined);
}

function toggleFullScreen(stage: HTMLElement): void {
  if (!document.fullscreenEnabled) return;
  (document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen()).catch(() => undefined);
}
