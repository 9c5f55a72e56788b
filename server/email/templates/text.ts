import { displayName } from "../../accounts/rules.ts";

/** Makes typed text safe for an email. Pure. */

/** Line breaks and other controls, and the marks that make a text run backwards. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const NAME_MAX_LENGTH = 80;

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(unprintable, " ").replace(/\s+/g, " ").trim();
}

/** A name on one line, at most 80 characters of it. */
export function shortName(name: string): string {
  return Array.from(oneLine(name)).slice(0, NAME_MAX_LENGTH).join("").trim();
}

/** Mail programs turn addresses into links, so a "name" could lead its reader anywhere. */
const addressLike = /[/@]|www\.|[^\s.]\.[\p{L}\d]{2}/iu;

/** "Hello Ada,"; without the name when it looks like an address on the web. */
export function greet(firstName: string): string {
  const name = shortName(displayName(oneLine(firstName)));
  return name === "" || addressLike.test(name) ? "Hello," : `Hello ${name},`;
}

const LINE_MAX_LENGTH = 76;

/**
 * Breaks a paragraph into lines of at most 76 characters (RFC 5322 asks for 78). A word that is longer is broken too, unless it is
 * an address, which would be useless in pieces.
 */
export function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap(breakWord)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= LINE_MAX_LENGTH) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function breakWord(word: string): string[] {
  if (word.length <= LINE_MAX_LENGTH || /@|:\/\//.test(word)) return [word];
  return word.match(new RegExp(`.{1,${LINE_MAX_LENGTH}}`, "gu")) ?? [];
}

/** Makes a text harmless in HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
