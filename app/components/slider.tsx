import { lazy, Suspense, useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { Icon, type IconName } from "./icons.tsx";
import type { EngineProps, SliderMove, SliderState } from "./slider-engine.tsx";
import buttons from "./button.module.css";
import styles from "./slider.module.css";

/** If the engine cannot be fetched, the native list stays. */
const SliderEngine = lazy(() => import("./slider-engine.tsx").catch(() => ({ default: NativeScroll })));

type SliderProps = {
  title: string;
  slides: { key: number | string; content: ReactNode }[];
  /** How many slides are in view at each width: a class of `slider.module.css`. The default is one. */
  perView?: "recommended" | "favourites" | "favouriteReads";
  hasDots?: boolean;
  aside?: ReactNode;
};

/**
 * A list that scrolls by touch and keyboard. With script it has arrows (and dots), and the first pointer, touch or
 * focus within fetches Embla, which drags and glides.
 */
export function Slider({ title, slides, perView, hasDots = false, aside }: SliderProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const isHydrated = useHydrated();
  const [isWanted, setIsWanted] = useState(false);
  const [move, setMove] = useState<SliderMove>();
  const [state, setState] = useState<SliderState>({ selected: 0, count: 1 });
  const want = () => setIsWanted(true);
  useStateOfList(viewport, { count: slides.length, onState: setState });
  return (
    // These only fetch Embla; the buttons are the controls.
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
      {/* The keyboard must reach a scrolling region until Embla runs. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={viewport} className={styles.viewport} tabIndex={0} role="group" aria-labelledby={headingId}>
        <ul className={perView ? `${styles.slides} ${styles[perView]}` : styles.slides}>
          {slides.map(({ key, content }) => (
            <li key={key}>{content}</li>
          ))}
        </ul>
      </div>
      {slides.length > 1 && (
        <div className={`${styles.controls} with-script`}>
          {isHydrated && state.count > 1 && (
            <SliderButtons title={title} hasDots={hasDots} state={state} onMove={(to) => setMove({ to })} />
          )}
        </div>
      )}
      {isWanted && (
        <Suspense fallback={null}>
          <SliderEngine viewport={viewport} move={move} onState={setState} />
        </Suspense>
      )}
    </section>
  );
}

type SliderButtonsProps = {
  title: string;
  hasDots: boolean;
  state: SliderState;
  onMove: (index: number) => void;
};

function SliderButtons({ title, hasDots, state, onMove }: SliderButtonsProps) {
  const { selected, count } = state;
  return (
    <>
      <Arrow label={`Previous: ${title}`} icon="back" isAtEnd={selected === 0} onPress={() => onMove(selected - 1)} />
      {hasDots && (
        <ul className={styles.dots}>
          {Array.from({ length: count }, (_, index) => (
            <li key={index}>
              <button type="button" onClick={() => onMove(index)} aria-current={index === selected}>
                <span className="visually-hidden">{`${title}, part ${index + 1}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Arrow
        label={`Next: ${title}`}
        icon="forward"
        isAtEnd={selected === count - 1}
        onPress={() => onMove(selected + 1)}
      />
    </>
  );
}

type ArrowProps = { label: string; icon: IconName; isAtEnd: boolean; onPress: () => void };

/** At the end it is announced as such and does nothing. `disabled` would take the focus from it. */
function Arrow({ label, icon, isAtEnd, onPress }: ArrowProps) {
  return (
    <button type="button" className={buttons.round} onClick={isAtEnd ? undefined : onPress} aria-disabled={isAtEnd}>
      <Icon name={icon} />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

type ListOptions = Pick<EngineProps, "onState"> & { count: number };

/** The list's own position until Embla runs; where all slides are in view, no arrow leads anywhere. */
function useStateOfList(viewport: EngineProps["viewport"], { count, onState }: ListOptions): void {
  useEffect(() => {
    const list = viewport.current;
    if (!list || count < 2) return undefined;
    const update = () => {
      if (!("enhanced" in list.dataset)) onState(readState(list));
    };
    update();
    list.addEventListener("scroll", update);
    addEventListener("resize", update);
    return () => {
      list.removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
  }, [viewport, count, onState]);
}

/** Replaces Embla if that cannot be fetched: the arrows scroll the list slide by slide. */
function NativeScroll({ viewport, move }: EngineProps): null {
  useEffect(() => {
    if (move) viewport.current?.scrollTo({ left: move.to * measureStep(viewport.current) });
  }, [viewport, move]);

  return null;
}

function readState(list: HTMLDivElement): SliderState {
  const { scrollLeft, scrollWidth, clientWidth } = list;
  const step = measureStep(list);
  return { selected: Math.round(scrollLeft / step), count: Math.round((scrollWidth - clientWidth) / step) + 1 };
}

/** From one slide to the next with the gap, in pixels. */
function measureStep({ scrollWidth, firstElementChild: slides }: HTMLDivElement): number {
  const [first, second] = slides?.children ?? [];
  if (!first || !second) return scrollWidth;
  return second.getBoundingClientRect().left - first.getBoundingClientRect().left;
}
