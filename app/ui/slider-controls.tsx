import useEmblaCarousel from "embla-carousel-react";
import { useEffect, useState, type RefObject } from "react";

import { Icon } from "./icons.tsx";
import buttons from "./button.module.css";
import styles from "./slider.module.css";

/** Spec, section 9: a slide takes 500 ms. Embla's `duration` is no time but a pace; 25 settles in about that. */
const EMBLA_PACE = 25;

type ControlsProps = { viewport: RefObject<HTMLDivElement | null>; title: string; hasDots: boolean };

/** Arrows, dots and dragging for a slider whose list is already on the page. Loaded on its own, because it brings Embla. */
export default function SliderControls({ viewport, title, hasDots }: ControlsProps) {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [emblaRef, embla] = useEmblaCarousel({ align: "start", slidesToScroll: "auto", duration: isStill ? 0 : EMBLA_PACE });
  const [place, setPlace] = useState({ selected: 0, count: 1 });

  useEffect(() => {
    const element = viewport.current;
    if (!element) return undefined;
    element.scrollLeft = 0;
    element.dataset.enhanced = "";
    element.removeAttribute("tabindex");
    emblaRef(element);
    return () => {
      delete element.dataset.enhanced;
      element.tabIndex = 0;
    };
  }, [viewport, emblaRef]);

  useEffect(() => {
    if (!embla) return undefined;
    const update = () => {
      setPlace({ selected: embla.selectedScrollSnap(), count: embla.scrollSnapList().length });
      const inView = new Set(embla.slidesInView());
      for (const [index, slide] of embla.slideNodes().entries()) slide.inert = inView.size > 0 && !inView.has(index);
    };
    embla.on("select", update).on("reInit", update).on("slidesInView", update);
    update();
    return () => {
      for (const slide of embla.slideNodes()) slide.inert = false;
    };
  }, [embla]);

  if (!embla || place.count < 2) return null;
  return (
    <div className={styles.controls}>
      <button type="button" className={buttons.round} onClick={() => embla.scrollPrev()} disabled={place.selected === 0} aria-label={`Previous: ${title}`}>
        <Icon name="back" />
      </button>
      {hasDots && (
        <ul className={styles.dots}>
          {Array.from({ length: place.count }, (_, index) => (
            <li key={index}>
              <button type="button" onClick={() => embla.scrollTo(index)} aria-label={`${title}, part ${index + 1}`} aria-current={index === place.selected} />
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        className={buttons.round}
        onClick={() => embla.scrollNext()}
        disabled={place.selected === place.count - 1}
        aria-label={`Next: ${title}`}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}
