import { Icon } from "../../../components/icons.tsx";
import { Picture } from "../../../components/picture.tsx";
import { href } from "../../../frame/paths.ts";
import { useStore } from "../../../player/controls/use-store.ts";
import { nowPlaying } from "../../../player/now-playing.ts";
import { OneTapTimer, useOneTap } from "../../../player/one-tap.tsx";
import style from "./guide.css?url";
import type { FirstStep, ShownGuide, ShownNights, ShownSound, ShownStep } from "./search-guide.ts";

/** One large card, a row of sounds, the nights, and further items. Without script all of it is links. */
export function Guide({ intro, first, sounds, nights, others }: ShownGuide) {
  return (
    <section id="guide" aria-labelledby="guide-title">
      {/* React puts it into the head, and waits for it: no other page has this style. */}
      <link rel="stylesheet" href={style} precedence="default" />
      <h2 id="guide-title">
        <span className="visually-hidden">Start here</span> {intro}
      </h2>
      {first && <First step={first} />}
      {sounds.length > 0 && <Sounds sounds={sounds} />}
      {nights && <Course nights={nights} />}
      {others.length > 0 && (
        <ul className="guide-others">
          {others.map((step) => (
            <li key={step.path}>
              <Small step={step} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function First({ step }: { step: FirstStep }) {
  const { title, path, about, why, mark, picture, cue, isPlayable } = step;
  const { play } = useOneTap(step);
  return (
    <article className="guide-first">
      <Picture picture={picture} sizes="wide" isFirst />
      <div>
        <About about={about} mark={mark} />
        <h3>
          <a href={href(path)} onClick={play}>
            {title}
            <span className="guide-cue">
              <Icon name={isPlayable ? "play" : "forward"} />
              <span className="visually-hidden">{` ${cue}`}</span>
            </span>
          </a>
        </h3>
        <p className="guide-why">{why}</p>
      </div>
    </article>
  );
}

function Sounds({ sounds }: { sounds: ShownSound[] }) {
  const playing = useStore(nowPlaying);
  return (
    <section className="guide-sounds" aria-labelledby="guide-sounds-title">
      <div>
        <h3 id="guide-sounds-title">Sounds with a sleep timer</h3>
        {playing && <OneTapTimer />}
      </div>
      <ul>
        {sounds.map((sound) => (
          <li key={sound.key}>
            <Sound sound={sound} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A tap plays it at once, and another pauses it. */
function Sound({ sound }: { sound: ShownSound }) {
  const { title, path, picture, length } = sound;
  const { isPaused, play, pause } = useOneTap(sound);
  return (
    <a href={href(path)} data-playing={isPaused ? undefined : ""} onClick={isPaused ? play : pause}>
      <span className="guide-round">
        <Picture picture={picture} sizes="panel" alt="" />
        <Icon name={isPaused ? "play" : "pause"} />
      </span>
      <span className="visually-hidden">{isPaused ? "Play: " : "Pause: "}</span>
      <span className="guide-name">{title}</span>
      {length && <span className="visually-hidden">{` (${length})`}</span>}
    </a>
  );
}

/** A dot for each night. */
function Course({ nights: { title, path, done, next } }: { nights: ShownNights }) {
  return (
    <article className="guide-nights">
      <h3>
        <a href={href(path)}>{`${title} · one small step each night`}</a>
      </h3>
      <p>
        <span className="guide-dots" aria-hidden="true">
          {done.map((isDone, index) => (
            // Nights never change places.
            // oxlint-disable-next-line react/no-array-index-key
            <i key={index} data-done={isDone ? "" : undefined} />
          ))}
        </span>
        {next && <span>{next}</span>}
      </p>
    </article>
  );
}

function Small({ step: { title, path, about, why, mark } }: { step: ShownStep }) {
  return (
    <article>
      <About about={about} mark={mark} />
      <h3>
        <a href={href(path)}>{title}</a>
      </h3>
      <p className="guide-why">{why}</p>
    </article>
  );
}

function About({ about, mark }: Pick<ShownStep, "about" | "mark">) {
  return (
    <p className="guide-about">
      {about}
      {mark && (
        <>
          {" "}
          <b>
            <Icon name="check" />
            {mark}
          </b>
        </>
      )}
    </p>
  );
}
