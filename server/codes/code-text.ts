import { randomInt } from "node:crypto";

/** What is longer is not looked up. */
const MAX_LENGTH = 40;
const CODE_PATTERN = /^[A-Z0-9][A-Z0-9-]{2,}[A-Z0-9]$/;

/** A code without what people and mail programs put into it: spaces, invisible characters, other dashes. */
export function tidyCode(code: string): string {
  return code
    .normalize("NFKC")
    .replaceAll(/[\s\p{C}]/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-");
}

/** What is compared of a code, in whatever case it was typed; `undefined` when it can be no code. */
export function toCodeKey(code: string): string | undefined {
  if (code.length > 4 * MAX_LENGTH) return undefined;
  const key = tidyCode(code).toUpperCase();
  return key.length <= MAX_LENGTH && CODE_PATTERN.test(key) ? key : undefined;
}

/** No vowels, so that no word comes about by chance, and nothing that looks like something else: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
const ALPHABET = "34679CDFGHJKMNPQRTVWXY";
const GROUPS = 2;
const GROUP_LENGTH = 4;
const NAME_LENGTH = 20;

/** An unguessable code that can be read out: `DORMOUSE-7KQX-M4VD`. One of 55 thousand million, behind a rate limit. */
export function makeCode(productName: string): string {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(""),
  );
  const name = productName
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, NAME_LENGTH);
  return [...(name ? [name] : []), ...groups].join("-");
}
