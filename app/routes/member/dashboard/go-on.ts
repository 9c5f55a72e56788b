import { data, redirect, type ActionFunctionArgs } from "react-router";

import type { Nights } from "../../../../server/content/catalogue/guides.ts";
import type { Item, Picture } from "../../../../server/content/items/item.ts";
import { type ItemRef, itemKey, parseItemKey, sceneNumber, sections } from "../../../../server/content/items/kinds.ts";
import { findPlayed, isRecording, nightsText } from "../../../../server/content/items/item-facts.ts";
import type { Sound } from "../../../../server/content/items/sound.ts";
import type { Night } from "../../../../server/members/positions/nights.ts";
import type { NoteResult, Position } from "../../../../server/members/positions/positions.ts";
import { isAtEnd, remainingText } from "../../../../server/members/positions/progress.ts";
import { nights as nightMessages, positions as messages } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import { tooMany, tooSoon } from "../../../forms/messages.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireSender, requireServices } from "../../../frame/middleware/guards.ts";
import type { OneTap } from "../../../player/one-tap.tsx";
import { tiles } from "./landing-texts.ts";
import { readMarks, readPosition, writeMarks, writePosition } from "./undo.ts";
import { nightsPath, viewPath } from "./view.ts";

/** An entry of the landing's first row. */
export type Started = OneTap & {
  /** Its part in the row or its kind, and how much is left, in words. */
  left: string;
  picture?: Picture;
  percent?: number | undefined;
  /** For one that was just forgotten: restores it. */
  undo?: string;
  /** A favourite cannot be forgotten here. */
  isSaved?: true;
};

/** The most entries, and the most of them that are begun items. */
const ROW_LENGTH = 4;
const MOST_BEGUN = 3;

/**
 * The last recording, other begun items, unfinished nights, a favourite, and whatever was just `forgotten` of these in
 * its place. Empty for a new member.
 */
export async function findStarted(services: Services, memberId: number, forgotten: string): Promise<Started[]> {
  const { positions, favourites } = services;
  const [{ played: known, nights: marked }, saved] = await Promise.all([
    positions.listBegun(memberId),
    favourites.listNewest(memberId),
  ]);
  const nights = findNights(services, marked, forgotten);
  const gone = findGone(services, known, forgotten);
  const last = findLastRecording(services, known);
  const tonight = last && toTonight(services, last);
  const begun = known
    .filter((position) => position !== last?.position)
    .flatMap((position) => toBegun(services, position) ?? []);
  const taken = new Set([tonight, gone, ...begun].map((entry) => entry?.key));
  const favourite = saved
    .filter((item) => !taken.has(itemKey(item)))
    .flatMap((item) => toFavourite(services, item) ?? [])
    // The next night is in the row already.
    .filter(({ picture }) => !nights.some((each) => each.picture === picture))
    .slice(0, 1);

  const first = tonight ? [tonight] : [];
  const others = [...first, ...nights, ...favourite, ...(gone ? [gone] : [])].length;
  const most = Math.min(Math.max(ROW_LENGTH - others, 1), MOST_BEGUN - (tonight?.percent === undefined ? 0 : 1));
  const shown = [...first, ...begun.slice(0, most)];
  if (gone) shown.splice(gone.index, 0, gone);
  return separate(services, [...shown, ...nights, ...favourite]);
}

/** The item that was just removed from the row, with its index there. */
function findGone({ catalogue, clock }: Services, known: Position[], forgotten: string) {
  const gone = readPosition(forgotten, clock());
  const item = gone && catalogue.findItem(gone.kind, gone.id);
  if (!item || !findPlayed(item) || known.some((position) => itemKey(position) === itemKey(gone))) return undefined;
  const index = known.filter(({ observedAt }) => observedAt > gone.observedAt).length;
  return { ...toEntry(item), left: FORGOTTEN, undo: forgotten, index };
}

type LastRecording = { item: Item & { sound: Sound }; position: Position };

/** The recording that the member heard last, or else saved last. */
export async function findUsualSound(services: Services, memberId: number): Promise<LastRecording["item"] | undefined> {
  const { catalogue, positions, favourites } = services;
  const heard = findLastRecording(services, await positions.listPlayed(memberId));
  if (heard) return heard.item;
  const saved = await favourites.listFavourited(memberId, catalogue.listRecordings());
  return saved.map((key) => findRecording(services, parseItemKey(key))).find((item) => item !== undefined);
}

function findLastRecording(services: Services, known: Position[]): LastRecording | undefined {
  for (const position of known) {
    const item = findRecording(services, position);
    if (item) return { item, position };
  }
  return undefined;
}

function findRecording({ catalogue }: Services, ref: ItemRef | undefined): LastRecording["item"] | undefined {
  const item = ref && catalogue.findItem(ref.kind, ref.id);
  return item?.sound && isRecording(item) ? { ...item, sound: item.sound } : undefined;
}

/** From its end it begins again. */
function toTonight(services: Services, { item, position }: LastRecording): Started {
  const left = joinTexts(TONIGHT, item.length);
  return toBegun(services, position, TONIGHT) ?? { ...toEntry(item), left, played: toPlayed(services, item) };
}

