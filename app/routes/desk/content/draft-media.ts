import { parseItemKey } from "../../../../server/content/items/kinds.ts";
import { api as messages } from "../../../../server/refusals.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/draft-media.ts";
import { requireOperator } from "../operator.ts";
import { answerMedia, readWidth } from "../../machine/media/answer-media.ts";

/** Members have no address that leads here, and no browser stores the file. */
export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const ref = parseItemKey(params.draft);
  const width = readWidth(url.searchParams.get("w"));
  const media = ref && (await services.catalogue.editorial.findDraftMedia(ref, params.name, width));
  if (!media) return new Response(messages["no-file"], { status: 404 });
  if (media === "away") return answerAway();
  // Operators are counted apart from members.
  const serving = { request, memberId: -operator.id, services, cacheControl: "private, no-store" };
  try {
    const answer = await answerMedia(media, serving);
    if (answer !== "busy") return answer;
    return new Response(messages["too-many-files"], { status: 429, headers: { "Retry-After": "10" } });
  } catch (error) {
    services.log.warn({ error }, "a file of a draft could not be read");
    return answerAway();
  }
}

function answerAway(): Response {
  return new Response(messages["file-unavailable"], { status: 503, headers: { "Retry-After": "60" } });
}
