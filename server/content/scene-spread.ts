import type { Item } from "./item.ts";
import { findSection } from "./rules.ts";
import { rankScenes } from "./scenes.ts";

/** So many neighbours of a list have scenes of their own: two rows of three, which is about a screen. */
const NEIGHBOURS = 5;

/** The same item with another scene: made once, so that an item that has not changed stays the same object. */
const variants = new WeakMap<Item, Map<number, Item>>();

/**
 * Gives neighbours of a section different scenes, each the best for its item that none of the last few has. It begins with the oldest,
 * so that a new item changes no picture of another. A scene that an editor chose stays.
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
