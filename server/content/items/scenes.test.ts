import { describe, expect, test } from "vitest";

import { type Item, prepareItem } from "./item.ts";
import { type ItemRef, sceneNames } from "./kinds.ts";
import { separateScenes, spreadScenes } from "../catalogue/scene-spread.ts";
import { rankScenes } from "./scenes.ts";
import { sourceItemSchema } from "./source.ts";

const setting = { productName: "Dormouse", basePath: "/dashboard/" };

type Given = {
  id?: number;
  title?: string;
  terms?: string[];
  acf?: object;
  date?: string;
  picture?: string;
  type?: string;
};

function prepare({
  id = 7,
  title = "Untitled",
  terms = [],
  acf = {},
  date = "2026-11-01",
  picture,
  type = "post",
}: Given) {
  const source = sourceItemSchema.parse({
    id,
    type,
    date: `${date}T09:00:00`,
    title: { rendered: title },
    content: { rendered: "<p>Words.</p>" },
    acf,
    _embedded: {
      "wp:term": [[], terms.map((name) => ({ name }))],
      ...(picture && { "wp:featuredmedia": [{ source_url: picture }] }),
    },
  });
  return prepareItem(source, setting);
}

function readScene({ picture }: Item): string | undefined {
  return "scene" in picture ? sceneNames[picture.scene] : undefined;
}

test.each([
  ["lighthouse", ["Shift work"]],
  ["sleeping-village", ["Snoring", "CPAP"]],
  ["sleeping-village", ["Sleep apnea"]],
  ["owl-on-a-bough", ["Waking in the night"]],
  ["rain-on-a-window", ["Temperature"]],
  ["moon-over-hills", ["Can't sleep", "Insomnia"]],
  ["attic-lamp", ["Menopause"]],
  ["hedgerow-nest", ["Babies", "Family"]],
  ["tent-and-stars", ["Jet Lag"]],
  ["quiet-sea", ["Relaxation"]],
])("an item without a picture shows %s for the topics %j, whatever its number", (scene, terms) => {
  for (let id = 1; id < 100; id += 1)
    expect(readScene(prepare({ id, terms, title: "A lamp by the sea" }).item)).toBe(scene);
});

test("the first topic counts before the second, any topic before the title, and the title before chance", () => {
  expect(readScene(prepare({ terms: ["Toddlers", "Snoring"] }).item)).toBe("hedgerow-nest");
  expect(readScene(prepare({ terms: ["Snoring", "Toddlers"] }).item)).toBe("sleeping-village");
  expect(readScene(prepare({ terms: ["Members' stories"], title: "A night by the sea" }).item)).toBe("quiet-sea");
});

test("an item that is about none of them keeps one scene by chance, and its neighbour has another", () => {
  const seen = new Set<number>();
  for (let id = 1; id <= 500; id += 1) {
    const [first = -1, ...others] = rankScenes({ id, terms: [], title: "Untitled" });
    expect(rankScenes({ id, terms: [], title: "Untitled" })[0]).toBe(first);
    expect(rankScenes({ id: id + 1, terms: [], title: "Untitled" })[0]).not.toBe(first);
    expect(new Set([first, ...others]).size).toBe(sceneNames.length);
    seen.add(first);
  }
  expect(seen.size).toBe(sceneNames.length);
});

describe("a scene that an editor chose", () => {
  test("by its name is shown in place of what the topics say", () => {
    const { item, losses } = prepare({ terms: ["Shift work"], acf: { scene: "Quiet-sea " } });
    expect(readScene(item)).toBe("quiet-sea");
    expect(losses).toEqual([]);
  });

  test("does not displace a picture of the item's own", () => {
    expect(prepare({ picture: "media/moon.webp", acf: { scene: "quiet-sea" } }).item.picture).toMatchObject({
      src: "/dashboard/media/moon.webp",
    });
  });

  test("by a name that there is not is counted, with the names that there are", () => {
    const { item, losses } = prepare({ terms: ["Shift work"], acf: { scene: "a volcano" } });
    expect(readScene(item)).toBe("lighthouse");
    expect(losses).toEqual([{ what: "field scene", why: `it isn't one of ${sceneNames.join(", ")}`, count: 1 }]);
  });
});

