import { data, redirect } from "react-router";

import type { ItemRef } from "../../server/favourites/favourites.ts";
import { favourites as table } from "../../server/refusals.ts";
import { visitorContext } from "../context.ts";
import { readForm } from "../forms/intents.ts";
import { textOf } from "../forms/text-of.ts";
import { requireActiveMember, requireMember, requireServices, requireSender } from "../middleware/guards.ts";
import { safePath } from "../paths.ts";
import type { Route } from "./+types/favourites.ts";

const words = table.ours;

/**
 * Where hearts are sent: `save=watch-2001` or `remove=watch-2001`. A plain form goes back to the page it stood `from`,
 * at its card; script asks for JSON and gets 204. A route of its own, not an intent of the dashboard, because script
 * needs the bare answer: a heart must neither navigate nor load the page again.
 */
export async function action(args: Route.ActionArgs) {
  const { request, url, context } = args;
  // Who never had a session signs up; whose session has ended meanwhile logs in, and is back at the page with the heart.
  if (context.get(visitorContext).token === undefined) requireMember(context, url);
  const form = await readForm(request);
  const from = safePath(textOf(form, "from"));
  requireSender(args, { form, path: from });
  const member = await requireActiveMember(context);
  const { isKept, item, key } = parseWish(form);
  const { catalogue, favourites } = requireServices(context);

  if (isKept && !catalogue.findItem(item.kind, item.id)) throw data(words.gone, { status: 404 });
  const result = await (isKept ? favourites.save(member.id, item) : favourites.remove(member.id, item));
  if (!result.ok) throw data(words.unreachable, { status: 503 });

  if (request.headers.get("Accept") === "application/json") return new Response(null, { status: 204 });
  return redirect(`${from}#${key}`, 303);
}

/** Somebody who came here by address wants the favourites. */
export function loader() {
  return redirect("/?view=favourites");
}

type Wish = { isKept: boolean; item: ItemRef; key: string };

function parseWish(form: FormData): Wish {
  const isKept = form.has("save");
  const key = form.get(isKept ? "save" : "remove");
  const [, kind, id] = (typeof key === "string" && /^(watch|read|learn)-([1-9]\d{0,8})$/.exec(key)) || [];
  if (typeof key !== "string" || !kind || !id) {
    throw data(words.unnamed, { status: 400 });
  }
  return { isKept, item: { kind: kind as ItemRef["kind"], id: Number(id) }, key };
}
