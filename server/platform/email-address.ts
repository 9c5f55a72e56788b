import { domainToASCII, domainToUnicode } from "node:url";

import { cleanText, toTextKey } from "./text.ts";

/**
 * A domain with letters beyond ASCII has two spellings: people read and Firefox sends `müller.example`; mail servers
 * know and Chromium sends `xn--mller-kva.example`. We store, show and compare the letters.
 */

/** The pattern of HTML's own e-mail field (HTML Living Standard, "valid e-mail address"), with a dot required in the domain. */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** RFC 5321: a path has at most 256 octets, including its two brackets. */
const EMAIL_MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  const address = toAsciiEmail(text);
  if (address.length > EMAIL_MAX_LENGTH || !emailPattern.test(address)) return false;
  return !/[@.]xn--/i.test(address) || split(text) !== undefined;
}

export function cleanEmail(text: string): string {
  const clean = cleanText(text);
  const { local, domain } = split(clean) ?? { local: "", domain: clean };
  return local + domain;
}

/** Equal for all spellings of one address; domains that only look alike differ. */
export function toEmailKey(email: string): string {
  const parts = split(cleanText(email));
  return parts ? toTextKey(parts.local) + parts.domain : toTextKey(email);
}

export function toAsciiEmail(email: string): string {
  const parts = split(email);
  return parts ? parts.local + domainToASCII(parts.domain) : email;
}

/** Spells the domains in a text, perhaps a part of an address, as they are stored. */
export function showDomains(text: string): string {
  return text.replaceAll(/xn--[a-z0-9-]+/gi, (label) => domainToUnicode(label) || label);
}

/** The address cut at its @, with the domain in letters. `undefined` where the domain has only one spelling. */
function split(text: string): { local: string; domain: string } | undefined {
  const place = text.lastIndexOf("@") + 1;
  const [local, typed] = [text.slice(0, place), text.slice(place)];
  // A domain has none of the characters that a URL reads otherwise; pure ASCII has one spelling.
  if (place === 0 || !/^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu.test(typed) || !/[^a-z0-9.-]|xn--/i.test(typed))
    return undefined;
  const domain = domainToUnicode(typed);
  // An unreadable label stays as it is; a URL turns digits into a number of four bytes.
  return domain === "" || /(?:^|\.)xn--|\.\d+$/.test(domain) ? undefined : { local, domain };
}
