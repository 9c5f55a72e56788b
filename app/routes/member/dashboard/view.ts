import {
  type ItemKind,
  itemKey,
  itemKinds,
  type ItemRef,
  kinds,
  parseItemKey,
  type Section,
  sectionNames,
  sections,
} from "../../../../server/content/items/kinds.ts";
import { cleanTyped } from "../../../../server/content/items/item-facts.ts";
import type { SearchOrder } from "../../../../server/content/search/search.ts";
import { awakePath, itemPath } from "../../../frame/paths.ts";
import { toCount } from "../../../../server/platform/count.ts";

/**
 * The dashboard's state is in its address (docs/behaviour.md, Screens), so that Back, a reload, a shared link and a
 * browser without script agree.
 */
export type View =
  | { name: "landing"; forgotten?: string | undefined }
  | { name: "list"; section: Section; page: number }
  | ItemView
  | FavouritesView
  | { name: "topics" }
  | { name: "help-list" }
  | { name: "receipt"; number: string }
  | SearchView;

/** `from`: the second to play from, if not the member's position. */
type ItemView = { name: "item"; kind: ItemKind; id: number; isPlaying: boolean; from?: number | undefined };

export type FavouritesView = {
  name: "favourites";
  /** `undefined` for every section, and for an open item. */
  section: Section | undefined;
  page: number;
  item: ItemRef | undefined;
  isPlaying: boolean;
  /** The last removed favourite, where no script remembers it. */
  removed?: Removed | undefined;
};

/** `at`: its place on its page, from 0. */
export type Removed = ItemRef & { at: number };

export type SearchView = {
  name: "search";
  /** All that was typed: the search cuts it, and urgent help reads all of it. */
  term: string;
  section: Section | undefined;
  order: SearchOrder;
  page: number;
  /** Without corrections: `&spelling=as-typed`. */
  isLiteral: boolean;
  /** Requested after help was shown instead: `&show=library`. */
  isPastHelp: boolean;
};

/** An invalid address: answered 400, with a sentence. `search`: the same without its page. */
export type BadView = { name: "bad"; sentence: string; search?: SearchView };

/** For an unknown section. */
export const noSection = (): string =>
  `There is no such section. Try ${itemKinds.map((kind) => kinds[kind].tab).join(", ")} or Favourites.`;
const badPage: BadView = { name: "bad", sentence: "This list has no such page." };

export function parseView(params: URLSearchParams): View | BadView {
  const receipt = params.get("receipt");
  if (receipt !== null) return parseReceipt(receipt);
  const typed = params.get("q");
  if (typed !== null) {
    const term = cleanTyped(typed);
    return term === "" ? { name: "topics" } : parseSearch(term, params);
  }

  const name = params.get("view");
  if (name === null) return { name: "landing", forgotten: params.get("forgotten") ?? undefined };
  if (name === "favourites") return parseFavourites(params);
  if (name === "help") return { name: "help-list" };
  const section = sectionNames.find((known) => known === name);
  if (!section) return { name: "bad", sentence: noSection() };

  const item = params.get("item");
  if (item !== null) {
    const id = toCount(item);
    // A recording has the address of its kind.
    const kind = itemKinds.find((known) => known === section);
    if (!id || !kind) return { name: "bad", sentence: "This address has no number of an item." };
    const from = toCount(params.get("from") ?? "");
    return { name: "item", kind, id, isPlaying: params.get("play") === "1", ...(from && { from }) };
  }
  const page = toCount(params.get("page") ?? "1");
  if (!page) return badPage;
  return { name: "list", section, page };
}

function parseReceipt(number: string): View | BadView {
  if (/^[A-Za-z0-9-]{1,40}$/.test(number)) return { name: "receipt", number };
  return { name: "bad", sentence: "This address has no number of a receipt." };
}

export const orders: SearchOrder[] = ["best", "newest", "oldest"];

/** An unknown type or order is ignored; the term still counts. */
function parseSearch(term: string, params: URLSearchParams): View | BadView {
  const page = toCount(params.get("page") ?? "1");
  const search: SearchView = {
    name: "search",
    term,
    section: sectionNames.find((section) => sections[section].searchType === params.get("type")),
    order: orders.find((order) => order === params.get("order")) ?? "best",
    page: page ?? 1,
    isLiteral: params.get("spelling") === "as-typed",
    isPastHelp: params.get("show") === "library",
  };
  return page ? search : { ...badPage, search };
}

