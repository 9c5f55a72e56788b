import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import { toDay } from "../../platform/format.ts";
import { giveWay } from "../../platform/turns.ts";
import type { Loss } from "../items/blocks.ts";
import { listDrafts, prepareDraft } from "./drafts.ts";
import { type Finding, findGaps, type GapSetting, listOutsideLinks } from "./gaps.ts";
import type { Intake, Snapshot } from "./intake.ts";
import type { Item } from "../items/item.ts";
import { type ItemRef, itemKey, type Section } from "../items/kinds.ts";
import { type Gap, type GapFilter, findSection, gapFilters, isAwakePiece } from "../items/item-facts.ts";
import { listShapes, toShape } from "../items/links.ts";
import { toMediaBase } from "../items/sanitise.ts";
import type { ContentSource, DraftHead, DraftRefusal, Media } from "../items/source.ts";
import { takePage } from "../../platform/count.ts";

/** The content as operators see it, before and after publication. Members' requests never run this. */
export type Editorial = ReturnType<typeof createEditorial>;

/** `page` counts from 1; `perPage` is 50 by default. */
export type GapQuery = { section?: Section | undefined; filter: GapFilter; page: number; perPage?: number };

/** `counts`: the items of the section by gap; `total`: those that match the filter. */
export type GapPage = {
  rows: GapRow[];
  page: number;
  pageCount: number;
  total: number;
  counts: Record<GapFilter, number>;
};

export type GapRow = ItemRef & {
  section: Section;
  title: string;
  date: string;
  isAwakePiece: boolean;
  findings: Finding[];
  outsideLinks: string[];
};

/** `draft` is `undefined` for a published item. */
export type Preview = {
  ok: true;
  item: Item;
  draft: DraftHead | undefined;
  findings: Finding[];
  outsideLinks: string[];
  losses: Loss[];
};

type EditorialContext = { source: ContentSource; intake: Intake; clock: Clock };

export function createEditorial(ctx: EditorialContext) {
  const { source, intake } = ctx;
  let last: Survey | undefined;

  /** Cached until the content changes or it is too old. */
  function findSurvey(): Promise<Surveyed> {
    const isCurrent = last?.snapshot.deref() === intake.snapshot && ctx.clock() < last.until;
    if (last && isCurrent) return last.surveyed;
    const until = after(ctx.clock(), SURVEY_LASTS_FOR_MS);
    const survey = { snapshot: new WeakRef(intake.snapshot), until, surveyed: surveyItems(ctx) };
    survey.surveyed.catch(() => (last = undefined));
    last = survey;
    return survey.surveyed;
  }

  return {
    /** Items with gaps, the newest first; `undefined` past the last page. The first page of an empty list exists. */
    async listGaps({ section, filter, page, perPage = ROWS }: GapQuery): Promise<GapPage | undefined> {
      const { items } = await findSurvey();
      const inSection = items.filter((each) => section === undefined || each.section === section);
      const found = inSection.filter((each) => matches(each, filter));
      const shown = takePage(found, { page, size: perPage });
      if (!shown) return undefined;
      const toSetting = prepareSetting(ctx, intake.snapshot);
      const rows = await Promise.all(shown.items.map((each) => describeRow(intake.snapshot, each, toSetting(each))));
      const counts = countGaps(inSection);
      const { pageCount } = shown;
      return { rows: rows.filter((row) => row !== undefined), page, pageCount, total: found.length, counts };
    },
    /** Of all items, by gap. */
    countGaps: async (): Promise<Record<GapFilter, number>> => (await findSurvey()).counts,
    listDrafts: () => listDrafts(source),
    /**
     * An item as members see it, or a draft as they would. `asksForFiles`: asks the source for each file that it shows.
     */
    findPreview: (ref: ItemRef, { asksForFiles = false }: { asksForFiles?: boolean } = {}) =>
      findPreview(ctx, ref, asksForFiles),
    /** A file of a draft, for operators: no file of members has such an address. */
    findDraftMedia: async (ref: ItemRef, name: string, width?: number): Promise<Media | "away" | undefined> =>
      source.drafts?.findMedia(ref, name, width),
  };
}

const ROWS = 50;

/** A missing file is noticed after that, if the content does not change. */
const SURVEY_LASTS_FOR_MS = 5 * MINUTE_IN_MS;