describe("in a list", () => {
  const list = (count: number, given: (index: number) => Given = () => ({})) =>
    Array.from({ length: count }, (_, index) => {
      const date = `2026-10-${String(index + 1).padStart(2, "0")}`;
      return prepare({ id: index + 1, date, terms: ["Shift work"], ...given(index) }).item;
    });

  test("no six neighbours have a scene twice, though all of them are about the same", () => {
    const scenes = spreadScenes(list(30)).map(readScene);
    for (let start = 0; start + 6 <= scenes.length; start += 1) {
      expect(new Set(scenes.slice(start, start + 6)).size, `from ${start}`).toBe(6);
    }
    expect(scenes[0]).toBe("lighthouse");
  });

  test("an item that comes later changes no picture, and an unchanged list is made of the same objects", () => {
    const items = list(20);
    const before = spreadScenes(items);
    const { item: newest } = prepare({ id: 99, date: "2026-11-30", terms: ["Shift work"] });
    const after = spreadScenes([newest, ...items]);
    expect(after.slice(1)).toEqual(before);
    for (const [index, item] of before.entries()) expect(after[index + 1]).toBe(item);
  });

  test("a scene that was chosen by name stays, and each section is spread by itself", () => {
    const chosen = list(4, () => ({ acf: { scene: "quiet-sea" } }));
    expect(spreadScenes(chosen).map(readScene)).toEqual(Array.from({ length: 4 }, () => "quiet-sea"));
    const kinds = list(3, (index) => ({ type: ["post", "videos", "tutorials"][index] ?? "post" }));
    expect(spreadScenes(kinds).map(readScene)).toEqual(["lighthouse", "lighthouse", "lighthouse"]);
  });
});

describe("on a screen", () => {
  /** The scenes that a screen shows for these items, in its order. */
  function show(items: Item[]): (string | undefined)[] {
    const find = ({ kind, id }: ItemRef) => items.find((item) => item.kind === kind && item.id === id);
    return items.map(separateScenes(items, find)).map(readScene);
  }
  const alike = (count: number, given: (index: number) => Given = () => ({})) =>
    Array.from(
      { length: count },
      (_, index) => prepare({ id: index + 1, terms: ["Shift work"], ...given(index) }).item,
    );

  test("no nine neighbours have a scene twice, whatever list each came from", () => {
    const scenes = show(alike(24));
    for (let start = 0; start + 9 <= scenes.length; start += 1)
      expect(new Set(scenes.slice(start, start + 9)).size, `from ${start}`).toBe(9);
    expect(scenes[0]).toBe("lighthouse");
  });

  test("a card gives way only to one that has its scene, and then to what fits it next", () => {
    const [sea, shift, travel, other] = [["Relaxation"], ["Shift work"], ["Shift work", "Jet Lag"], ["Snoring"]].map(
      (terms, id) => prepare({ id: id + 1, terms }).item,
    );
    if (!sea || !shift || !travel || !other) throw new Error("four items are prepared");
    expect(show([sea, shift, travel, other])).toEqual([
      "quiet-sea",
      "lighthouse",
      "tent-and-stars",
      "sleeping-village",
    ]);
  });

  test("a scene that an editor chose stays, and those before and after it have others", () => {
    const scenes = show(alike(5, (index) => (index === 2 ? { acf: { scene: "lighthouse" } } : {})));
    expect(scenes[2]).toBe("lighthouse");
    expect(new Set(scenes).size).toBe(5);
  });

  test("a picture of an item's own and a card without any are left alone", () => {
    const [first, second, third] = alike(3, (index) => (index === 1 ? { picture: "media/moon.webp" } : {}));
    if (!first || !second || !third) throw new Error("three items are prepared");
    const { picture: _, ...bare } = first;
    const showOne = separateScenes([bare, second, third], () => undefined);
    expect([showOne(bare), showOne(second), showOne(third)]).toEqual([bare, second, third]);
    expect(showOne(third)).toBe(third);
  });
});
