import { domainToASCII, domainToUnicode } from "node:url";

import { cleanText, toTextKey } from "./text.ts";

/**
 * E-mail addresses. A domain with letters beyond ASCII has two spellings: `müller.example` is what people read and Firefox sends,
 * `xn--mller-kva.example` is what mail servers know and Chromium sends. Here the letters are stored, shown and compared.
 */

/** The pattern of HTML's own e-mail field (HTML Living Standard, "valid e-mail address"), with a dot required in the domain. */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** RFC 5321: a path is at most 256 octets, its two brackets included. */
const EMAIL_MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  const address = toAsciiEmail(text);
  if (address.length > EMAIL_MAX_LENGTH || !emailPattern.test(address)) return false;
  return !/[@.]xn--/i.test(address) || split(text) !== undefined;
}

/** An address as it is stored and shown. */
export function cleanEmail(text: string): string {
  const clean = cleanText(text);
  const { local, domain } = split(clean) ?? { local: "", domain: clean };
  return local + domain;
}

/** The same for all spellings of one address; domains that only look alike have two. */
export function toEmailKey(email: string): string {
  const parts = split(cleanText(email));
  return parts ? toTextKey(parts.local) + parts.domain : toTextKey(email);
}

/** An address as mail servers, and the programs of others, take it. */
export function toAsciiEmail(email: string): string {
  const parts = split(email);
  return parts ? parts.local + domainToASCII(parts.domain) : email;
}

/** A text that may be a part of an address, with the domains in it as they are stored. */
export function showDomains(text: string): string {
  return text.replaceAll(/xn--[a-z0-9-]+/gi, (label) => domainToUnicode(label) || label);
}

/** An address whose domain may have two spellings, cut behind its sign; the domain in letters. `undefined` for any other text. */
function split(text: string): { local: string; domain: string } | undefined {
  const place = text.lastIndexOf("@") + 1;
  const [local, typed] = [text.slice(0, place), text.slice(place)];
  // Signs that a URL reads otherwise are no part of a domain; ASCII alone has one spelling.
  if (place === 0 || !/^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu.test(typed) || !/[^a-z0-9.-]|xn--/i.test(typed))
    return undefined;
  const domain = domainToUnicode(typed);
  // A label that cannot be read stays as it is, and digits become a number of four bytes.
  return domain === "" || /(?:^|\.)xn--|\.\d+$/.test(domain) ? undefined : { local, domain };
}
