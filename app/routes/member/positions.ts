import { data, redirect } from "react-router";
import { z } from "zod";

import { parseItemKey } from "../../../server/content/items/kinds.ts";
import { positions as messages } from "../../../server/refusals.ts";
import { readForm } from "../../forms/intents.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { readText } from "../../forms/read-text.ts";
import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/positions.ts";

const DAY_IN_SECONDS = 24 * 60 * 60;

/** Digits alone: `Number` would read an empty text as 0. */
const number = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,20})?$/)
  .transform(Number);

/** In ms since 1970. */
const time = z
  .string()
  .regex(/^\d{1,14}$/)
  .transform((ms) => new Date(Number(ms)));

const observation = z
  .object({
    seconds: number,
    duration: number.refine((seconds) => seconds > 0 && seconds <= DAY_IN_SECONDS),
    age: number.refine((ms) => ms <= DAY_IN_SECONDS * 1000),
    seen: time.optional(),
  })
  .refine(({ seconds, duration }) => seconds <= duration);

/**
 * Positions from script (`app/player/core/positions.ts`): `keep=watch-2001` with `seconds`, `duration`, `age` in
 * milliseconds and `seen` by our clock, or `open=read-1001`. Returns whether the member wants them stored; if not,
 * script stops sending.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const member = await requireActiveMember(context);
  const form = await readForm(request);
  const isOpening = form.has("open");
  const item = parseItemKey(readText(form, isOpening ? "open" : "keep"));
  if (!item) throw data(messages.unnamed, { status: 400 });
  const { catalogue, positions } = requireServices(context);
  if (!catalogue.findItem(item.kind, item.id)) throw data(messages.gone, { status: 404 });

  const result = isOpening
    ? await positions.noteOpened(member.id, item)
    : await positions.note(member.id, item, readObservation(form));
  if (!result.ok) throw data(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return { isOn: result.isOn };
}

/** For a person who opens this address. */
export function loader() {
  return redirect("/");
}

function readObservation(form: FormData) {
  const { data: read } = observation.safeParse(Object.fromEntries(form));
  if (!read) throw data(messages.unreadable, { status: 400 });
  return { seconds: read.seconds, duration: read.duration, ageInMs: read.age, seenAt: read.seen };
}
