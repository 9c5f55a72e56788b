import { redirect } from "react-router";

import type { Services } from "../../../server/services.ts";
import { createSealedCookie, createTokenCookie } from "../../frame/cookies.ts";

/** It ends with the browser; the server ends an unused session earlier. */
export const deskSession = createTokenCookie("dormouse-desk");

/** For the page after an act; shown once. */
export const flashCookie = createSealedCookie<DeskFlash>("desk-flash");

/** `at` distinguishes equal messages. */
export type DeskFlash = { message: string; at: number };

export function redirectWithFlash(path: string, message: string, { url, services }: { url: URL; services: Services }) {
  const flash = flashCookie.write({ message, at: services.clock().getTime() }, { url, services });
  return redirect(path, { status: 303, headers: flash ? { "Set-Cookie": flash } : {} });
}

export const unsentActCookie = createSealedCookie<UnsentAct>("desk-unsent");

export type UnsentAct = { form: string; values: Record<string, string> };
