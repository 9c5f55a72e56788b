import { useEffect } from "react";

import type { EngineProps, SliderPlace } from "./slider.tsx";

/** In place of Embla where that does not arrive: the list goes on scrolling by itself, and the arrows scroll it slide by slide. */
export function NativeScroll({ viewport, move, onPlace }: EngineProps): null {
  useEffect(() => {
    const list = viewport.current;
    if (!list) return undefined;
    const update = () => onPlace(placeOf(list));
    list.addEventListener("scroll", update);
    update();
    return () => list.removeEventListener("scroll", update);
  }, [viewport, onPlace]);

  useEffect(() => {
    if (move) viewport.current?.scrollTo({ left: move.to * stepOf(viewport.current) });
  }, [viewport, move]);

  return null;
}

function placeOf(list: HTMLDivElement): SliderPlace {
  const { scrollLeft, scrollWidth, clientWidth } = list;
  const step = stepOf(list);
  return { selected: Math.round(scrollLeft / step), count: Math.round((scrollWidth - clientWidth) / step) + 1 };
}

/** From one slide to the next, the gap included, in pixels. */
function stepOf({ scrollWidth, firstElementChild: slides }: HTMLDivElement): number {
  const [first, second] = slides?.children ?? [];
  if (!first || !second) return scrollWidth;
  return second.getBoundingClientRect().left - first.getBoundingClientRect().left;
}
