import type { CallAnswer } from "../../../server/provider-api/wire.ts";
import type { MediaType } from "../../../server/provider-api/wire-content.ts";
import { favourites } from "../../../server/refusals.ts";
import { answer, refuse } from "./answers.ts";
import type { Handler } from "./visit.ts";
import { kindOf, mediaTypeOf, toWireItem } from "./wire-item.ts";

export const getallfaves: Handler<"getallfaves"> = async ({ rooms, member, site }) => {
  const faves: CallAnswer<"getallfaves"> = {
    videos: {},
    post: {},
    tutorials: {},
    withdrawn: { videos: [], post: [], tutorials: [] },
  };
  for (const { kind, id, savedAt } of await rooms.favourites.listFor(member.id)) {
    const type: MediaType = mediaTypeOf[kind];
    const item = rooms.catalogue.findItem(kind, id);
    if (item) faves[type][id] = { ...toWireItem(item, site), saved_at: savedAt.toISOString() };
    else faves.withdrawn[type].push(id);
  }
  return answer(faves);
};

/** What is wanted, or the other way round than it is (spec, section 4). What is not there can be let go, not kept. */
export const postfave: Handler<"postfave"> = async ({ rooms, member, input }) => {
  const { mediaId, mediaType, wanted } = input;
  const item = { kind: kindOf[mediaType], id: mediaId };
  const [isKept] = await rooms.favourites.listFavourited(member.id, [item]);
  const isFavourite = wanted === undefined ? !isKept : wanted === "save";
  if (isFavourite && !rooms.catalogue.findItem(item.kind, item.id)) return refuse(404, favourites.ours.gone);
  if (isFavourite) await rooms.favourites.save(member.id, item);
  else await rooms.favourites.remove(member.id, item);
  return answer({ mediaId, mediaType, isFavourite });
};
