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
} from "../../../../server/content/catalogue/kinds.ts";
import { cleanTyped } from "../../../../server/content/catalogue/rules.ts";
import type { SearchOrder } from "../../../../server/content/search/search.ts";
import { awakePath } from "../../../frame/paths.ts";
import { toCount } from "../../../forms/read-text.ts";

/**
 * The state of the dashboard is written in its address (docs/behaviour.md, Screens), so that Back, a reload, a shared link and a
 * browser without script all agree.
 */
export type View =
  | { name: "landing"; forgotten?: string | undefined }
  | { name: "list"; section: Section; page: number }
  | ItemView
  | FavouritesView
  | { name: "topics" }
  | { name: "receipt"; number: string }
  | SearchView;

/** `from`: the second from which its film plays, if not from where the member stopped. */
type ItemView = { name: "item"; kind: ItemKind; id: number; isPlaying: boolean; from?: number | undefined };

export type FavouritesView = {
  name: "favourites";
  /** All of one section; `undefined` for those of every section, and for an open item. */
  section: Section | undefined;
  page: number;
  item: ItemRef | undefined;
  isPlaying: boolean;
  /** The favourite that was removed last, where no script remembers it. */
  removed?: Removed | undefined;
};

/** A favourite that was removed, and its place on its page, from 0. */
export type Removed = ItemRef & { at: number };

export type SearchView = {
  name: "search";
  /** All that was typed: the search cuts it, and urgent help reads all of it. */
  term: string;
  section: Section | undefined;
  order: SearchOrder;
  page: number;
  /** As it was typed, also what may be misspelt: `&spelling=as-typed`. */
  isLiteral: boolean;
  /** The results were asked for after help was shown in their place: `&show=library`. */
  isPastHelp: boolean;
};

/** An address that makes no sense: answered 400, with a sentence. `search`: what it would be without its page. */
export type BadView = { name: "bad"; sentence: string; search?: SearchView };

/** The sentence for a section that is not there. */
export const noSection = (): string =>
  `There is no such section. Try ${itemKinds.map((kind) => kinds[kind].tab).join(", ")} or Favourites.`;
const badPage: BadView = { name: "bad", sentence: "Pages of a list are counted 1, 2, 3." };

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
  const section = sectionNames.find((known) => known === name);
  if (!section) return { name: "bad", sentence: noSection() };

  const item = params.get("item");
  if (item !== null) {
    const id = toCount(item);
    // An item has one address, with its kind: that of a recording has no other.
    const kind = itemKinds.find((known) => known === section);
    if (!id || !kind)
      return { name: "bad", sentence: "An item is asked for by its number, and this address has none." };
    const from = toCount(params.get("from") ?? "");
    return { name: "item", kind, id, isPlaying: params.get("play") === "1", ...(from && { from }) };
  }
  const page = toCount(params.get("page") ?? "1");
  if (!page) return badPage;
  return { name: "list", section, page };
}

function parseReceipt(number: string): View | BadView {
  if (/^[A-Za-z0-9-]{1,40}$/.test(number)) return { name: "receipt", number };
  return { name: "bad", sentence: "A receipt is asked for by its number, and this address has none." };
}

const orders: SearchOrder[] = ["best", "newest", "oldest"];

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

/** The favourites of all sections, of one, or one open item. */
function parseFavourites(params: URLSearchParams): View | BadView {
  const section = sectionNames.find((known) => known === params.get("kind"));
  const item = params.has("item") ? parseItemKey(`${params.get("kind")}-${params.get("item")}`) : undefined;
  const page = toCount(params.get("page") ?? "1");
  if ((params.has("kind") && !section) || (params.has("item") && !item) || !page) {
    return { name: "bad", sentence: "There is no such part of the favourites." };
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

/** The path of a page of favourites with the place of one that was removed from it. */
export function removedPath({ section, page }: FavouritesView, { at, ...item }: Removed): string {
  const key = itemKey(item);
  return `${favouritesListPath(section, page)}&removed=${key}&at=${at + 1}#${key}`;
}

/** The path of a view, in the one spelling that the site itself uses; the landing's for an address that is none. */
export function viewPath(view: View | BadView): string {
  switch (view.name) {
    case "landing":
    case "bad":
      return "/";
    case "list":
      return `/?view=${view.section}${view.page > 1 ? `&page=${view.page}` : ""}`;
    case "item":
      return `/?view=${view.kind}&item=${view.id}${view.isPlaying ? "&play=1" : ""}${view.from ? `&from=${view.from}` : ""}`;
    case "favourites":
      return favouritesPath(view);
    case "topics":
      return "/?q=";
    case "receipt":
      return `/?receipt=${view.number}`;
    case "search":
      return searchPath(view);
  }
}

/** The path of the nights for a topic, by its slug. */
export function nightsPath(slug: string): string {
  return `/nights/${slug}`;
}

/** Where a page is now that was a view of the dashboard until November 2026: bookmarks and history have such addresses. */
export function findMovedPath(params: URLSearchParams): string | undefined {
  const view = params.get("view");
  if (view === "awake") return awakePath(params.get("piece") ?? undefined);
  return view === "nights" ? nightsPath(encodeURIComponent(params.get("topic") ?? "")) : undefined;
}

/** The path of a search, without its defaults. */
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

/** The path of the favourites, or of all of one section. */
export function favouritesListPath(section?: Section, page = 1): string {
  return favouritesPath({ name: "favourites", section, page, item: undefined, isPlaying: false });
}

/** My Account lies over any screen of the dashboard: `&account=open`, or one of its parts that is unfolded. */
export type AccountPart = "open" | (typeof folded)[number];

const folded = ["membership", "cancel", "password", "devices", "stopped", "newsletter", "data", "close"] as const;

/** The part that an address asks for; `undefined` when My Account is not open. */
export function parseAccountPart(params: URLSearchParams): AccountPart | undefined {
  const value = params.get("account");
  return value === null ? undefined : (folded.find((part) => part === value) ?? "open");
}

/** My Account over the screen at `path`. */
export function accountPath(path: string, part: AccountPart = "open"): string {
  return `${path}${path.includes("?") ? "&" : "?"}account=${part}`;
}
