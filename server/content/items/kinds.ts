type Kind = {
  /** In content sources and the API (docs/behaviour.md, Sections and items). */
  type: string;
  restBase: string;
  listCall: string;
  /** In texts; `many` is also the folder of the bundled content. */
  one: string;
  many: string;
  tab: string;
  resultsTab: string;
  favouritesRow: string;
  searchType: string;
  /** The link text of a search result. */
  cue: string;
  /** Among the figures. An article is opened; everything else is played. */
  plays: string;
  /** Beside the date of an open item, or as a heading above it. */
  category?: string;
  categoryHeading?: string;
  /** In characters, on a card. */
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
    plays: "Videos played",
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
    plays: "Articles opened",
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
    plays: "Webinars played",
    categoryHeading: "General sleep",
    textLength: 120,
  },
} as const satisfies Record<string, Kind>;

export type ItemKind = keyof typeof table;
export type SourceType = (typeof table)[ItemKind]["type"];

/**
 * Everything that differs between kinds, in the order of the tabs. A new kind is an entry above and its content.
 */
export const kinds: { [Name in ItemKind]: Kind & (typeof table)[Name] } = table;

export const itemKinds = Object.keys(kinds) as ItemKind[];

export type ItemRef = { kind: ItemKind; id: number };

/** Unique across kinds, for forms and addresses: `watch-2001`. */
export function itemKey({ kind, id }: ItemRef): string {
  return `${kind}-${id}`;
}

export function parseItemKey(key: string): ItemRef | undefined {
  const [, name, id] = /^([a-z]+)-([1-9]\d{0,8})$/.exec(key) ?? [];
  const kind = itemKinds.find((each) => each === name);
  return kind && { kind, id: Number(id) };
}

export function toKind(type: SourceType): ItemKind {
  return itemKinds.find((kind) => kinds[kind].type === type) ?? "read";
}

/** Lengths of excerpts other than on list cards (docs/behaviour.md, Sections and items). */
export const excerptLengths = { newTitleWords: 7, newTextWords: 20, featuredTitle: 48, searchText: 350 };

/**
 * An entry of the navigation: a tab, a list, a filter of results and a row of favourites. Each kind has one; recordings
 * of any kind have their own.
 */
export type Section = ItemKind | "listen";

type SectionNames = Pick<
  Kind,
  "one" | "many" | "tab" | "resultsTab" | "favouritesRow" | "searchType" | "cue" | "plays"
>;

/** In the order of the tabs. */
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
    plays: "Recordings played",
  },
  read: kinds.read,
  learn: kinds.learn,
};

export const sectionNames = Object.keys(sections) as Section[];

export function mapSections<Made>(make: (section: Section) => Made): Record<Section, Made> {
  return Object.fromEntries(sectionNames.map((section) => [section, make(section)])) as Record<Section, Made>;
}

export function sumSections(counts: Record<Section, number>): number {
  return sectionNames.reduce((sum, section) => sum + counts[section], 0);
}

export function mapTypes<Made>(make: (kind: ItemKind) => Made): Record<SourceType, Made> {
  return Object.fromEntries(itemKinds.map((kind) => [kinds[kind].type, make(kind)])) as Record<SourceType, Made>;
}

type ListCall = (typeof table)[ItemKind]["listCall"];

export function mapListCalls<Made>(make: (kind: ItemKind) => Made): Record<ListCall, Made> {
  return Object.fromEntries(itemKinds.map((kind) => [kinds[kind].listCall, make(kind)])) as Record<ListCall, Made>;
}

/** In the order that an item's `scene` counts in. */
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

export function sceneNumber(name: SceneName): number {
  return sceneNames.indexOf(name);
}
