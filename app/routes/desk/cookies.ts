import { createSealedCookie, readCookie, secretAttributes } from "../../frame/cookies.ts";

/** The desk's cookies. Browsers send them to this host alone. */

const sessionName = (url: URL) => (url.protocol === "https:" ? "__Host-dormouse-desk" : "dormouse-desk");

export function readDeskSession(request: Request, url: URL): string | undefined {
  return readCookie(request, sessionName(url));
}

/** No `Expires`: the browser forgets it when it closes, and the server earlier if it is not used. */
export function deskSessionCookie(url: URL, { token }: { token: string }): string {
  return `${sessionName(url)}=${token}; ${secretAttributes(url)}`;
}

export function endedDeskSessionCookie(url: URL): string {
  return `${sessionName(url)}=; ${secretAttributes(url)}; Max-Age=0`;
}

/** The result of an act, for the page that it leads to; shown once. */
export const flashCookie = createSealedCookie<DeskFlash>("desk-flash");

/** `at` tells two messages apart that say the same. */
export type DeskFlash = { message: string; at: number };

/** The input of a form whose session had ended. */
export const unsentActCookie = createSealedCookie<UnsentAct>("desk-unsent");

export type UnsentAct = { form: string; values: Record<string, string> };

/** The challenge that a passkey is to sign, and what for. */
export const challengeCookie = createSealedCookie<PasskeyChallenge>("desk-passkey");

export type PasskeyChallenge = { challenge: string; work: "log-in" | "add" };
