import sanitizeHtml from "sanitize-html";

import { cleanText } from "../../platform/text.ts";
import { readReferences } from "./blocks.ts";
import { countOpenElements } from "./open-elements.ts";

/**
 * Plain text: no tags, no words of ours, no footnote marks, folded white space, nothing invisible.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function toText(html: string): string {
  const spaced = withSpaces(html);
  // As most titles and names are.
  if (!/[<&]/.test(spaced)) return tidy(spaced);
  const text = sanitizeHtml(spaced, {
    allowedTags: [],
    allowedAttributes: {},
    ...countOpenElements({ open: new Map(), path: [] }),
  });
  return tidy(readReferences(text));
}

/** The same for what `sanitiseBody` returns. No parser need read it again: it has `<` and `>` around tags alone. */
export function toTextOfBody(html: string): string {
  return tidy(readReferences(withSpaces(html).replace(/<[^<>]*>/g, "")));
}

/** Blocks are apart from one another. */
function withSpaces(html: string): string {
  return withoutOwnWords(html)
    .replace(/<sup><a [^<>]*>[^<]*<\/a><\/sup>/g, "")
    .replace(blockTags, " $&");
}

function tidy(text: string): string {
  return cleanText(withoutControls(text)).replace(/\s+/g, " ");
}

const blockTags =
  /<\/?(?:p|h\d|[duo]l|li|d[dt]|table|caption|t[rdh]|br|hr|div|pre|blockquote|section|fig\w+|details|summary)\b/gi;

/** Removes the words that we added: of folds, and of links in place of a player. */
export function withoutOwnWords(html: string): string {
  return html
    .replace(/<details class="embed"><summary>[^<]*<\/summary>/g, " ")
    .replace(/<a class="media-link"[^<>]*>[^<]*<\/a>/g, " ");
}

/** WHATWG HTML, section 13.1: HTML has no control characters but tabs and line ends. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\f\r]/gu, "");
}
