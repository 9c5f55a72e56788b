import { after, type Clock, MINUTE_IN_MS, systemClock } from "../../platform/clock.ts";
import { toDay } from "../../platform/format.ts";
import { LastingFault, type Log } from "../../platform/log.ts";
import { isSameSecret } from "../../platform/seal.ts";
import { byNewest, type Card, type PreparedCard, RECOMMENDED_COUNT, toListCard } from "../items/cards.ts";
import { createEditorial } from "./editorial.ts";
import { dayText, topicKey } from "../items/item-facts.ts";
import { beginIntake, type Intake, prepareSnapshot, type IntakeReport } from "./intake.ts";
import { type ItemSetting, withTexts } from "../items/item.ts";
import { type ItemKind, itemKey, itemKinds, type ItemRef, type Section, sectionNames } from "../items/kinds.ts";
import type { Saying } from "../search/sayings/saying.ts";
import type { SearchQuery } from "../search/search.ts";
import { suggest, suggestInstead } from "../search/suggestions.ts";
import type { ContentSource, FileRef, ListOptions } from "../items/source.ts";
import { type ScreenCard, separateScenes } from "./scene-spread.ts";
import { topics } from "../search/topics.ts";
import { findListTopics, groupByTopic } from "./topic-groups.ts";
import { takePage } from "../../platform/count.ts";

export type CardPage = { cards: Card[]; page: number; pageCount: number };

/** `readAt`: the last reading without a fault; `fault`: why the last one failed. */
type ReadingState = { readAt: Date | undefined; fault: string | undefined } & IntakeReport;

/** `source`: its name for operators. */
export type CatalogueStatus = ReadingState & { source: string; counts: Record<Section, number>; isStale: boolean };

export type CatalogueOptions = {
  source: ContentSource;
  setting: ItemSetting;
  clock?: Clock;
  log: Log;
  cardsPerPage: number;
  /** The words that an operator's members use, beside our sayings. */
  ownSayings?: Saying[];
};

/** All content: a prepared snapshot that requests only read. */
export type Catalogue = ReturnType<typeof createCatalogue>;

export function createCatalogue(options: CatalogueOptions) {
  const { source, setting, clock = systemClock, log, cardsPerPage, ownSayings = [] } = options;
  const intake = beginIntake({ setting, site: source.site, log, ownSayings });
  const lastingFault = new LastingFault({ log, clock, lastingAfterInMs: STALE_AFTER_IN_MS });
  const state = { readAt: undefined, fault: undefined, skipped: [], losses: [] };
  const reading: Reading = { source, clock, intake, lastingFault, state };
  const show = (cards: PreparedCard[]): Card[] => {
    const today = toDay(clock());
    return cards.map((card) => Object.assign({ day: dayText(card.date, today) }, card));
  };

  return {
    isReady: () => intake.isReady,
    /** Whether the last good reading is older than a few failed refreshes: members then see outdated content. */
    isStale: () => isStale(reading),
    /** Loads the last good reading from disk, so that no visitor waits for a CMS. Other sources are read. */
    open: () => runAlone(reading, () => (source.readStored ? takeStored(reading) : readSource(reading, {}))),
    /**
     * Reads the source and swaps the snapshot in at once. After a fault the last one stays. Calls during a run share it.
     */
    refresh: (listOptions: ListOptions = {}) => runAlone(reading, () => readSource(reading, listOptions)),
    status: () => toStatus(reading),
    /** Counts alone, which visitors may see. */
    overview: () => intake.snapshot.overview,
    findItem: (kind: ItemKind, id: number) => intake.snapshot.items.get(itemKey({ kind, id })),
    /** Leaves out Listen where there is no recording (docs/behaviour.md, Sections and items). */
    listSections: () => sectionNames.filter((section) => section !== "listen" || hasRecordings(intake)),
    listRecordings: () => intake.snapshot.listings.listen.listed.map(({ kind, id }) => ({ kind, id })),
    /** Pages count from 1; `undefined` past the end. The first page of an empty section exists. */
    findPage(section: Section, page: number): CardPage | undefined {
      const found = takePage(intake.snapshot.listings[section].listed, { page, size: cardsPerPage });
      return found && { cards: show(found.items), page, pageCount: found.pageCount };
    },
    /**
     * Makes a value once, until the content or the day changes. Only for a few keys, because none is evicted. `undefined`
     * is not cached.
     */
    remember: createMemory(intake, clock),
    /** Groups the cards of a long page by topic (docs/behaviour.md, Sections and items). */
    groupByTopic: (cards: Card[]) =>
      groupByTopic(cards, (card) => {
        const item = intake.snapshot.items.get(itemKey(card));
        return item ? findListTopics(item) : [];
      }),
    /** Gives the cards of a screen, in its order, scenes that differ between neighbours. */
    separateScenes: (cards: ScreenCard[]) => separateScenes(cards, (ref) => intake.snapshot.items.get(itemKey(ref))),
    /** Items of a kind that have a page, with recordings: featured articles first, then the newest. */
    listItems: (kind: ItemKind) =>
      [...intake.snapshot.items.values()]
        .filter((item) => item.kind === kind)
        .toSorted((a, b) => Number(b.isSticky) - Number(a.isSticky) || byNewest(a, b)),
    findCard(ref: ItemRef): Card | undefined {
      const item = intake.snapshot.items.get(itemKey(ref));
      return item && show([toListCard(item)])[0];
    },
    listFeatured: () => show(intake.snapshot.listings.read.featured),
    /** The newest of a section, except the open item. */
    listRecommended: (section: Section, openId: number) =>
      show(intake.snapshot.listings[section].newest.filter(({ id }) => id !== openId).slice(0, RECOMMENDED_COUNT)),
    listLatest: () =>
      show(itemKinds.map((kind) => intake.snapshot.listings[kind].latest).filter((card) => card !== undefined)),
    listAwake: () => intake.snapshot.awake,
    /** About the product, the newest first. */
    listHelp: () => show(intake.snapshot.help.map(toListCard)),
    findGuide: (topic: string) => intake.snapshot.guides.get(topicKey(topic)),
    listNights: () => intake.snapshot.nights,
    search: (query: SearchQuery) => intake.snapshot.search(query),
    /** For members who do not know what to type. */
    topics,
    /** Topics and titles that a typed text may become, the likeliest first. */
    suggest: (typed: string) => suggest({ search: intake.snapshot.search, sayings: findSayings(intake) }, typed),
    suggestInstead: (term: string) => suggestInstead({ sayings: findSayings(intake) }, term),
    findMedia: (name: string, width?: number) => source.findMedia(name, width),
    /** Whether a published item may have such a file; asks no other host where the source knows. */
    hasMedia: (name: string) => hasMedia(source, name),
    /** The files of published items, a picture once for each width that pages offer. */
    listFiles: () => listFiles(intake),
    editorial: createEditorial({ source, intake, clock }),
  };
}

