import { api as words } from "../../../server/refusals.ts";
import { addressContext } from "../../context.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { whereaboutsOf } from "../../whereabouts.ts";
import type { Route } from "./+types/api.ts";
import { FALLBACK, refuse, refuseWait, toResponse } from "./answers.ts";
import { answerCall } from "./answer-call.ts";

/** Whatever is asked of the API for other servers. Without a key in the settings there is none; without that key nothing is said. */
async function answerApi({ request, url, params, context }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  const rooms = requireRooms(context);
  const { api, log } = rooms;
  if (!api) return new Response(`${words.ours["nothing-here"]}\n`, { status: 404 });
  if (!api.isKey(request.headers.get("X-Api-Key"))) {
    log.warn({}, "a call without the key was refused");
    return toResponse(refuse(401, words.ours["no-key"]));
  }
  try {
    const tooMany = await api.limits.countCall();
    if (tooMany) return toResponse(refuseWait(tooMany));
    const { site } = whereaboutsOf(context, url);
    const address = api.addressOf(request.headers.get("X-Client-Address"), context.get(addressContext));
    return await answerCall({ rooms, api, request, url, site, address }, params["*"].replace(/\/$/, ""));
  } catch (error) {
    if (request.signal.aborted) throw error;
    log.error({ error }, "a call of the API failed");
    return toResponse(refuse(500, FALLBACK));
  }
}

export const loader = answerApi;
export const action = answerApi;
