import { data, redirect, type ActionFunctionArgs } from "react-router";

import type { Nights } from "../../../server/content/guides.ts";
import { itemKey, parseItemKey, sections } from "../../../server/content/kinds.ts";
import { findPlayed, nightsText } from "../../../server/content/rules.ts";
import type { NoteResult, Place } from "../../../server/positions/positions.ts";
import { isAtEnd, remainingText } from "../../../server/positions/rules.ts";
import { nights as nightMessages, positions as messages } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { readText } from "../../forms/read-text.ts";
import { requireSender, requireServices } from "../../middleware/guards.ts";
import { readMarks, readPlace, writeMarks, writePlace } from "./undo.ts";
import { nightsPath, viewPath } from "./view.ts";

/** An entry of "Go on with", the first row of the landing. */
export type Started = {
  key: string;
  title: string;
  path: string;
  /** The kind and how much is left, in words. */
  left: string;
  /** Of one that was just forgotten: what brings it back. */
  undo?: string;
};

/** Started items that are shown; as many again are read, because some may have been withdrawn. */
const GO_ON_WITH = 3;

/** The items that a member has started, nights that are not over, and in its place what was just `forgotten` of these. */
export async function findStarted(services: Services, memberId: number, forgotten: string): Promise<Started[]> {
  const { positions, clock } = services;
  const known: Place[] = await positions.listStarted(memberId, 2 * GO_ON_WITH);
  const shown = known.flatMap((place) => toStarted(services, place) ?? []).slice(0, GO_ON_WITH);
  const gone = readPlace(forgotten, clock());
  const entry = gone && toStarted(services, gone);
  if (entry && !known.some((place) => itemKey(place) === entry.key)) {
    const place = known.filter(({ observedAt }) => observedAt > gone.observedAt).length;
    shown.splice(place, 0, { ...entry, left: FORGOTTEN, undo: forgotten });
  }
  return [...shown, ...(await findNights(services, memberId, forgotten))];
}

function toStarted({ catalogue }: Services, { kind, id, seconds, duration }: Place): Started | undefined {
  const item = catalogue.findItem(kind, id);
  const played = item && findPlayed(item);
  // It may play nothing any more, or have been cut shorter.
  const length = played?.durationInSeconds ?? duration;
  if (!played || isAtEnd(seconds, length)) return undefined;
  const isFilm = item.video?.kind === "file";
  const path = viewPath({ name: "item", kind, id, isPlaying: isFilm });
  const left = `${sections[isFilm ? kind : "listen"].one}, ${remainingText(length - seconds)}`;
  return { key: itemKey(item), title: item.title, path, left };
}

/** The nights that a member has begun and not come to the end of: those of one topic. */
async function findNights({ catalogue, positions }: Services, memberId: number, forgotten: string): Promise<Started[]> {
  const marked = await positions.nights.list(memberId);
  const found = catalogue.listNights().flatMap(({ slug, topic, nights }) => {
    const keys = new Set(marked.filter((each) => each.topic === slug).map(itemKey));
    const next = nights.findIndex((night) => !keys.has(itemKey(night)));
    const entry = { key: NIGHTS + slug, title: `${nightsText(nights.length)}: ${topic}`, path: nightsPath(slug) };
    if (keys.size > 0 && next !== -1) return [{ ...entry, left: `Night ${next + 1} is next` }];
    const isGone = keys.size === 0 && readForgottenNights(forgotten, { slug, nights }).length > 0;
    return isGone ? [{ ...entry, left: FORGOTTEN, undo: forgotten }] : [];
  });
  return found.slice(0, 1);
}

/** Begins the key of nights in a form, where others have that of an item. */
const NIGHTS = "nights-";
const FORGOTTEN = "Forgotten";

/** Forgets where a member stopped in an item or its nights, or brings it back: a button in the first row of the landing. */
export async function changeStarted(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const services = requireServices(args.context);
  if (form.has("undo")) return await restore(services, member.id, readText(form, "undo"));
  const forgotten = await forget(services, member.id, readText(form, "item"));
  return redirect(forgotten ? `/?forgotten=${forgotten}#undo` : "/#go-on", { status: 303 });
}

/** Answers what brings it back, where there was anything. */
async function forget({ catalogue, positions }: Services, memberId: number, key: string): Promise<string | undefined> {
  const nights = catalogue.listNights().find(({ slug }) => key === NIGHTS + slug);
  if (nights) {
    const marks = await positions.nights.listMarks(memberId, nights.slug);
    await positions.nights.forget(memberId, nights.slug);
    return `${key},${writeMarks(marks)}`;
  }
  const item = parseItemKey(key);
  if (!item) throw data(messages.unnamed, { status: 400 });
  const place = await positions.forget(memberId, item);
  return place && writePlace(place);
}

/** The marks of nights that were forgotten: `nights-cant-get-to-sleep,watch-2001:opened`. */
function readForgottenNights(text: string, nights: Pick<Nights, "slug" | "nights">) {
  const start = `${NIGHTS}${nights.slug},`;
  return text.startsWith(start) ? readMarks(text.slice(start.length), nights) : [];
}

async function restore(services: Services, memberId: number, text: string) {
  const { catalogue, positions, clock } = services;
  const nights = catalogue.listNights().find((each) => readForgottenNights(text, each).length > 0);
  const place = readPlace(text, clock());
  if (!nights && !place) throw data(messages.unreadable, { status: 400 });
  if (place && !catalogue.findItem(place.kind, place.id)) throw data(messages.gone, { status: 404 });
  const result = nights
    ? await noteNights(services, memberId, { nights, wanted: readForgottenNights(text, nights) })
    : place && (await positions.restore(memberId, place));
  if (result?.ok === false) throw data(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return redirect("/#go-on", { status: 303 });
}

type Noted = { nights: Nights; wanted: ReturnType<typeof readMarks> };

/** Marks nights. One that is not, or no longer, among them is answered 404. */
export async function noteNights(
  { positions }: Services,
  memberId: number,
  { nights, wanted }: Noted,
): Promise<NoteResult> {
  const noted = wanted.flatMap(({ key, state }) => {
    const item = nights.nights.some((night) => itemKey(night) === key) ? parseItemKey(key) : undefined;
    return item ? [{ topic: nights.slug, ...item, state }] : [];
  });
  if (noted.length === 0 || noted.length < wanted.length) throw data(nightMessages.gone, { status: 404 });
  return positions.nights.note(memberId, noted);
}
