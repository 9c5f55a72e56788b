import { createSealedCookie } from "./sealed-cookie.ts";

/**
 * What somebody had typed into a form when their session was over already: kept in their browser until they have logged in
 * again, and shown once. Never a secret, never a file.
 */
export type UnsentForm = {
  /** The page with the form. */
  path: string;
  values: Record<string, string>;
};

/** Long enough to look for a password. */
export const unsentForm = createSealedCookie<UnsentForm>({ name: "unsent", lifeInMinutes: 15 });
