import useEmblaCarousel, { type UseEmblaCarouselType } from "embla-carousel-react";
import { useEffect, useState, type RefObject } from "react";

import { Icon } from "./icons.tsx";
import buttons from "./button.module.css";
import styles from "./slider.module.css";

/** Spec, section 9: a slide takes 500 ms. Embla's `duration` is no time but a pace; 25 settles in about that. */
const EMBLA_PACE = 25;

type ControlsProps = { viewport: RefObject<HTMLDivElement | null>; title: string; hasDots: boolean };

/** Arrows, dots and dragging for a slider whose list is already on the page. Loaded on its own, because it brings Embla. */
export default function SliderControls({ viewport, title, hasDots }: ControlsProps) {
  const { embla, selected, count } = useEmbla(viewport);
  if (!embla || count < 2) return null;
  return (
    <div className={styles.controls}>
      <button
        type="button"
        className={buttons.round}
        onClick={() => embla.scrollPrev()}
        disabled={selected === 0}
        aria-label={`Previous: ${title}`}
      >
        <Icon name="back" />
      </button>
      {hasDots && (
        <ul className={styles.dots}>
          {Array.from({ length: count }, (_, index) => (
            <li key={index}>
              <button
                type="button"
                onClick={() => embla.scrollTo(index)}
                aria-label={`${title}, part ${index + 1}`}
                aria-current={index === selected}
              />
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        className={buttons.round}
        onClick={() => embla.scrollNext()}
        disabled={selected === count - 1}
        aria-label={`Next: ${title}`}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}

type Embla = NonNullable<UseEmblaCarouselType[1]>;

/** Starts Embla on the viewport and says where it stands. Slides out of sight are out of the tab order while it runs. */
function useEmbla(viewport: RefObject<HTMLDivElement | null>) {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [emblaRef, embla] = useEmblaCarousel({
    align: "start",
    slidesToScroll: "auto",
    duration: isStill ? 0 : EMBLA_PACE,
  });
  const [place, setPlace] = useState({ selected: 0, count: 1 });

  useEffect(() => {
    const element = viewport.current;
    if (!element) return undefined;
    const release = takeOver(element);
    emblaRef(element);
    return release;
  }, [viewport, emblaRef]);

  useEffect(() => {
    if (!embla) return undefined;
    const update = () => {
      setPlace({ selected: embla.selectedScrollSnap(), count: embla.scrollSnapList().length });
      hideSlidesOutOfSight(embla);
    };
    embla.on("init", update).on("select", update).on("reInit", update).on("slidesInView", update);
    embla.reInit();
    return () => {
      for (const slide of embla.slideNodes()) slide.inert = false;
    };
  }, [embla]);

  return { embla, ...place };
}

/** The list no longer scrolls by itself; the function it answers gives that back. */
function takeOver(viewport: HTMLDivElement): () => void {
  viewport.scrollLeft = 0;
  viewport.dataset.enhanced = "";
  viewport.removeAttribute("tabindex");
  return () => {
    delete viewport.dataset.enhanced;
    viewport.tabIndex = 0;
  };
}

function hideSlidesOutOfSight(embla: Embla): void {
  const inView = new Set(embla.slidesInView());
  for (const [index, slide] of embla.slideNodes().entries()) slide.inert = inView.size > 0 && !inView.has(index);
}
