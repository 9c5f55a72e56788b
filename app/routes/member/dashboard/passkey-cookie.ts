import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";

import { formatDateTime } from "../../../../server/platform/format.ts";
import { isNight } from "../../../player/core/sleep-time.ts";
import { hasPasskeys } from "../../../forms/passkey-challenge.ts";
import { createSealedCookie } from "../../../frame/cookies.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";

/** Of a log-in by password: the next landing offers a passkey, once. */
const cookie = createSealedCookie<{ isOffered: true }>("passkey-offer");

/** For a member who has no passkey, and was never offered one. */
export async function writeOffer(
  memberId: number,
  { context, url }: Pick<ActionFunctionArgs, "context" | "url">,
): Promise<string | undefined> {
  const services = requireServices(context);
  if (!services.capabilities.canLogInWithoutPassword || !hasPasskeys(url)) return undefined;
  if (!(await services.memberPasskeys.isOffered(memberId))) return undefined;
  return cookie.write({ isOffered: true }, { url, services });
}

/** Whether this page makes the offer; its header uses the cookie up. At night nothing is in the way of the sound. */
export function takeOffer({ request, context, url }: LoaderFunctionArgs, isLanding: boolean) {
  const services = requireServices(context);
  const [, hour] = formatDateTime(services.clock()).split(/[ :]/).map(Number);
  const isMade = isLanding && !isNight(hour ?? 0) && cookie.read(request, { url, services }) !== undefined;
  return { isMade, headers: isMade ? { "Set-Cookie": cookie.clear({ url }) } : {} };
}
