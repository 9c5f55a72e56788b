type Kind = {
  /** Its type in a content source and over the API (docs/behaviour.md, Sections and items). */
  type: string;
  /** Its list in the WordPress REST API. */
  restBase: string;
  /** Its list in our own API. */
  listCall: string;
  /** Its names in texts; `many` is also the folder of the bundled content. */
  one: string;
  many: string;
  /** Its tab, the tab of its search results, and its row among favourites. */
  tab: string;
  resultsTab: string;
  favouritesRow: string;
  /** Its name in the address of a search. */
  searchType: string;
  /** The invitation at a search result. */
  cue: string;
  /** The category beside the date of an open item, or as a heading above it. */
  category?: string;
  categoryHeading?: string;
  /** How many characters of the text a card shows. */
  textLength: number;
};

const table = {
  watch: {
    type: "videos",
    restBase: "videos",
    listCall: "getwatches",
    one: "Video",
    many: "videos",
    tab: "Videos",
    resultsTab: "Video",
    favouritesRow: "Watch",
    searchType: "watches",
    cue: "Watch Now",
    textLength: 150,
  },
  read: {
    type: "post",
    restBase: "posts",
    listCall: "getreads",
    one: "Article",
    many: "articles",
    tab: "Read",
    resultsTab: "Read",
    favouritesRow: "Read",
    searchType: "reads",
    cue: "Read Now",
    category: "Category: Sleep",
    textLength: 40,
  },
  learn: {
    type: "tutorials",
    restBase: "tutorials",
    listCall: "getlearns",
    one: "Webinar",
    many: "webinars",
    tab: "Webinars",
    resultsTab: "Webinars",
    favouritesRow: "Learn",
    searchType: "learns",
    cue: "Watch Now",
    categoryHeading: "General sleep",
    textLength: 120,
  },
} as const satisfies Record<string, Kind>;

export type ItemKind = keyof typeof table;
/** The type of an item in a content source and over the API. */
export type SourceType = (typeof table)[ItemKind]["type"];

/** Everything that a kind of item is called, in the order of the tabs. A kind more is an entry above, its content and a migration. */
export const kinds: { [Name in ItemKind]: Kind & (typeof table)[Name] } = table;

export const itemKinds = Object.keys(kinds) as ItemKind[];

export type ItemRef = { kind: ItemKind; id: number };

/** An item's unique name across kinds, as forms and addresses use it: `watch-2001`. */
export function itemKey({ kind, id }: ItemRef): string {
  return `${kind}-${id}`;
}

/** The item that a key names; `undefined` where it is none. */
export function parseItemKey(key: string): ItemRef | undefined {
  const [, name, id] = /^([a-z]+)-([1-9]\d{0,8})$/.exec(key) ?? [];
  const kind = itemKinds.find((each) => each === name);
  return kind && { kind, id: Number(id) };
}

/** The kind of an item of this type: `read` for `post`. */
export function toKind(type: SourceType): ItemKind {
  return itemKinds.find((kind) => kinds[kind].type === type) ?? "read";
}

/** How much of a text is shown elsewhere than on a list card (docs/behaviour.md, Sections and items). */
export const excerptLengths = { newTitleWords: 7, newTextWords: 20, featuredTitle: 48, searchText: 350 };

/**
 * A place of the navigation: its tab, its list, its filter of results and its row of favourites. Each kind has one. Recordings have
 * one of their own, whatever their kind, so they are left out of those.
 */
export type Section = ItemKind | "listen";

type SectionNames = Pick<Kind, "one" | "many" | "tab" | "resultsTab" | "favouritesRow" | "searchType" | "cue">;

/** Everything that a section is called, in the order of the tabs. */
export const sections: Record<Section, SectionNames> = {
  watch: kinds.watch,
  listen: {
    one: "Recording",
    many: "recordings",
    tab: "Listen",
    resultsTab: "Listen",
    favouritesRow: "Listen",
    searchType: "listens",
    cue: "Listen now",
  },
  read: kinds.read,
  learn: kinds.learn,
};

export const sectionNames = Object.keys(sections) as Section[];

/** Something for each section. */
export function mapSections<Made>(make: (section: Section) => Made): Record<Section, Made> {
  return Object.fromEntries(sectionNames.map((section) => [section, make(section)])) as Record<Section, Made>;
}

/** Something for each kind, by its type, as sources and the API name it. */
export function mapTypes<Made>(make: (kind: ItemKind) => Made): Record<SourceType, Made> {
  return Object.fromEntries(itemKinds.map((kind) => [kinds[kind].type, make(kind)])) as Record<SourceType, Made>;
}

/** The call of our API that lists a kind. */
type ListCall = (typeof table)[ItemKind]["listCall"];

/** Something for the list of each kind, by its call. */
export function mapListCalls<Made>(make: (kind: ItemKind) => Made): Record<ListCall, Made> {
  return Object.fromEntries(itemKinds.map((kind) => [kinds[kind].listCall, make(kind)])) as Record<ListCall, Made>;
}

/** The nine night scenes, in the order that an item's `scene` counts in. */
export const sceneNames = [
  "moon-over-hills",
  "hedgerow-nest",
  "lighthouse",
  "tent-and-stars",
  "rain-on-a-window",
  "sleeping-village",
  "owl-on-a-bough",
  "quiet-sea",
  "attic-lamp",
] as const;

export type SceneName = (typeof sceneNames)[number];

/** The number of a scene, for pages that choose one by name. */
export function sceneNumber(name: SceneName): number {
  return sceneNames.indexOf(name);
}