/** Refers to no item, so that replaced items can be collected as garbage. */
type Survey = { snapshot: WeakRef<Snapshot>; until: Date; surveyed: Promise<Surveyed> };

type Surveyed = { items: SurveyedItem[]; counts: Record<GapFilter, number> };

type SurveyedItem = ItemRef & { section: Section; gaps: Gap[] };

async function surveyItems(ctx: EditorialContext): Promise<Surveyed> {
  const { snapshot } = ctx.intake;
  const toSetting = prepareSetting(ctx, snapshot);
  const items: SurveyedItem[] = [];
  const newestFirst = [...snapshot.all].toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
  for (const item of newestFirst) {
    await giveWay();
    const found = new Set((await findGaps(item, toSetting(item))).map(({ gap }) => gap));
    items.push({ kind: item.kind, id: item.id, section: findSection(item), gaps: [...found] });
  }
  return { items, counts: countGaps(items) };
}

function prepareSetting({ source, intake, clock }: EditorialContext, snapshot: Snapshot) {
  const { setting, site, last, prepared } = intake;
  const losses = new Map((last?.taken.losses ?? []).map((each) => [itemKey(each), each.losses]));
  const pieces = new Set(snapshot.awake.map(itemKey));
  const shapes = listShapes(prepared.targets);
  const common = {
    ...setting,
    site,
    mediaBase: toMediaBase(setting),
    today: toDay(clock()),
    hasItem: (ref: ItemRef) => snapshot.items.has(itemKey(ref)),
    hasPiece: (ref: ItemRef) => pieces.has(itemKey(ref)),
    isLost: (address: URL) => shapes.has(toShape(address) ?? "") && source.hasPage?.(address) === false,
    hasFile: async (name: string) => (await source.hasMedia?.(name)) ?? true,
  };
  return (ref: ItemRef): GapSetting => ({ ...common, losses: losses.get(itemKey(ref)) ?? [] });
}

function matches({ gaps: found }: SurveyedItem, filter: GapFilter): boolean {
  if (filter === "any") return found.length > 0;
  return filter === "none" ? found.length === 0 : found.includes(filter);
}

function countGaps(items: SurveyedItem[]): Record<GapFilter, number> {
  const counts = gapFilters.map((filter) => [filter, items.filter((item) => matches(item, filter)).length]);
  return Object.fromEntries(counts) as Record<GapFilter, number>;
}

/** `undefined` for an item that was withdrawn since the survey. */
async function describeRow(snapshot: Snapshot, ref: ItemRef, setting: GapSetting): Promise<GapRow | undefined> {
  const item = findPublished(snapshot, ref);
  if (!item) return undefined;
  const { kind, id, title, date } = item;
  const findings = await findGaps(item, setting);
  return {
    kind,
    id,
    section: findSection(item),
    title,
    date,
    isAwakePiece: isAwakePiece(item),
    findings,
    outsideLinks: listOutsideLinks(item, setting),
  };
}

function findPublished({ items, awake }: Snapshot, ref: ItemRef): Item | undefined {
  return items.get(itemKey(ref)) ?? awake.find((piece) => itemKey(piece) === itemKey(ref));
}

async function findPreview(
  ctx: EditorialContext,
  ref: ItemRef,
  asksForFiles: boolean,
): Promise<Preview | DraftRefusal | undefined> {
  const { source, intake } = ctx;
  const toSetting = prepareSetting(ctx, intake.snapshot);
  const published = findPublished(intake.snapshot, ref);
  if (published) {
    const hasFile = async (name: string) => (await source.findMedia(name)) !== undefined;
    const setting = { ...toSetting(ref), ...(asksForFiles && { hasFile }) };
    return describePreview(published, setting, undefined);
  }
  const { setting, site, prepared } = intake;
  const found = await prepareDraft(source, ref, { setting, site, targets: prepared.targets });
  if (!found?.ok) return found;
  const { item, draft, losses, mediaBase } = found;
  const hasFile = async (name: string) => !asksForFiles || (await source.drafts?.findMedia(ref, name)) !== undefined;
  return describePreview(item, { ...toSetting(ref), mediaBase, losses, hasFile }, draft);
}

async function describePreview(item: Item, setting: GapSetting, draft: DraftHead | undefined): Promise<Preview> {
  const findings = await findGaps(item, setting);
  return { ok: true, item, draft, findings, outsideLinks: listOutsideLinks(item, setting), losses: setting.losses };
}
