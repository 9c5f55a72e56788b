import type { ActionFunctionArgs } from "react-router";

import { createSealedCookie } from "../frame/cookies.ts";
import { requireServices } from "../frame/middleware/guards.ts";

/** The challenge comes back in the browser's sealed cookie, so the server stores nothing. */
export function createPasskeyChallenge<Work extends string>(name: string) {
  const cookie = createSealedCookie<{ challenge: string; work: Work }>(name);
  return {
    /** The options as JSON for script, whose challenge is for this work alone. */
    answer(work: Work, options: { challenge: string }, { context, url }: ActionFunctionArgs): Response {
      const header = cookie.write({ challenge: options.challenge, work }, { url, services: requireServices(context) });
      return Response.json({ options }, { headers: header ? { "Set-Cookie": header } : {} });
    },

    /** `undefined` for a challenge of another work: one for a log-in adds no passkey. */
    read(work: Work, { request, context, url }: ActionFunctionArgs): string | undefined {
      const given = cookie.read(request, { url, services: requireServices(context) });
      return given?.work === work ? given.challenge : undefined;
    },
  };
}

/** Whether browsers have passkeys at this address: over https or on this machine, by a name and not by digits. */
export function hasPasskeys({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isLocal || (protocol === "https:" && !/^[\d.]+$|:/.test(hostname));
}

/** A passkey belongs to a host, and its answer to an origin. */
export const toPasskeySite = (url: URL) => ({ host: url.hostname, origin: url.origin });

export const memberChallenge = createPasskeyChallenge<"log-in" | "proof" | "adding">("passkey");
