import { lazy, Suspense, useEffect, useId, useRef, useState, type ReactNode } from "react";

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
  const [isEnhanced, setIsEnhanced] = useState(false);
  useEffect(() => setIsEnhanced(true), []);
  const headingId = useId();
  return (
    <section className={styles.slider} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <div ref={viewport} className={styles.viewport} tabIndex={0} role="group" aria-labelledby={headingId}>
        <ul className={`${styles.slides} ${styles[perView]}`}>
          {slides.map(({ key, content }) => (
            <li key={key}>{content}</li>
          ))}
        </ul>
      </div>
      {isEnhanced && slides.length > 1 && (
        <Suspense fallback={null}>
          <SliderControls viewport={viewport} title={title} hasDots={hasDots} />
        </Suspense>
      )}
    </section>
  );
}
