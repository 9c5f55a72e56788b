import type { Item } from "../items/item.ts";

/** The topics of long lists. Each is a term that search knows, with beginnings of words that belong to it. */
const knownTopics: { name: string; meaning: RegExp }[] = [
  {
    name: "Getting to sleep",
    meaning:
      /\b(?:can'?t (?:get to )?sleep|insomnia|fall(?:ing)? asleep|lying awake|sleepless|worr|anxi|stress|racing|melatonin|medic|sleeping pill)/i,
  },
  {
    name: "Waking in the night",
    meaning: /\b(?:wak(?:e|ing)|broken sleep|small hours|nocturia|bathroom|clock watch|nightmare|bad dreams)/i,
  },
  {
    name: "Temperature",
    meaning: /\b(?:temperature|cool|heat|hot\b(?! fl)|too warm|night sweat)/i,
  },
  {
    name: "Snoring and sleep apnoea",
    meaning: /\b(?:snor|(?:sleep )?apno?ea|cpap|mouth breath|sleep clinic|gasping)/i,
  },
  { name: "Menopause", meaning: /\b(?:menopaus|perimenopaus|hormon|hot flush|hot flash|hrt\b)/i },
  {
    name: "Shift work and body clock",
    meaning: /\b(?:shift|night work|body clock|circadian|jet lag|travel|naps?\b|daytime|rota\b)/i,
  },
  { name: "Relaxation", meaning: /\b(?:relax|breath|body scan|meditat|mindful|yoga|quiet stor)/i },
  { name: "Family", meaning: /\b(?:famil|toddler|child|bab(?:y|ies)|pregnan|parent|partner|teen)/i },
  {
    name: "Sleep habits",
    meaning: /\b(?:sleep hygiene|sleep rules|habit|routine)/i,
  },
];

/** Any other topic is a term of its item. */
export function isKnownTopic(topic: string): boolean {
  return knownTopics.some(({ name }) => name === topic);
}

const made = new WeakMap<Item, string[]>();

/**
 * The topics for grouping an item in a list, the most fitting first; a term outside the list topics counts as it is.
 */
export function findListTopics(item: Item): string[] {
  const known = made.get(item);
  if (known) return known;
  const names = item.terms.map((term) => knownTopics.find(({ meaning }) => meaning.test(term))?.name ?? term);
  const topics = [...new Set(names)];
  made.set(item, topics);
  return topics;
}

/** A shorter list is seen at a glance. */
const LONG_FROM = 9;

/** `undefined`: what fits under no other topic. */
export type TopicGroup<Listed> = { topic: string | undefined; cards: Listed[] };

/**
 * Groups a long list by topic: each card once, in the list's order, groups by their first cards. One group where the
 * list is short, or topics would hold less than half.
 */
export function groupByTopic<Listed>(cards: Listed[], listTopics: (card: Listed) => string[]): TopicGroup<Listed>[] {
  const whole = [{ topic: undefined, cards }];
  if (cards.length < LONG_FROM) return whole;
  const groups = Map.groupBy(cards, chooseTopics(cards, cards.map(listTopics)));
  const rest = groups.get(undefined) ?? [];
  groups.delete(undefined);
  if (groups.size < 2 || rest.length > cards.length / 2) return whole;
  const shown = [...groups].map(([topic, under]) => ({ topic, cards: under }));
  return rest.length > 0 ? [...shown, { topic: undefined, cards: rest }] : shown;
}

/**
 * The most fitting topic shared with another card. A card alone moves to its next topic, those with a next one first.
 */
function chooseTopics<Listed>(cards: Listed[], topics: string[][]) {
  // A topic that all cards have separates none.
  const choices = topics.map((each) => each.filter((topic) => !topics.every((others) => others.includes(topic))));
  const places = cards.map(() => 0);
  const topicAt = (index: number) => choices[index]?.[places[index] ?? 0];
  for (;;) {
    const counts = new Map<string | undefined, number>();
    for (const index of cards.keys()) counts.set(topicAt(index), (counts.get(topicAt(index)) ?? 0) + 1);
    const alone = [...cards.keys()].filter((index) => topicAt(index) !== undefined && counts.get(topicAt(index)) === 1);
    const mover = alone.find((index) => (places[index] ?? 0) + 1 < (choices[index]?.length ?? 0)) ?? alone[0];
    if (mover === undefined) break;
    places[mover] = (places[mover] ?? 0) + 1;
  }
  const used = new Set(cards.map((_, index) => topicAt(index)));
  return (_: Listed, index: number) => topicAt(index) ?? choices[index]?.find((topic) => used.has(topic));
}
