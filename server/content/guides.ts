import { toListCard } from "./cards.ts";
import type { Item } from "./item.ts";
import type { ItemKind } from "./kinds.ts";
import { topicKey } from "./rules.ts";

/** The way into a topic: a few items in an order. */
export type Guide = {
  /** One sentence; a CMS may have none. */
  intro: string | undefined;
  steps: { kind: ItemKind; id: number; title: string; length: string | undefined; why: string }[];
};

/** A way in is short: what a source has beyond that is left to the search. */
const MOST_STEPS = 5;

/** The guides by their topics, as `topicKey` writes them. */
export function fillGuides(items: Item[]): Map<string, Guide> {
  const steps = items.flatMap((item) => item.guideSteps.map((step) => ({ item, step })));
  const byTopic = Map.groupBy(
    steps.toSorted((a, b) => a.step.order - b.step.order || a.item.id - b.item.id),
    ({ step }) => topicKey(step.topic),
  );
  return new Map([...byTopic].map(([topic, found]) => [topic, toGuide(found)]));
}

function toGuide(found: { item: Item; step: Item["guideSteps"][number] }[]): Guide {
  return {
    intro: found.find(({ step }) => step.intro)?.step.intro,
    steps: found.slice(0, MOST_STEPS).map(({ item, step: { why } }) => {
      const { kind, id, title, length } = toListCard(item);
      return { kind, id, title, length, why };
    }),
  };
}
