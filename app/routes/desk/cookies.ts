import { createSealedCookie, readCookie, secretAttributes } from "../../frame/cookies.ts";

/** Browsers send them to this host alone. */

const sessionName = (url: URL) => (url.protocol === "https:" ? "__Host-dormouse-desk" : "dormouse-desk");

export function readDeskSession(request: Request, url: URL): string | undefined {
  return readCookie(request, sessionName(url));
}

/** Without `Expires` it ends with the browser; the server ends an unused session earlier. */
export function deskSessionCookie(url: URL, { token }: { token: string }): string {
  return `${sessionName(url)}=${token}; ${secretAttributes(url)}`;
}

export function endedDeskSessionCookie(url: URL): string {
  return `${sessionName(url)}=; ${secretAttributes(url)}; Max-Age=0`;
}

/** For the page after an act; shown once. */
export const flashCookie = createSealedCookie<DeskFlash>("desk-flash");

/** `at` distinguishes equal messages. */
export type DeskFlash = { message: string; at: number };

export const unsentActCookie = createSealedCookie<UnsentAct>("desk-unsent");

export type UnsentAct = { form: string; values: Record<string, string> };
