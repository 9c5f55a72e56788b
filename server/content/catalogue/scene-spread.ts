import type { Item, Picture } from "../items/item.ts";
import { type ItemRef, sceneNames } from "../items/kinds.ts";
import { findSection } from "../items/item-facts.ts";
import { rankScenes } from "../items/scenes.ts";

/** Two rows of three, about a screen. */
const NEIGHBOURS = 5;

/** Made once, so that an unchanged item stays the same object. */
const variants = new WeakMap<Item, Map<number, Item>>();

/**
 * Gives neighbours of a section different scenes, each the best of those that the last few do not have. Begins with the
 * oldest, so that a new item changes no other. An editor's choice stays.
 */
export function spreadScenes(items: Item[]): Item[] {
  const shown = new Map<Item, Item>();
  const lastScenes: Record<string, number[]> = {};
  const withScene = items.filter(({ picture }) => "scene" in picture);
  const oldestFirst = withScene.toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || a.id - b.id);
  for (const item of oldestFirst) {
    if (!("scene" in item.picture)) continue;
    const last = (lastScenes[findSection(item)] ??= []);
    const { scene, isChosen } = item.picture;
    const isFree = isChosen || !last.includes(scene);
    const chosen = isFree ? scene : (rankScenes(item).find((each) => !last.includes(each)) ?? scene);
    if (chosen !== scene) shown.set(item, withOtherScene(item, chosen));
    last.push(chosen);
    if (last.length > NEIGHBOURS) last.shift();
  }
  return shown.size === 0 ? items : items.map((item) => shown.get(item) ?? item);
}

function withOtherScene(item: Item, scene: number): Item {
  const made = variants.get(item) ?? new Map<number, Item>();
  variants.set(item, made);
  const variant = made.get(scene) ?? { ...item, picture: { scene } };
  made.set(scene, variant);
  return variant;
}

export type ScreenCard = ItemRef & { title: string; picture?: Picture };

/**
 * Gives the cards of a screen, in its order, different scenes among as many neighbours as there are scenes. A taken
 * scene is replaced by the next best; an editor's choice stays.
 */
export function separateScenes(
  cards: ScreenCard[],
  findItem: (ref: ItemRef) => Item | undefined,
): <Shown extends ScreenCard>(card: Shown) => Shown {
  const withScene = cards.filter((card) => readScene(card) !== undefined);
  const scenes = new Map<ScreenCard, number>();
  const others = sceneNames.length - 1;
  for (const [index, card] of withScene.entries()) {
    const before = withScene.slice(Math.max(0, index - others), index).map((each) => scenes.get(each));
    const chosen = withScene.slice(index + 1, index + 1 + others).map((each) => readScene(each, true));
    const own = readScene(card) ?? 0;
    const isFree = readScene(card, true) !== undefined || ![...before, ...chosen].includes(own);
    scenes.set(card, isFree ? own : (findFree(card, [before, chosen], findItem) ?? own));
  }
  return (card) => {
    const scene = scenes.get(card);
    return scene === undefined || scene === readScene(card) ? card : { ...card, picture: { scene } };
  };
}

/** The best scene that is not taken, or not among the first of the taken ones. */
function findFree(
  card: ScreenCard,
  [before = [], chosen = []]: (number | undefined)[][],
  findItem: (ref: ItemRef) => Item | undefined,
): number | undefined {
  // A piece of Awake now is none of the items.
  const free = rankScenes(findItem(card) ?? { ...card, terms: [] }).filter((scene) => !before.includes(scene));
  return free.find((scene) => !chosen.includes(scene)) ?? free[0];
}

/** `isChosen`: only one that an editor chose. */
function readScene({ picture }: ScreenCard, isChosen = false): number | undefined {
  if (!picture || !("scene" in picture)) return undefined;
  return isChosen && !picture.isChosen ? undefined : picture.scene;
}
