import { lazy, Suspense, useId, useRef, useState, type ReactNode, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { NativeScroll } from "./native-scroll.ts";
import { SliderButtons } from "./slider-buttons.tsx";
import styles from "./slider.module.css";

/** A line that drops meanwhile costs nobody the page they are reading. */
const SliderEngine = lazy(() => import("./slider-engine.tsx").catch(() => ({ default: NativeScroll })));

type SliderProps = {
  title: string;
  slides: { key: number; content: ReactNode }[];
  /** How many slides are in view at which width: a class of `slider.module.css`. */
  perView: "featured" | "recommended" | "favourites" | "favouriteReads";
  hasDots?: boolean;
  /** Stands beside the title. */
  aside?: ReactNode;
};

/** Where a slider stands, and at how many places it can. Until Embla has measured, every slide counts as one. */
export type SliderPlace = { selected: number; count: number };

/** A wish to stand elsewhere; an object, because the same wish can come twice. */
type SliderMove = { to: number };

/** What moves the slides. */
export type EngineProps = {
  viewport: RefObject<HTMLDivElement | null>;
  /** Where the reader wants to go; perhaps since before the engine was there. */
  move: SliderMove | undefined;
  onPlace: (place: SliderPlace) => void;
};

/**
 * A row of slides. By itself it is a list that scrolls, by touch and by keyboard. Where script runs it has
 * arrows (and dots), and the first sign that somebody wants to move it fetches Embla, which drags and glides.
 */
export function Slider({ title, slides, perView, hasDots = false, aside }: SliderProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const isHydrated = useHydrated();
  const [isWanted, setIsWanted] = useState(false);
  const [move, setMove] = useState<SliderMove>();
  const [place, setPlace] = useState<SliderPlace>({ selected: 0, count: slides.length });
  const want = () => setIsWanted(true);
  return (
    // These only watch for a reader's approach; what can be pressed are the buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.slider}
      aria-labelledby={headingId}
      onPointerEnter={want}
      onTouchStart={want}
      onFocus={want}
    >
      <div className={styles.heading}>
        <h2 id={headingId}>{title}</h2>
        {aside}
      </div>
      {/* A region that scrolls must be in reach of the keyboard until Embla runs. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={viewport} className={styles.viewport} tabIndex={0} role="group" aria-labelledby={headingId}>
        <ul className={`${styles.slides} ${styles[perView]}`}>
          {slides.map(({ key, content }) => (
            <li key={key}>{content}</li>
          ))}
        </ul>
      </div>
      {slides.length > 1 && (
        <div className={styles.controls}>
          {isHydrated && place.count > 1 && (
            <SliderButtons title={title} hasDots={hasDots} place={place} onMove={(to) => setMove({ to })} />
          )}
        </div>
      )}
      {isWanted && (
        <Suspense fallback={null}>
          <SliderEngine viewport={viewport} move={move} onPlace={setPlace} />
        </Suspense>
      )}
    </section>
  );
}
