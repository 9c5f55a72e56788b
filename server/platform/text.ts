/**
 * Text as people see it. Two devices may write one letter with different code points, and a web page or a word processor puts characters
 * into a word that nothing shows: a soft hyphen, a zero-width space, a direction mark. Text that is stored, compared, looked up or found
 * empty passes through here first.
 */

/** Characters that show nothing and take no space (Unicode: Default_Ignorable_Code_Point), as do the marks of annotations. */
const hidden = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** The same but for what joins letters of Persian or Sinhala, and chooses and joins emoji: without these a text would look different. */
const needless = new RegExp(`(?![\\u200c\\u200d\\p{Variation_Selector}\\u{e0020}-\\u{e007f}])${hidden.source}`, "gu");
/** Spaces of every width (the no-break one of a Mac, the wide one of Japanese, the empty cell of Braille), and what no page may hold. */
const blank = /[\p{Zs}\u2800\p{Cs}]|(?!\s)\p{Cc}/gu;

/**
 * A text as it is stored and shown: in one form of Unicode (NFC), without invisible characters that no script needs, with plain spaces,
 * and none at its edges. Empty if it shows nothing. Line ends stay.
 */
export function cleanText(text: string): string {
  const clean = text.replace(needless, "").replace(blank, " ").normalize("NFC").trim();
  return withoutHidden(clean).trim() === "" ? "" : clean;
}

/** The key of a text: two that look the same have one, in whatever case, width and ligatures they are written. */
export function toTextKey(text: string): string {
  const plain = withoutHidden(text.normalize("NFKC")).normalize("NFKC").replace(blank, " ");
  return plain.toLowerCase().replace(/\s+/g, " ").trim();
}

/** A text without any character that shows nothing. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, "");
}

/** The form of a password that is hashed: one form of Unicode and one kind of space (RFC 8265, section 4.2.2), and nothing that is not seen. */
export function toPasswordText(password: string): string {
  return withoutHidden(password).replace(blank, " ").normalize("NFC");
}

/** A code without what people and mail programs put into it: spaces, invisible characters, other dashes. */
export function tidyCode(code: string): string {
  return withoutHidden(code.normalize("NFKC"))
    .replaceAll(/[\s\u2800\p{C}]/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-");
}

/** The same for a code whose dashes only divide it: the digits of an email, the letters of a recovery code. */
export function tidyDigits(code: string): string {
  return tidyCode(code).replaceAll("-", "");
}

/**
 * How many letters are wrong, missing, too many or swapped (Damerau, Levenshtein), compared with each beginning of `text`: the empty one
 * first, the whole of it last.
 */
export function countMistakes(text: string, wanted: string): number[] {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: text.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= wanted.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= text.length; column += 1) {
      const isSame = wanted[row - 1] === text[column - 1];
      const isSwapped = wanted[row - 1] === text[column - 2] && wanted[row - 2] === text[column - 1];
      current[column] = Math.min(
        cost(last, column - 1) + (isSame ? 0 : 1),
        cost(last, column) + 1,
        cost(current, column - 1) + 1,
        isSwapped ? cost(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last ?? [];
}

function cost(row: number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity;
}
