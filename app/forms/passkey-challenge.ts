import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { createSealedCookie } from "../frame/cookies.ts";
import { requireServices } from "../frame/middleware/guards.ts";
import { readText } from "./read-text.ts";

type Begun<Work> = { challenge: string; work: Work; until: number };

/** Each tab of a browser may wait for an answer; of more, the oldest challenges no longer work. */
const MOST_BEGUN = 5;
/** As long as the server remembers that a challenge was answered. */
const LIFE_IN_MS = 15 * MINUTE_IN_MS;

/** The challenge comes back in the browser's sealed cookie, so the server stores nothing. */
export function createPasskeyChallenge<Work extends string>(name: string) {
  const cookie = createSealedCookie<Begun<Work>[]>(name);

  function readBegun({ request, context, url }: ActionFunctionArgs): Begun<Work>[] {
    const services = requireServices(context);
    const begun = cookie.read(request, { url, services }) ?? [];
    return begun.filter(({ until }) => until > services.clock().getTime());
  }

  return {
    /** The options as JSON for script, whose challenge is for this work alone. */
    answer(work: Work, options: { challenge: string }, args: ActionFunctionArgs): Response {
      const { context, url } = args;
      const services = requireServices(context);
      const begun = { challenge: options.challenge, work, until: services.clock().getTime() + LIFE_IN_MS };
      const header = cookie.write([...readBegun(args), begun].slice(-MOST_BEGUN), { url, services });
      return Response.json({ options }, { headers: header ? { "Set-Cookie": header } : {} });
    },

    /**
     * The device's answer in a form. Its challenge is empty where this browser did not get it, or got it for another
     * work: one for a log-in adds no passkey.
     */
    read(work: Work, form: FormData, args: ActionFunctionArgs) {
      const response = readText(form, "response");
      const named = readChallenge(response);
      const begun = readBegun(args).find((each) => each.work === work && each.challenge === named);
      return { ...toPasskeySite(args.url), challenge: begun?.challenge ?? "", response };
    },
  };
}

const answered = z.object({ response: z.object({ clientDataJSON: z.string() }) });
const clientData = z.object({ challenge: z.string() });

/** The module checks the whole answer. */
function readChallenge(response: string): string | undefined {
  try {
    const { clientDataJSON } = answered.parse(JSON.parse(response)).response;
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).challenge;
  } catch {
    return undefined;
  }
}

/** Whether browsers have passkeys at this address: over https or on this machine, by a name and not by digits. */
export function hasPasskeys({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isLocal || (protocol === "https:" && !/^[\d.]+$|:/.test(hostname));
}

/** A passkey belongs to a host, and its answer to an origin. */
export const toPasskeySite = (url: URL) => ({ host: url.hostname, origin: url.origin });

export const memberChallenge = createPasskeyChallenge<"log-in" | "proof" | "adding">("passkey");
