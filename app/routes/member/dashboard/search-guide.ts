import type { Guide, GuideItem, Nights } from "../../../../server/content/catalogue/guides.ts";
import type { Picture } from "../../../../server/content/items/item.ts";
import { nightsText, topicSlug } from "../../../../server/content/items/item-facts.ts";
import { itemKey, type ItemRef, type Section, sections } from "../../../../server/content/items/kinds.ts";
import type { Night } from "../../../../server/members/positions/nights.ts";
import type { Known, Position } from "../../../../server/members/positions/positions.ts";
import type { Services } from "../../../../server/services.ts";
import type { OneTap } from "../../../player/one-tap.tsx";
import { toPlayed } from "./go-on.ts";
import { tiles } from "./landing-texts.ts";
import { nightsPath, type SearchView, viewPath } from "./view.ts";

/** Above the results of a landing topic. */
export type ShownGuide = {
  intro: string | undefined;
  first: FirstStep | undefined;
  sounds: ShownSound[];
  nights: ShownNights | undefined;
  /** Articles before films: they are quicker to look into. */
  others: ShownStep[];
};

/** `about`: its section and length; `mark`: what the member has done with it. */
export type ShownStep = OneTap & { about: string; why: string; mark: string | undefined };

/** Begins at once: a film or recording plays, an article is opened. `cue` names that. */
export type FirstStep = ShownStep & { picture: Picture; cue: string; isPlayable: boolean };

export type ShownSound = OneTap & { picture: Picture; length: string | undefined };

/** `done`: by night; `next`: of the night after those, once any is done. */
export type ShownNights = { title: string; path: string; done: boolean[]; next: string | undefined };

/** Above a search for a landing topic, with any apostrophe or none; not for one section, another order or a further page. */
export async function findGuide(
  services: Services,
  memberId: number,
  { term, section, order, page }: SearchView,
): Promise<ShownGuide | undefined> {
  const { catalogue, positions } = services;
  const slug = topicSlug(term);
  const tile = tiles.find((each) => [each.term, each.label].some((name) => topicSlug(name) === slug));
  if (!tile || section || order !== "best" || page !== 1) return undefined;
  const guide = catalogue.findGuide(tile.label);
  const nights = catalogue.listNights().find(({ topic }) => topic === tile.label);
  if (!guide && !nights) return undefined;
  const { intro, steps, recordings }: Guide = guide ?? { intro: undefined, steps: [], recordings: [] };
  const known = await positions.listKnownAndNights(memberId, [...steps, ...recordings]);
  const [first, ...others] = steps;
  return {
    intro,
    first: first && toFirst(services, first, known),
    sounds: recordings.flatMap((recording) => toSound(services, recording, known) ?? []),
    nights: nights && toNights(nights, known.nights),
    others: [...others.filter(({ kind }) => kind === "read"), ...others.filter(({ kind }) => kind !== "read")].map(
      (step) => toStep(step, known),
    ),
  };
}

type Step = Guide["steps"][number];

function toStep(step: Step, known: Known): ShownStep {
  const { section, length, why } = step;
  return {
    ...toLink(step),
    about: [sections[section].one, length].filter(Boolean).join(" · "),
    why,
    mark: markText(section, findPosition(known, step)),
  };
}

function toFirst(services: Services, step: Step, known: Known): FirstStep | undefined {
  const item = services.catalogue.findItem(step.kind, step.id);
  const card = services.catalogue.findCard(step);
  if (!item || !card) return undefined;
  const isFilm = card.isFilm === true;
  return {
    ...toStep(step, known),
    ...toLink(step, isFilm),
    picture: item.picture,
    cue: sections[step.section].cue,
    isPlayable: isFilm || card.isRecording === true,
    ...(card.isRecording && { played: toPlayed(services, item, findStart(known, step)) }),
  };
}

function toSound(services: Services, recording: GuideItem, known: Known): ShownSound | undefined {
  const item = services.catalogue.findItem(recording.kind, recording.id);
  if (!item) return undefined;
  const { picture, length } = item;
  return { ...toLink(recording), picture, length, played: toPlayed(services, item, findStart(known, recording)) };
}

function toLink({ kind, id, title }: GuideItem, isPlaying = false): OneTap {
  return { key: itemKey({ kind, id }), title, path: viewPath({ name: "item", kind, id, isPlaying }) };
}

function toNights({ slug, nights }: Nights, known: Night[]): ShownNights {
  const marked = new Set(known.filter((each) => each.topic === slug).map(itemKey));
  const done = nights.map((night) => marked.has(itemKey(night)));
  const next = done.indexOf(false);
  const count = nightsText(nights.length).toLowerCase().split(" ")[0];
  return {
    title: `A ${count}-night course`,
    path: nightsPath(slug),
    done,
    next: !done.includes(true) ? undefined : next === -1 ? "All done" : `Night ${next + 1} is next`,
  };
}

function findPosition({ items }: Known, item: ItemRef): Position | undefined {
  return items.find((each) => itemKey(each) === itemKey(item));
}

/** In seconds, of what was begun and not finished. */
function findStart(known: Known, item: ItemRef): number | undefined {
  const position = findPosition(known, item);
  return position?.state === "started" ? position.seconds : undefined;
}

/** "Read", "Watched", "Listened to", or "Opened" where another host's player tells no more. */
function markText(section: Section, position: Position | undefined): string | undefined {
  if (position?.finishedAt) return section === "listen" ? "Listened to" : "Watched";
  return position?.state === "opened" ? (position.kind === "read" ? "Read" : "Opened") : undefined;
}