/** Of all sections, of one, or one open item. */
function parseFavourites(params: URLSearchParams): View | BadView {
  const section = sectionNames.find((known) => known === params.get("kind"));
  const item = params.has("item") ? parseItemKey(`${params.get("kind")}-${params.get("item")}`) : undefined;
  const page = toCount(params.get("page") ?? "1");
  if ((params.has("kind") && !section) || (params.has("item") && !item) || !page) {
    return { name: "bad", sentence: "There is no such list of favourites." };
  }
  return {
    name: "favourites",
    section: item ? undefined : section,
    page,
    item,
    isPlaying: params.get("play") === "1",
    removed: parseRemoved(params),
  };
}

function parseRemoved(params: URLSearchParams): Removed | undefined {
  const item = parseItemKey(params.get("removed") ?? "");
  const count = toCount(params.get("at") ?? "");
  return item && count ? { ...item, at: count - 1 } : undefined;
}

/** With the place of a removed favourite. */
export function removedPath({ section, page }: FavouritesView, { at, ...item }: Removed): string {
  const key = itemKey(item);
  return `${favouritesListPath(section, page)}&removed=${key}&at=${at + 1}#${key}`;
}

/** In the site's own spelling; the landing for an invalid address. */
export function viewPath(view: View | BadView): string {
  switch (view.name) {
    case "landing":
    case "bad":
      return "/";
    case "list":
      return `/?view=${view.section}${view.page > 1 ? `&page=${view.page}` : ""}`;
    case "item":
      return `${itemPath(view)}${view.isPlaying ? "&play=1" : ""}${view.from ? `&from=${view.from}` : ""}`;
    case "favourites":
      return favouritesPath(view);
    case "topics":
      return "/?q=";
    case "help-list":
      return "/?view=help";
    case "receipt":
      return `/?receipt=${view.number}`;
    case "search":
      return searchPath(view);
  }
}

export function nightsPath(slug: string): string {
  return `/nights/${slug}`;
}

/** Bookmarks and history have the addresses of the dashboard's views before December 2026. */
export function findMovedPath(params: URLSearchParams): string | undefined {
  const view = params.get("view");
  if (view === "awake") return awakePath(params.get("piece") ?? undefined);
  return view === "nights" ? nightsPath(encodeURIComponent(params.get("topic") ?? "")) : undefined;
}

/** Without its defaults. */
export function searchPath(view: { term: string } & Partial<SearchView>): string {
  const { term, section, order = "best", page = 1, isLiteral = false, isPastHelp = false } = view;
  const parts = [
    section && `type=${sections[section].searchType}`,
    order !== "best" && `order=${order}`,
    page > 1 && `page=${page}`,
    isLiteral && "spelling=as-typed",
    isPastHelp && "show=library",
  ];
  return [`/?q=${encodeURIComponent(term)}`, ...parts.filter(Boolean)].join("&");
}

function favouritesPath({ section, page, item, isPlaying }: FavouritesView): string {
  const kind = item?.kind ?? section;
  const parts = [kind && `kind=${kind}`, item ? `item=${item.id}` : page > 1 && `page=${page}`, isPlaying && "play=1"];
  return ["/?view=favourites", ...parts.filter(Boolean)].join("&");
}

export function favouritesListPath(section?: Section, page = 1): string {
  return favouritesPath({ name: "favourites", section, page, item: undefined, isPlaying: false });
}

/** Lies over any screen: `&account=open`, or an unfolded part. */
export type AccountRow = "open" | (typeof folded)[number];

const folded = [
  "membership",
  "cancel",
  "password",
  "passkeys",
  "devices",
  "stopped",
  "newsletter",
  "gifts",
  "data",
  "close",
] as const;

/** `undefined` when My Account is closed. */
export function parseAccountRow(params: URLSearchParams): AccountRow | undefined {
  const value = params.get("account");
  return value === null ? undefined : (folded.find((row) => row === value) ?? "open");
}

export function accountPath(path: string, row: AccountRow = "open"): string {
  return `${path}${path.includes("?") ? "&" : "?"}account=${row}`;
}
