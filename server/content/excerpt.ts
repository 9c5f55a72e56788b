/** How much of a text is shown where (spec, section 9); on cards of a list: `kinds.ts`. */
export const excerptLengths = {
  newTitleWords: 7,
  newTextWords: 20,
  featuredTitle: 48,
  searchText: 350,
};

/** The first `count` words, with an ellipsis when there were more. */
export function cutWords(text: string, count: number): string {
  const words = text.split(" ");
  return words.length <= count ? text : ellipsis(words.slice(0, count).join(" "));
}

/** At most `length` characters, ended at a word where one ends not far before, with an ellipsis when there were more. */
export function cutCharacters(text: string, length: number): string {
  // Most texts are far longer than the cut: look at no more of them than the cut can need.
  const characters = Array.from(text.slice(0, 2 * length + 2));
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return ellipsis(lastSpace > (cut.length * 2) / 3 ? cut.slice(0, lastSpace) : cut);
}

/** Looks at each character once, from the end: an expression would begin anew at each mark within the text. */
function ellipsis(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:–—-]/u.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}
