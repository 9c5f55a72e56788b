/**
 * Devices write one letter with different code points, and web pages and word processors put invisible characters into
 * words. Text that is stored, compared, looked up or checked for emptiness passes through here first.
 */

/** Characters that show nothing and take no space (Unicode: Default_Ignorable_Code_Point), as do the marks of annotations. */
const hidden = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** But for those that join letters of Persian or Sinhala or make up emoji: a text would look different without them. */
const needless = new RegExp(`(?![\\u200c\\u200d\\p{Variation_Selector}\\u{e0020}-\\u{e007f}])${hidden.source}`, "gu");
/** Spaces of every width (the no-break one of a Mac, the wide one of Japanese, the empty cell of Braille), and what no page may hold. */
const blank = /[\p{Zs}\u2800\p{Cs}]|(?!\s)\p{Cc}/gu;

/** In Unicode's NFC, without needless invisible characters, with plain spaces and none at the edges. Line ends stay. */
export function cleanText(text: string): string {
  const clean = text.replace(needless, "").replace(blank, " ").normalize("NFC").trim();
  return withoutHidden(clean).trim() === "" ? "" : clean;
}

/** Equal for texts that look the same, in whatever case, width and ligatures. */
export function toTextKey(text: string): string {
  const plain = withoutHidden(text.normalize("NFKC")).normalize("NFKC").replace(blank, " ");
  return plain.toLowerCase().replace(/\s+/g, " ").trim();
}

export function withoutHidden(text: string): string {
  return text.replace(hidden, "");
}

/** RFC 8265, section 4.2.2: NFC and one kind of space. Invisible characters are removed. */
export function toPasswordText(password: string): string {
  return withoutHidden(password).replace(blank, " ").normalize("NFC");
}

/** Removes what people and mail programs add to a code: spaces, invisible characters, other dashes. */
export function tidyCode(code: string): string {
  return withoutHidden(code.normalize("NFKC"))
    .replaceAll(/[\s\u2800\p{C}]/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-");
}

/** Removes dashes too, where they only divide: the digits of an email, the letters of a recovery code. */
export function tidyDigits(code: string): string {
  return tidyCode(code).replaceAll("-", "");
}

/** Names in one case get a capital; McDonald and O'Neill stay as typed (docs/behaviour.md, My Account). */
export function displayName(name: string): string {
  const typed = name.trim();
  if (typed !== typed.toLowerCase() && typed !== typed.toUpperCase()) return typed;
  const [first = "", ...rest] = Array.from(typed);
  return first.toLocaleUpperCase("en-GB") + rest.join("").toLocaleLowerCase("en-GB");
}

/** `undefined` when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined` when it is no JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Returns a text with an invalid percent sign as it is. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
