import type { StartedSession } from "../server/sessions/sessions.ts";
import type { StartedDraft } from "../server/sign-up/sign-up.ts";

/** What we keep in a browser: who it is (an opaque token), the sign-up it has begun, and which scheme it likes. */

export type Scheme = "night" | "dawn";

const base = import.meta.env.BASE_URL;
const SCHEME_COOKIE = "dormouse-scheme";
const SCHEME_AGE_IN_S = 365 * 24 * 60 * 60;

/** `__Host-` binds the cookie to this very host over https; plain http (a demo on localhost) cannot have that. */
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
