import useEmblaCarousel, { type UseEmblaCarouselType } from "embla-carousel-react";
import { useEffect, type RefObject } from "react";

/** A slider's position and the number of positions: by slide in the list, by view with Embla. */
export type SliderState = { selected: number; count: number };

/** An object, because two presses can lead to the same slide. */
export type SliderMove = { to: number };

export type EngineProps = {
  viewport: RefObject<HTMLDivElement | null>;
  /** May be older than the engine. */
  move: SliderMove | undefined;
  onState: (state: SliderState) => void;
};

/**
 * A slide takes 500 ms (docs/behaviour.md, Widths and times). Embla's `duration` is a pace; 25 settles in about that.
 */
const EMBLA_PACE = 25;

type Embla = NonNullable<UseEmblaCarouselType[1]>;

/** Embla behind a slider, in its own file because it is fetched later. It takes hidden slides out of the tab order. */
export default function SliderEngine({ viewport, move, onState }: EngineProps) {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [emblaRef, embla] = useEmblaCarousel({
    align: "start",
    slidesToScroll: "auto",
    duration: isStill ? 0 : EMBLA_PACE,
  });

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
      onState({ selected: embla.selectedScrollSnap(), count: embla.scrollSnapList().length });
      hideSlidesOutOfSight(embla);
    };
    embla.on("select", update).on("reInit", update).on("slidesInView", update);
    showFocused(embla);
    update();
    return () => {
      for (const slide of embla.slideNodes()) slide.inert = false;
    };
  }, [embla, onState]);

  useEffect(() => {
    if (move) embla?.scrollTo(move.to);
  }, [embla, move]);

  return null;
}

/**
 * Stops the list's own scrolling; the returned function restores it. A browser still scrolls to what it focuses or finds
 * while a slide glides in, and what it scrolled would stay beside where Embla takes the slide.
 */
function takeOver(viewport: HTMLDivElement): () => void {
  const stayAtStart = () => (viewport.scrollLeft = 0);
  stayAtStart();
  viewport.addEventListener("scroll", stayAtStart);
  viewport.dataset.enhanced = "";
  viewport.removeAttribute("tabindex");
  return () => {
    viewport.removeEventListener("scroll", stayAtStart);
    delete viewport.dataset.enhanced;
    viewport.tabIndex = 0;
  };
}

/** The focus may have moved to a later slide while Embla was being fetched. */
function showFocused(embla: Embla): void {
  const focused = embla.slideNodes().findIndex((slide) => slide.contains(document.activeElement));
  const stop = embla.internalEngine().slideRegistry.findIndex((slides) => slides.includes(focused));
  if (stop > 0) embla.scrollTo(stop, true);
}

function hideSlidesOutOfSight(embla: Embla): void {
  const inView = new Set(embla.slidesInView());
  const focused = document.activeElement;
  for (const [index, slide] of embla.slideNodes().entries()) {
    slide.inert = inView.size > 0 && !inView.has(index) && !slide.contains(focused);
  }
}
