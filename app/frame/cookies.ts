import type { Services } from "../../server/services.ts";
import type { StartedSession } from "../../server/members/sessions/sessions.ts";
import type { StartedDraft } from "../../server/money/sign-up/sign-up.ts";

/**
 * Our cookies: opaque tokens of a session, a sign-up and a gift that is being bought; the scheme; tonight's pieces of
 * Awake now; and a few facts that are sealed for some minutes.
 */

export type Scheme = "night" | "dawn";

const base = import.meta.env.BASE_URL;
const SCHEME_COOKIE = "dormouse-scheme";
const SCHEME_AGE_IN_S = 365 * 24 * 60 * 60;
const AWAKE_COOKIE = "dormouse-awake";
const AWAKE_MOST = 150;
const GIFT_AGE_IN_S = 2 * 24 * 60 * 60;
const NIGHT_IN_S = 12 * 60 * 60;

/**
 * A cookie with an opaque token. `__Host-` binds it to this host, which browsers refuse over plain http (a demo on
 * localhost).
 */
export function createTokenCookie(secureName: string, plainName = secureName) {
  const nameAt = (url: URL) => (url.protocol === "https:" ? `__Host-${secureName}` : plainName);
  return {
    read: (request: Request, url: URL) => readCookie(request, nameAt(url)),
    /** Without `life` it ends with the browser. */
    write: (url: URL, token: string, life = "") => `${nameAt(url)}=${token}; ${secretAttributes(url)}${life}`,
    end: (url: URL) => `${nameAt(url)}=; ${secretAttributes(url)}; Max-Age=0`,
  };
}

const untilText = (instant: Date) => `; Expires=${instant.toUTCString()}`;

const session = createTokenCookie("dormouse", "dormouse-session");
export const readSessionToken = session.read;
export const endedSessionCookie = session.end;

export function sessionCookie(url: URL, { token, expiresAt }: StartedSession): string {
  return session.write(url, token, untilText(expiresAt));
}

const draft = createTokenCookie("dormouse-signup");
export const readDraftToken = draft.read;

export function draftCookie(url: URL, { token, expiresAt }: StartedDraft): string {
  return draft.write(url, token, untilText(expiresAt));
}

const gift = createTokenCookie("dormouse-gift");
export const readGiftToken = gift.read;

/** For a gift that is being bought here. It outlives the payment; the server says what may still change. */
export function giftCookie(url: URL, token: string): string {
  return gift.write(url, token, `; Max-Age=${GIFT_AGE_IN_S}`);
}

export function readScheme(request: Request): Scheme | undefined {
  const scheme = readCookie(request, SCHEME_COOKIE);
  return scheme === "night" || scheme === "dawn" ? scheme : undefined;
}

export function schemeCookie(url: URL, scheme: Scheme): string {
  return `${SCHEME_COOKIE}=${scheme}; Path=${base}; SameSite=Lax; Max-Age=${SCHEME_AGE_IN_S}${secure(url)}`;
}

/** Keys of tonight's pieces, such as `read-5001`; empty where the cookie is not as we write it. */
export function readAwakeCookie(request: Request): string[] {
  const value = readCookie(request, AWAKE_COOKIE) ?? "";
  return /^[a-z]+-\d+(?:\.[a-z]+-\d+)*$/.test(value) ? value.split(".") : [];
}

/** A night ends when nothing was shown for half a day. Beyond a cookie's size the latest pieces count. */
export function awakeCookie(url: URL, shown: string[]): string {
  const value = shown.slice(-AWAKE_MOST).join(".");
  return `${AWAKE_COOKIE}=${value}; ${secretAttributes(url)}; Max-Age=${value === "" ? 0 : NIGHT_IN_S}`;
}

/** Only for the server, and only for this host. */
function secretAttributes(url: URL): string {
  return `Path=/; HttpOnly; SameSite=Lax${secure(url)}`;
}

function secure(url: URL): string {
  return url.protocol === "https:" ? "; Secure" : "";
}

function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("Cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Browsers take 4,096 bytes for name, value and attributes, and many headers must fit beside it. */
const MAX_VALUE_LENGTH = 3000;

/** Long enough to look for a password. */
const LIFE_IN_MINUTES = 15;

export type CookieContext = { url: URL; services: Services };

/** Carries a few facts from one page to the next, sealed with their expiry, so that only we can read or change them. */
export function createSealedCookie<Facts>(name: string) {
  type Sealed = { name: string; until: number; facts: Facts };
  const cookie = createTokenCookie(`dormouse-${name}`);

  return {
    /** `undefined` when it is not ours or too old. */
    read(request: Request, { url, services }: CookieContext): Facts | undefined {
      const value = cookie.read(request, url);
      const text = value === undefined ? undefined : services.cookieSeal.open(value);
      if (text === undefined) return undefined;
      const sealed = JSON.parse(text) as Sealed;
      // All our cookies have one seal, so each names itself.
      return sealed.name === name && sealed.until > services.clock().getTime() ? sealed.facts : undefined;
    },

    /** `undefined` when the facts are too large for a browser. */
    write(facts: Facts, { url, services }: CookieContext): string | undefined {
      const sealed: Sealed = { name, until: services.clock().getTime() + LIFE_IN_MINUTES * 60_000, facts };
      const value = services.cookieSeal.seal(JSON.stringify(sealed));
      if (value.length > MAX_VALUE_LENGTH) return undefined;
      return cookie.write(url, value, `; Max-Age=${LIFE_IN_MINUTES * 60}`);
    },

    clear: ({ url }: { url: URL }) => cookie.end(url),
  };
}

/**
 * The text of a form whose session had ended: stored in the browser until its member has logged in again, and shown
 * once. Never a secret or a file.
 */
export const unsentForm = createSealedCookie<{
  path: string;
  values: Record<string, string>;
}>("unsent");
