import { toListCard } from "../items/cards.ts";
import type { Item } from "../items/item.ts";
import type { ItemKind, Section } from "../items/kinds.ts";
import {
  findSection,
  isRecording,
  landingTopics,
  type LandingTopic,
  topicKey,
  topicSlug,
} from "../items/item-facts.ts";

/** A few items of a topic in order, and sounds for the night. */
export type Guide = {
  intro: string | undefined;
  steps: (GuideItem & { why: string })[];
  /** Recordings with this topic, then those of Awake now, each in the order of their numbers. */
  recordings: GuideItem[];
};

export type GuideItem = {
  kind: ItemKind;
  id: number;
  section: Section;
  title: string;
  length: string | undefined;
};

export type Nights = {
  topic: LandingTopic;
  slug: string;
  /** The first paragraph precedes the nights, the others follow them. A CMS may have none. */
  intro: string[];
  nights: (GuideItem & { why: string })[];
};

const MOST_NIGHTS = 7;

/** Further items are found by search. */
const MOST_STEPS = 8;
const MOST_RECORDINGS = 8;

/** By `topicKey`. */
export function fillGuides(items: Item[]): Map<string, Guide> {
  const steps = items.flatMap((item) => item.guideSteps.map((step) => ({ item, step })));
  const byTopic = Map.groupBy(
    steps.toSorted((a, b) => a.step.order - b.step.order || a.item.id - b.item.id),
    ({ step }) => topicKey(step.topic),
  );
  return new Map([...byTopic].map(([topic, found]) => [topic, toGuide(found, listRecordings(items, topic))]));
}

/** In the landing's order; topics without nights are left out. */
export function listNights(items: Item[]): Nights[] {
  return landingTopics.flatMap((topic) => {
    const found = items
      .flatMap((item) => item.nightSteps.map((step) => ({ item, step })))
      .filter(({ step }) => topicKey(step.topic) === topicKey(topic))
      .toSorted((a, b) => a.step.order - b.step.order || a.item.id - b.item.id);
    if (found.length === 0) return [];
    return {
      topic,
      slug: topicSlug(topic),
      intro: found.find(({ step }) => step.intro)?.step.intro?.split("\n") ?? [],
      nights: found.slice(0, MOST_NIGHTS).map(({ item, step: { why } }) => Object.assign(toGuideItem(item), { why })),
    };
  });
}

function toGuide(found: { item: Item; step: Item["guideSteps"][number] }[], recordings: Item[]): Guide {
  const steps = found.slice(0, MOST_STEPS);
  return {
    intro: found.find(({ step }) => step.intro)?.step.intro,
    steps: steps.map(({ item, step: { why } }) => Object.assign(toGuideItem(item), { why })),
    recordings: recordings.filter((recording) => !steps.some(({ item }) => item === recording)).map(toGuideItem),
  };
}

function listRecordings(items: Item[], topic: string): Item[] {
  const playing = items.filter(({ sound }) => sound).toSorted((a, b) => a.id - b.id);
  const ofTopic = playing.filter(({ terms }) => terms.some((term) => topicKey(term) === topic));
  const ofNight = playing.filter((item) => item.isForAwakeNow && isRecording(item) && !ofTopic.includes(item));
  return [...ofTopic, ...ofNight].slice(0, MOST_RECORDINGS);
}

function toGuideItem(item: Item): GuideItem {
  const { kind, id, title, length } = toListCard(item);
  return { kind, id, section: findSection(item), title, length };
}
