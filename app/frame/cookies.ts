import type { Services } from "../../server/services.ts";
import type { StartedSession } from "../../server/members/sessions/sessions.ts";
import type { StartedDraft } from "../../server/money/sign-up/sign-up.ts";

/**
 * Our cookies: opaque tokens of a session and of a sign-up, the scheme, for a night what Awake now has shown, and for
 * minutes a few sealed facts.
 */

export type Scheme = "night" | "dawn";

const base = import.meta.env.BASE_URL;
const SCHEME_COOKIE = "dormouse-scheme";
const SCHEME_AGE_IN_S = 365 * 24 * 60 * 60;
const AWAKE_COOKIE = "dormouse-awake";
const AWAKE_MOST = 150;
const NIGHT_IN_S = 12 * 60 * 60;

/** `__Host-` binds the cookie to this host. Browsers refuse it over plain http (a demo on localhost). */
function sessionCookieName(url: URL): string {
  return url.protocol === "https:" ? "__Host-dormouse" : "dormouse-session";
}

function draftCookieName(url: URL): string {
  return url.protocol === "https:" ? "__Host-dormouse-signup" : "dormouse-signup";
}

export function readSessionToken(request: Request, url: URL): string | undefined {
  return readCookie(request, sessionCookieName(url));
}

export function sessionCookie(url: URL, { token, expiresAt }: StartedSession): string {
  return `${sessionCookieName(url)}=${token}; ${secretAttributes(url)}; Expires=${expiresAt.toUTCString()}`;
}

export function endedSessionCookie(url: URL): string {
  return `${sessionCookieName(url)}=; ${secretAttributes(url)}; Max-Age=0`;
}

export function readDraftToken(request: Request, url: URL): string | undefined {
  return readCookie(request, draftCookieName(url));
}

export function draftCookie(url: URL, { token, expiresAt }: StartedDraft): string {
  return `${draftCookieName(url)}=${token}; ${secretAttributes(url)}; Expires=${expiresAt.toUTCString()}`;
}

export function readScheme(request: Request): Scheme | undefined {
  const scheme = readCookie(request, SCHEME_COOKIE);
  return scheme === "night" || scheme === "dawn" ? scheme : undefined;
}

export function schemeCookie(url: URL, scheme: Scheme): string {
  return `${SCHEME_COOKIE}=${scheme}; Path=${base}; SameSite=Lax; Max-Age=${SCHEME_AGE_IN_S}${secure(url)}`;
}

/** The pieces that Awake now has shown tonight: keys such as `read-5001`; none where the cookie is not as we write it. */
export function readAwakeCookie(request: Request): string[] {
  const value = readCookie(request, AWAKE_COOKIE) ?? "";
  return /^[a-z]+-\d+(?:\.[a-z]+-\d+)*$/.test(value) ? value.split(".") : [];
}

/** A night is over when nothing was shown for half a day. Of more pieces than a cookie takes the last count. */
export function awakeCookie(url: URL, shown: string[]): string {
  const value = shown.slice(-AWAKE_MOST).join(".");
  return `${AWAKE_COOKIE}=${value}; ${secretAttributes(url)}; Max-Age=${value === "" ? 0 : NIGHT_IN_S}`;
}

/** Of a cookie that only the server reads, of this host alone. */
export function secretAttributes(url: URL): string {
  return `Path=/; HttpOnly; SameSite=Lax${secure(url)}`;
}

function secure(url: URL): string {
  return url.protocol === "https:" ? "; Secure" : "";
}

export function readCookie(request: Request, name: string): string | undefined {
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

/** The page, and the services behind it. */
export type CookiePlace = { url: URL; services: Services };

/**
 * A cookie of a few facts that go from one page to the next. They are sealed, so that only we read or alter them, with the moment at
 * which they expire.
 */
export function createSealedCookie<Facts>(name: string) {
  type Sealed = { name: string; until: number; facts: Facts };
  const fullName = (url: URL) => (url.protocol === "https:" ? `__Host-dormouse-${name}` : `dormouse-${name}`);

  return {
    /** The value that the browser sent; `undefined` when it is not ours or too old. */
    read(request: Request, { url, services }: CookiePlace): Facts | undefined {
      const value = readCookie(request, fullName(url));
      const text = value === undefined ? undefined : services.cookieSeal.open(value);
      if (text === undefined) return undefined;
      const sealed = JSON.parse(text) as Sealed;
      // All our cookies have one seal: each says which it is.
      return sealed.name === name && sealed.until > services.clock().getTime() ? sealed.facts : undefined;
    },

    /** The header that sets it; `undefined` when the facts are more than a browser takes. */
    write(facts: Facts, { url, services }: CookiePlace): string | undefined {
      const sealed: Sealed = { name, until: services.clock().getTime() + LIFE_IN_MINUTES * 60_000, facts };
      const value = services.cookieSeal.seal(JSON.stringify(sealed));
      if (value.length > MAX_VALUE_LENGTH) return undefined;
      return `${fullName(url)}=${value}; ${secretAttributes(url)}; Max-Age=${LIFE_IN_MINUTES * 60}`;
    },

    /** The header that deletes it. */
    clear: ({ url }: { url: URL }) => `${fullName(url)}=; ${secretAttributes(url)}; Max-Age=0`,
  };
}

/**
 * The text of a form whose session had ended: stored in the browser until its member has logged in again, and shown once.
 * Never a secret, never a file.
 */
export const unsentForm = createSealedCookie<{
  /** The page with the form. */
  path: string;
  values: Record<string, string>;
}>("unsent");
