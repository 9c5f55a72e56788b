import type { Item } from "../items/item.ts";
import { mapSections, type Section } from "../items/kinds.ts";
import { findSection } from "../items/item-facts.ts";
import { findListTopics, isKnownTopic } from "./topic-groups.ts";

/** Counts that visitors may know, without titles or files. */
export type Overview = {
  counts: Record<Section, number>;
  /** List topics, or else terms; those with the most items first. */
  topics: string[];
  authors: string[];
};

export function toOverview(items: Item[]): Overview {
  const bySection = Map.groupBy(items, findSection);
  const topics = rankByCount(items.flatMap(findListTopics));
  const known = topics.filter(isKnownTopic);
  return {
    counts: mapSections((section) => bySection.get(section)?.length ?? 0),
    topics: known.length > 0 ? known : topics,
    authors: rankByCount(items.map(({ author }) => author)),
  };
}

function rankByCount(names: string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}
