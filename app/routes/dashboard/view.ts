import type { ItemKind } from "../../../server/content/item.ts";
import { sectionKinds } from "./sections.ts";

/**
 * What the dashboard shows is written in its address (design, section 2), so that Back, a reload, a shared link and a
 * browser without script all agree.
 */
export type View =
  | { name: "landing" }
  | { name: "list"; kind: ItemKind; page: number }
  | { name: "item"; kind: ItemKind; id: number; isPlaying: boolean }
  | { name: "search"; term: string; kind: ItemKind | undefined };

/** An address that asks for what cannot be: said in a sentence, answered with 400. */
export type BadView = { name: "bad"; sentence: string };

/** What search calls the kinds of content (spec, section 3). */
export const searchTypes = { watch: "watches", read: "reads", learn: "learns" } as const;

export function parseView(params: URLSearchParams): View | BadView {
  const term = params.get("q")?.trim();
  if (term)
    return { name: "search", term, kind: sectionKinds.find((kind) => searchTypes[kind] === params.get("type")) };

  const section = params.get("view");
  if (section === null) return { name: "landing" };
  const kind = sectionKinds.find((known) => known === section);
  if (!kind) return { name: "bad", sentence: "There is no such section. Try Videos, Read or Webinars." };

  const item = params.get("item");
  if (item !== null) {
    const id = toCount(item);
    if (!id) return { name: "bad", sentence: "An item is asked for by its number, and this address has none." };
    return { name: "item", kind, id, isPlaying: params.get("play") === "1" };
  }
  const page = toCount(params.get("page") ?? "1");
  if (!page) return { name: "bad", sentence: "Pages of a list are counted 1, 2, 3." };
  return { name: "list", kind, page };
}

/** The path of a view, in the one spelling that the site itself uses. */
export function viewPath(view: View): string {
  switch (view.name) {
    case "landing":
      return "/";
    case "list":
      return `/?view=${view.kind}${view.page > 1 ? `&page=${view.page}` : ""}`;
    case "item":
      return `/?view=${view.kind}&item=${view.id}${view.isPlaying ? "&play=1" : ""}`;
    case "search":
      return `/?q=${encodeURIComponent(view.term)}${view.kind ? `&type=${searchTypes[view.kind]}` : ""}`;
  }
}

/** A whole number from 1 that a database and a URL can carry. */
function toCount(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
