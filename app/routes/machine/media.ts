import { fetchMode } from "remix-utils/sec-fetch";

import { api as messages } from "../../../server/refusals.ts";
import { isDataRequest } from "../../forms/answer.ts";
import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/media.ts";
import { deskSession } from "../desk/cookies.ts";
import { answerMedia, readWidth } from "./media/answer-media.ts";

/** For active members and operators only; in ranges for players. */
export async function loader(args: Route.LoaderArgs) {
  const { request, params, context, url } = args;
  const memberId = await requireReader(args);
  const services = requireServices(context);
  // The framework's data format would hold the whole file in memory, and no page requests one.
  if (isDataRequest(request)) return new Response(null, { status: 404, headers: briefly });
  const width = readWidth(url.searchParams.get("w"));
  const address =
    mayLeave(request) &&
    (await services.mediaStore?.findAddress({ name: params.name, width, isContinued: isContinued(request) }));
  if (address) return answerElsewhere(address);
  const media = await services.catalogue.findMedia(params.name, width);
  if (!media) return new Response(messages["no-file"], { status: 404, headers: briefly });
  if (media === "away") return answerAway();
  try {
    const answer = await answerMedia(media, { request, memberId, services, cacheControl: "private, max-age=86400" });
    return answer === "busy" ? answerBusy() : answer;
  } catch (error) {
    services.log.warn({ error }, "a file of the content could not be read");
    return answerAway();
  }
}

/** The id for counting files in flight: a member's, or the negative one of an operator who previews at the desk. */
async function requireReader({ request, context, url }: Route.LoaderArgs): Promise<number> {
  const session = deskSession.read(request, url);
  const found = session === undefined ? undefined : await requireServices(context).operators.findSession(session);
  return found ? -found.operator.id : (await requireActiveMember(context)).id;
}

/**
 * Not for script such as `public/keep.js`: the store would have to allow this site (Fetch, section 3.3, CORS). A signed
 * address is for GET alone.
 */
function mayLeave(request: Request): boolean {
  return request.method === "GET" && ["no-cors", "navigate", null].includes(fetchMode(request));
}

function isContinued({ headers }: Request): boolean {
  return /^bytes=(?:0*[1-9]|-)/.test(headers.get("Range") ?? "");
}

/** Cached for much less time than the address is valid. */
function answerElsewhere(address: string): Response {
  const headers = {
    Location: address,
    "Cache-Control": "private, max-age=3600",
    "Referrer-Policy": "no-referrer",
    Vary: "Sec-Fetch-Mode",
  };
  return new Response(null, { status: 302, headers });
}

const briefly = { "Cache-Control": "private, max-age=60" };

function answerAway(): Response {
  return new Response(messages["file-unavailable"], { status: 503, headers: { ...briefly, "Retry-After": "60" } });
}

function answerBusy(): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": "10" };
  return new Response(messages["too-many-files"], { status: 429, headers });
}