/** Begun, and not finished. */
function toBegun(services: Services, position: Position, name?: string): Started | undefined {
  const { kind, id, state, seconds, duration } = position;
  const item = services.catalogue.findItem(kind, id);
  const known = item && findPlayed(item);
  // It may no longer play, or have been cut shorter.
  const length = known?.durationInSeconds ?? duration;
  if (!known || state !== "started" || isAtEnd(seconds, length)) return undefined;
  const isFilm = item.video?.kind === "file";
  return {
    ...toEntry(item, isFilm),
    left: joinTexts(name ?? sections[isFilm ? kind : "listen"].one, remainingText(length - seconds)),
    percent: Math.round((100 * seconds) / length),
    ...(isRecording(item) && { played: toPlayed(services, item, seconds) }),
  };
}

function joinTexts(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join(" · ");
}

function toFavourite(services: Services, { kind, id }: ItemRef): Started | undefined {
  const item = services.catalogue.findItem(kind, id);
  if (!item) return undefined;
  const left = joinTexts(FAVOURITE, item.length);
  return { ...toEntry(item), left, isSaved: true, ...(isRecording(item) && { played: toPlayed(services, item) }) };
}

function toEntry(item: Item, isPlaying = false): Omit<Started, "left"> {
  const { kind, id, title, picture } = item;
  return { key: itemKey(item), title, picture, path: viewPath({ name: "item", kind, id, isPlaying }) };
}

/** `startAt`: in seconds. */
export function toPlayed({ clock }: Services, { sound }: Item, startAt?: number): Started["played"] {
  return sound && { sound, position: { startAt, readAt: clock().getTime() } };
}

/** No picture is twice in the row, and no scene of a tile, as long as there are enough. */
function separate({ catalogue }: Services, row: Started[]): Started[] {
  const below = tiles.map(({ label, scene }, id) => ({
    kind: "read" as const,
    id,
    title: label,
    picture: { scene: sceneNumber(scene), isChosen: true as const },
  }));
  const cards = row.map((entry) => ({ kind: "read" as const, id: 0, ...parseItemKey(entry.key), ...entry }));
  const pictures = cards.map(catalogue.separateScenes([...below, ...cards])).map(({ picture }) => picture);
  const sources = pictures.map((picture) => picture && "src" in picture && picture.src);
  return row.map((entry, index) => {
    const { picture: _, ...rest } = entry;
    const isTwice = sources[index] && sources.indexOf(sources[index]) < index;
    const picture = isTwice ? undefined : pictures[index];
    return { ...rest, ...(picture && { picture }) };
  });
}

/** Begun, not finished, of one topic. */
function findNights({ catalogue }: Services, marked: Night[], forgotten: string): Started[] {
  const found = catalogue.listNights().flatMap(({ slug, topic, nights }) => {
    const keys = new Set(marked.filter((each) => each.topic === slug).map(itemKey));
    const next = nights.findIndex((night) => !keys.has(itemKey(night)));
    const entry = { key: NIGHTS + slug, title: `${nightsText(nights.length)}: ${topic}`, path: nightsPath(slug) };
    const night = nights[next];
    const picture = night && catalogue.findItem(night.kind, night.id)?.picture;
    if (keys.size > 0 && night) return [{ ...entry, ...(picture && { picture }), left: `Night ${next + 1} is next` }];
    const isGone = keys.size === 0 && readForgottenNights(forgotten, { slug, nights }).length > 0;
    return isGone ? [{ ...entry, left: FORGOTTEN, undo: forgotten }] : [];
  });
  return found.slice(0, 1);
}

/** Distinguishes nights from items in a form's key. */
const NIGHTS = "nights-";
const FORGOTTEN = "Removed";
const TONIGHT = "Your sound";
const FAVOURITE = "From your favourites";

/** Forgets a position or nights, or restores them. */
export async function changeStarted(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const services = requireServices(args.context);
  if (form.has("undo")) return await restore(services, member.id, readText(form, "undo"));
  const forgotten = await forget(services, member.id, readText(form, "item"));
  return redirect(forgotten ? `/?forgotten=${forgotten}#undo` : "/#go-on", { status: 303 });
}

/** Answers what restores it, if anything was forgotten. */
async function forget({ catalogue, positions }: Services, memberId: number, key: string): Promise<string | undefined> {
  const nights = catalogue.listNights().find(({ slug }) => key === NIGHTS + slug);
  if (nights) {
    const marks = await positions.nights.listMarks(memberId, nights.slug);
    await positions.nights.forget(memberId, nights.slug);
    return `${key},${writeMarks(marks)}`;
  }
  const item = parseItemKey(key);
  if (!item) throw data(messages.unnamed, { status: 400 });
  const position = await positions.forget(memberId, item);
  return position && writePosition(position);
}

/** `nights-cant-get-to-sleep,watch-2001:opened`. */
function readForgottenNights(text: string, nights: Pick<Nights, "slug" | "nights">) {
  const start = `${NIGHTS}${nights.slug},`;
  return text.startsWith(start) ? readMarks(text.slice(start.length), nights) : [];
}

async function restore(services: Services, memberId: number, text: string) {
  const { catalogue, positions, clock } = services;
  const nights = catalogue.listNights().find((each) => readForgottenNights(text, each).length > 0);
  const position = readPosition(text, clock());
  if (!nights && !position) throw data(messages.unreadable, { status: 400 });
  if (position && !catalogue.findItem(position.kind, position.id)) throw data(messages.gone, { status: 404 });
  const result = nights
    ? await noteNights(services, memberId, { nights, wanted: readForgottenNights(text, nights) })
    : position && (await positions.restore(memberId, position));
  if (result?.ok === false) throw data(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return redirect("/#go-on", { status: 303 });
}

type Noted = { nights: Nights; wanted: ReturnType<typeof readMarks> };

/** 404 for an item that is not, or no longer, among the nights. */
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
