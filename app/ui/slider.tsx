import { lazy, Suspense, useId, useRef, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import styles from "./slider.module.css";

const SliderControls = lazy(() => import("./slider-controls.tsx"));

type SliderProps = {
  title: string;
  slides: { key: number; content: ReactNode }[];
  /** How many slides are in view at which width: a class of `slider.module.css`. */
  perView: "featured" | "recommended";
  hasDots?: boolean;
};

/**
 * A row of slides. By itself it is a list that scrolls and snaps, by touch and by keyboard; where script runs, Embla
 * is fetched after the page is there and adds arrows, dots and dragging.
 */
export function Slider({ title, slides, perView, hasDots = false }: SliderProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const headingId = useId();
  return (
    <section className={styles.slider} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      {/* A region that scrolls must be in reach of the keyboard until the arrows are there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={viewport} className={styles.viewport} tabIndex={0} role="group" aria-labelledby={headingId}>
        <ul className={`${styles.slides} ${styles[perView]}`}>
          {slides.map(({ key, content }) => (
            <li key={key}>{content}</li>
          ))}
        </ul>
      </div>
      {isHydrated && slides.length > 1 && (
        <Suspense fallback={null}>
          <SliderControls viewport={viewport} title={title} hasDots={hasDots} />
        </Suspense>
      )}
    </section>
  );
}
