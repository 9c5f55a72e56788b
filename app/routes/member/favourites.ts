import { data, isRouteErrorResponse, redirect } from "react-router";

import { itemKey, type ItemRef, parseItemKey } from "../../../server/content/items/kinds.ts";
import { favourites as messages } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import type { FavouriteAnswer } from "../../components/favourite-button.tsx";
import { toPictureAddress } from "../../components/picture.tsx";
import { callerContext } from "../../frame/context.ts";
import { answerDone } from "../../forms/answer.ts";
import { readForm } from "../../forms/intents.ts";
import { NO_ANSWER } from "../../forms/send-or-keep.ts";
import { readText } from "../../forms/read-text.ts";
import { requireActiveMember, requireMember, requireServices, requireSender } from "../../frame/middleware/guards.ts";
import { safePath } from "../../frame/paths.ts";
import { findRemovedPath } from "./dashboard/favourites.tsx";
import type { NextRecording } from "../../player/following.ts";
import type { Route } from "./+types/favourites.ts";

/**
 * The forms of favourite buttons: `save=watch-2001` or `remove=watch-2001`. A plain form returns to the card on the
 * page that it came `from`, or to the removed favourite's place there; script gets the new state.
 */
export async function action(args: Route.ActionArgs) {
  const { request, url, context } = args;
  // Without a session cookie: to sign-up. With an ended session: to log-in and back.
  if (context.get(callerContext).token === undefined) requireMember(context, url);
  const form = await readForm(request);
  const from = safePath(readText(form, "from"));
  requireSender(args, { form, path: from });
  const member = await requireActiveMember(context);
  const { isFavourited, item, key } = parseToggle(form);
  const services = requireServices(context);
  const { catalogue, favourites } = services;

  if (isFavourited && !catalogue.findItem(item.kind, item.id)) throw data(messages.gone, { status: 404 });
  const removedPath = isFavourited ? undefined : await findRemovedPath(services, member.id, { item, from });
  const result = await (isFavourited ? favourites.save(member.id, item) : favourites.remove(member.id, item));
  if (!result.ok) throw data(messages.unavailable, { status: 503 });
  return answerDone(request, removedPath ?? `${from}#${key}`, { answer: { isFavourited } });
}

/** A failed favourite never replaces the page: its button reports it. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    // A redirect to log-in.
    if (error instanceof Response) throw error;
    // The membership has ended: the page reloads, as after each favourite, and shows that.
    if (isRouteErrorResponse(error) && error.status === 403) return data<FavouriteAnswer>(null, { status: 200 });
    return data<FavouriteAnswer>({ isFavourited: null }, { status: NO_ANSWER });
  }
}

/**
 * With `after`, the next recording of the favourites, or `null` without one. Opened as a page, it shows the favourites.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const after = url.searchParams.get("after");
  if (after === null) return redirect("/?view=favourites");
  const member = await requireActiveMember(context);
  return Response.json(await findNext(requireServices(context), { memberId: member.id, after }));
}

async function findNext(
  { catalogue, favourites, clock }: Services,
  { memberId, after }: { memberId: number; after: string },
): Promise<NextRecording | null> {
  const keys = await favourites.listFavourited(memberId, catalogue.listRecordings());
  const key = keys[(keys.indexOf(after) + 1) % keys.length];
  const ref = key === undefined || key === after ? undefined : parseItemKey(key);
  const item = ref && catalogue.findItem(ref.kind, ref.id);
  if (!item?.sound) return null;
  const { title, sound, picture } = item;
  const recording = { itemKey: itemKey(item), title, sound, picture: toPictureAddress(picture) };
  return { recording, position: { readAt: clock().getTime() } };
}

/** With it the router fetches this module before the first press, but not the loader's data. */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader();

function parseToggle(form: FormData): { isFavourited: boolean; item: ItemRef; key: string } {
  const isFavourited = form.has("save");
  const key = readText(form, isFavourited ? "save" : "remove");
  const item = parseItemKey(key);
  if (!item) throw data(messages.unnamed, { status: 400 });
  return { isFavourited, item, key };
}