function findSayings(intake: Intake) {
  return intake.snapshot.index.lexicon.sayings;
}

function createMemory(intake: Intake, clock: Clock) {
  let memory = { snapshot: intake.snapshot, day: "", made: new Map<string, unknown>() };
  return <Made>(key: string, make: () => Made): Made => {
    const { snapshot } = intake;
    const day = toDay(clock());
    if (snapshot !== memory.snapshot || day !== memory.day) memory = { snapshot, day, made: new Map() };
    const made = memory.made.has(key) ? (memory.made.get(key) as Made) : make();
    if (made !== undefined) memory.made.set(key, made);
    return made;
  };
}

function toStatus(reading: Reading): CatalogueStatus {
  const { source, intake, state } = reading;
  return { source: source.name, counts: intake.snapshot.overview.counts, isStale: isStale(reading), ...state };
}

async function hasMedia(source: ContentSource, name: string): Promise<boolean> {
  return source.hasMedia ? source.hasMedia(name) : (await source.findMedia(name)) !== undefined;
}

function listFiles({ setting: { basePath }, snapshot }: Intake): FileRef[] {
  return [...snapshot.all].flatMap((item): FileRef[] => {
    const { picture } = item;
    const written = JSON.stringify(withTexts(item)).matchAll(/\/media\/([\w.-]+)(?:\?w=(\d+))?/g);
    const files = Array.from(written, ([, name = "", width]) => ({ name, width: width ? Number(width) : undefined }));
    if (!("src" in picture)) return files;
    const name = picture.src.slice(`${basePath}media/`.length);
    return files.concat((picture.widths ?? []).map((width) => ({ name, width })));
  });
}

function hasRecordings({ snapshot }: Intake): boolean {
  return snapshot.listings.listen.listed.length > 0;
}

type Reading = {
  source: ContentSource;
  clock: Clock;
  intake: Intake;
  lastingFault: LastingFault;
  state: ReadingState;
  running?: Promise<void> | undefined;
};

/** A refresh is tried every minute, and members see the last content meanwhile: a shorter fault wakes no operator. */
const STALE_AFTER_IN_MS = 15 * MINUTE_IN_MS;

function isStale({ intake, state: { readAt }, clock }: Reading): boolean {
  return intake.isReady && (readAt === undefined || after(readAt, STALE_AFTER_IN_MS) < clock());
}

function runAlone(reading: Reading, work: () => Promise<void>): Promise<void> {
  reading.running ??= work().finally(() => (reading.running = undefined));
  return reading.running;
}

async function readSource(reading: Reading, listOptions: ListOptions): Promise<void> {
  const { source, clock, intake, lastingFault } = reading;
  try {
    const items = await source.listItems(listOptions);
    if (!items) return await keepLast(reading);
    reading.state = { readAt: clock(), fault: undefined, ...(await prepareSnapshot(intake, items)) };
    const further = await source.listFurther?.();
    if (further) reading.state = { ...reading.state, ...(await prepareSnapshot(intake, further)) };
    lastingFault.end({}, "the content source can be read again");
  } catch (error) {
    lastingFault.note({ error }, "the content source cannot be read; the last catalogue stays");
    reading.state = { ...reading.state, fault: String(error) };
  }
}

async function takeStored(reading: Reading): Promise<void> {
  const stored = await reading.source.readStored?.();
  if (!stored) return;
  reading.state = {
    readAt: stored.readAt,
    fault: stored.fault,
    ...(await prepareSnapshot(reading.intake, stored.items)),
  };
}

/**
 * Nothing was read, so the present state stays. A source that was not read has no fault either: an old fault would stay
 * until the next member logs in.
 */
async function keepLast(reading: Reading): Promise<void> {
  const { intake } = reading;
  if (!intake.isReady) await takeStored(reading);
  if (!intake.isReady) await prepareSnapshot(intake, []);
  reading.state = { ...reading.state, fault: undefined };
}

/** A CMS's webhook: starts a refresh if the secret is right, and returns whether it was. */
export function receiveContentSignal(
  catalogue: Catalogue,
  { given, secret }: { given: string; secret: string },
): boolean {
  const isRight = isSameSecret(given, secret);
  // A failed refresh shows in the status.
  if (isRight) void catalogue.refresh();
  return isRight;
}
