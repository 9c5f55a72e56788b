import { createSealedCookie, createTokenCookie } from "../../frame/cookies.ts";

export const contactSession = createTokenCookie("dormouse-company");

/** The address that a code was sent to. */
export const sentCookie = createSealedCookie<{ email: string }>("company-code");
