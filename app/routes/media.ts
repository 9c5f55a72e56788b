import { api as messages } from "../../server/refusals.ts";
import { isDataRequest } from "../forms/answer.ts";
import { requireActiveMember, requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/media.ts";
import { answerMedia, readWidth } from "./media/answer-media.ts";

/** A picture or film of the content, for active members only; in ranges where a player asks for them. */
export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { id: memberId } = await requireActiveMember(context);
  const services = requireServices(context);
  // The framework's data format would hold the whole file in memory, and no page asks for one so.
  if (isDataRequest(request)) return new Response(null, { status: 404, headers: briefly });
  const media = await services.catalogue.findMedia(params.name, readWidth(url.searchParams.get("w")));
  if (!media) return new Response(messages.ours["no-file"], { status: 404, headers: briefly });
  if (media === "away") return answerAway();
  try {
    const answer = await answerMedia(media, { request, memberId, services, cacheControl: "private, max-age=86400" });
    return answer === "busy" ? answerBusy() : answer;
  } catch (error) {
    services.log.warn({ error }, "a file of the content could not be read");
    return answerAway();
  }
}

const briefly = { "Cache-Control": "private, max-age=60" };

function answerAway(): Response {
  return new Response(messages.ours["file-unavailable"], { status: 503, headers: { ...briefly, "Retry-After": "60" } });
}

function answerBusy(): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": "10" };
  return new Response(messages.ours["too-many-files"], { status: 429, headers });
}
