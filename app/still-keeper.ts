import { createElement } from "react";
import { renderToString } from "react-dom/server";

import type { StillContent } from "./ui/still.tsx";

const kept = new WeakMap<object, Map<string, string>>();
let wanted: StillContent[] = [];

/**
 * The HTML of what is the same for every reader, from the second time that it is asked for; `undefined` before. It is made when the
 * page that asked first is on its way, for a renderer does not like to be called within another, and is let go with what it shows.
 */
export function keepStill(still: StillContent): string | undefined {
  const html = kept.get(still.of)?.get(still.variant);
  if (html === undefined) {
    if (wanted.length === 0) setImmediate(makeWanted);
    wanted.push(still);
  }
  return html;
}

function makeWanted(): void {
  const stills = wanted;
  wanted = [];
  for (const still of stills) {
    const made = kept.get(still.of) ?? new Map<string, string>();
    if (made.has(still.variant)) continue;
    try {
      made.set(still.variant, render(still));
      kept.set(still.of, made);
    } catch {
      // Nobody waits here. The page that shows it renders it itself, and says what is wrong where somebody does.
    }
  }
}

/** Rendered within its element, which an image must know, and taken out of it. */
function render({ as, children }: StillContent): string {
  const html = renderToString(createElement(as, undefined, children()));
  return html.slice(`<${as}>`.length, -`</${as}>`.length).replace(beyondLatin1, toReference);
}

/** A page without such characters takes half the memory and is encoded much faster. */
const beyondLatin1 = /[\u0100-\u{10ffff}]/gu;

function toReference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
