import { createElement } from "react";
import { renderToString } from "react-dom/server";

import type { StillContent } from "./ui/still.tsx";

const kept = new WeakMap<object, Map<string, string>>();
const wanted = new Map<object, Map<string, StillContent>>();

/**
 * The HTML of what is the same for every reader, from the second time that it is asked for; `undefined` before. It is made when the
 * page that asked first is on its way, for a renderer does not like to be called within another, and is let go with what it shows.
 */
export function keepStill(still: StillContent): string | undefined {
  const { of, variant } = still;
  const html = kept.get(of)?.get(variant);
  if (html === undefined) {
    if (wanted.size === 0) setImmediate(makeWanted);
    if (!wanted.has(of)) wanted.set(of, new Map());
    wanted.get(of)?.set(variant, still);
  }
  return html;
}

function makeWanted(): void {
  for (const [of, stills] of wanted) {
    const made = kept.get(of) ?? new Map<string, string>();
    for (const [variant, still] of stills) made.set(variant, render(still));
    kept.set(of, made);
  }
  wanted.clear();
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
