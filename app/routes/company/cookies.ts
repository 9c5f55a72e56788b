import { createSealedCookie, readCookie, secretAttributes } from "../../frame/cookies.ts";

/** The token of a session, and for minutes the address that a code was sent to. */

const sessionName = (url: URL) => (url.protocol === "https:" ? "__Host-dormouse-company" : "dormouse-company");

export function readContactSession(request: Request, url: URL): string | undefined {
  return readCookie(request, sessionName(url));
}

export function contactSessionCookie(url: URL, { token }: { token: string }): string {
  return `${sessionName(url)}=${token}; ${secretAttributes(url)}`;
}

export function endedContactSessionCookie(url: URL): string {
  return `${sessionName(url)}=; ${secretAttributes(url)}; Max-Age=0`;
}

export const sentCookie = createSealedCookie<{ email: string }>("company-code");
