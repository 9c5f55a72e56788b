import { expect, test } from "vitest";

import { article, read } from "../../../tests/helpers/article-source.ts";
import { openLibrary } from "../../../tests/helpers/library.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ItemRef } from "../items/kinds.ts";
import { findListTopics, groupByTopic } from "./topic-groups.ts";

/** Groups cards, given as name and topics, and abbreviates the result. */
function group(cards: Record<string, string[]>): [string | undefined, string][] {
  const groups = groupByTopic(Object.keys(cards), (name) => cards[name] ?? []);
  return groups.map((each) => [each.topic, each.cards.join("")]);
}

const nine = { a: ["X"], b: ["Y"], c: ["X"], d: ["Y"], e: ["X"], f: ["Y"], g: ["X"], h: ["Y"], i: ["X"] };

test("a long list is under its topics, each card once, in the order of the list and of the first cards", () => {
  expect(group(nine)).toEqual([
    ["X", "acegi"],
    ["Y", "bdfh"],
  ]);
  expect(group({ n: ["Y"], ...nine })).toEqual([
    ["Y", "nbdfh"],
    ["X", "acegi"],
  ]);
});

test("a card that is alone under its first topic goes to another that it has, else to the rest at the end", () => {
  expect(group({ n: ["Alone", "Y"], o: ["Alone too"], ...nine })).toEqual([
    ["Y", "nbdfh"],
    ["X", "acegi"],
    [undefined, "o"],
  ]);
  // Two cards, each alone under its topic, meet at a shared one.
  expect(group({ n: ["One", "Z"], o: ["Two", "Z"], ...nine })[0]).toEqual(["Z", "no"]);
});

test("a short list stays one, and so does one that topics would not divide or would not hold half of", () => {
  const whole = (cards: Record<string, string[]>) =>
    expect(group(cards)).toEqual([[undefined, Object.keys(cards).join("")]]);
  const { i: _, ...eight } = nine;
  whole(eight);
  whole({});
  whole(Object.fromEntries(Object.keys(nine).map((name) => [name, ["All"]])));
  whole(Object.fromEntries(Object.keys(nine).map((name) => [name, [name]])));
  whole(
    Object.fromEntries(
      Object.keys(nine).map((name) => [name, "ab".includes(name) ? ["X"] : "cd".includes(name) ? ["Y"] : []]),
    ),
  );
});

test("what all of a list have tells none apart", () => {
  const cards = Object.fromEntries(Object.entries(nine).map(([name, topics]) => [name, ["Recording", ...topics]]));
  expect(group(cards)).toEqual(group(nine));
});

test("topics of one meaning are one, and a topic of which we know nothing stands for itself", () => {
  const readTopics = (...names: string[]) => {
    const terms = names.map((name, id) => ({ id, name, taxonomy: "post_tag" }));
    return findListTopics(read({ ...article, _embedded: { ...article._embedded, "wp:term": [[], terms] } }));
  };
  expect(readTopics("CPAP", "Sleep Apnea", "Snoring")).toEqual(["Snoring and sleep apnoea"]);
  expect(readTopics("Hot flushes", "Temperature")).toEqual(["Menopause", "Temperature"]);
  expect(readTopics("Members' stories", "Naps")).toEqual(["Members' stories", "Shift work and body clock"]);
  expect(readTopics()).toEqual([]);
});

test("the bundled library's long lists have topics, and search finds all of a topic's group by its name", async () => {
  const catalogue = await openLibrary();
  for (const section of ["watch", "read", "learn"] as const) {
    const { cards } = catalogue.findPage(section, 1) ?? { cards: [] };
    const groups = groupByTopic(cards, (card) => topicsOfCard(catalogue, card));
    expect(groups.length, section).toBeGreaterThan(2);
    expect(groups.flatMap((each) => each.cards).toSorted(byId)).toEqual(cards.toSorted(byId));
    for (const { topic, cards: under } of groups) {
      if (topic === undefined) continue;
      const found = catalogue.search({ term: topic, order: "best" }).list(section);
      expect(
        found.map(({ id }) => id),
        topic,
      ).toEqual(expect.arrayContaining(under.map(({ id }) => id)));
    }
  }
});

const byId = (a: ItemRef, b: ItemRef) => a.id - b.id;

function topicsOfCard(catalogue: Catalogue, { kind, id }: ItemRef): string[] {
  const item = catalogue.findItem(kind, id);
  return item ? findListTopics(item) : [];
}
