import { type ItemKind, type ItemRef, itemKey, itemKinds, kinds } from "../../../server/content/kinds.ts";
import { gapFilters, gapLabels, type GapFilter, isAwakePiece } from "../../../server/content/rules.ts";
import { formatDateTime } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { href } from "../../paths.ts";
import { type DeskView, deskPath, readNumber } from "./view.ts";

/** The items of the content with what each lacks, 50 to a page; `undefined` past the last page. */
export async function findContentScreen({ catalogue }: Services, { params }: DeskView) {
  const kind = readKind(params);
  const filter = gapFilters.find((each) => each === params.get("gap")) ?? "any";
  const page = params.has("page") ? (readNumber(params, "page") ?? 0) : 1;
  const found = await catalogue.editorial.listGaps({ kind, filter, page });
  if (!found) return undefined;
  const pathOf = (to: number) => (to < 1 || to > found.pageCount ? undefined : contentPath(kind, filter, to));
  const { isStale, source } = catalogue.status();
  return {
    name: "content" as const,
    title: "What the content lacks",
    source,
    isStale,
    kind: kind ?? "",
    filter,
    kindOptions: [
      { value: "", label: "All kinds" },
      ...itemKinds.map((each) => ({ value: each, label: kinds[each].tab })),
    ],
    filterOptions: gapFilters.map((each) => ({ value: each, label: `${filterLabels[each]} (${found.counts[each]})` })),
    rows: found.rows.map(({ kind: itemKind, id, title, date, isAwakePiece: isPiece, findings, outsideLinks }) => ({
      key: itemKey({ kind: itemKind, id }),
      title,
      path: previewPath({ kind: itemKind, id }),
      kind: isPiece ? "Awake now" : kinds[itemKind].one,
      date,
      findings: findings.map(({ gap, says }) => (gap === "links" || gap === "review" ? says : `${gapLabels[gap]}.`)),
      outsideCount: outsideLinks.length,
    })),
    pages: {
      at: `Page ${found.page} of ${found.pageCount}`,
      previous: pathOf(found.page - 1),
      next: pathOf(found.page + 1),
    },
  };
}

export type ContentScreen = NonNullable<Awaited<ReturnType<typeof findContentScreen>>>;

const filterLabels: Record<GapFilter, string> = {
  any: "Something is missing",
  ...gapLabels,
  none: "Nothing is missing",
};

function contentPath(kind: ItemKind | undefined, filter: GapFilter, page: number): string {
  return deskPath("content", { kind, gap: filter === "any" ? undefined : filter, page: page === 1 ? undefined : page });
}

function readKind(params: URLSearchParams): ItemKind | undefined {
  return itemKinds.find((each) => each === params.get("kind"));
}

function previewPath({ kind, id }: ItemRef, more: { files?: "ask" } = {}): string {
  return deskPath("preview", { kind, item: id, ...more });
}

const stateLabels = { draft: "Draft", pending: "Waiting for review", scheduled: "Scheduled" };

/** What is written and not published. */
export async function findDraftsScreen({ catalogue }: Services) {
  const found = await catalogue.editorial.listDrafts();
  return {
    name: "drafts" as const,
    title: "Drafts",
    problem: found.ok ? undefined : found.says,
    note: found.ok ? found.note : undefined,
    rows: (found.ok ? found.drafts : []).map(({ kind, id, title, state, changedAt }) => ({
      key: itemKey({ kind, id }),
      title,
      path: previewPath({ kind, id }),
      kind: kinds[kind].one,
      state: stateLabels[state],
      changed: changedAt && formatDateTime(changedAt),
    })),
  };
}

export type DraftsScreen = Awaited<ReturnType<typeof findDraftsScreen>>;

/** The item or draft that an address names; `undefined` where there is none. */
export async function readPreview({ catalogue }: Services, params: URLSearchParams) {
  const kind = readKind(params);
  const id = readNumber(params, "item");
  if (!kind || id === undefined) return undefined;
  return catalogue.editorial.findPreview({ kind, id }, { asksForFiles: params.get("files") === "ask" });
}

/** What an editor should know of an item or a draft, beside the frame in which it is as members see it; `undefined` where there is neither. */
export async function findPreviewScreen(services: Services, { params }: DeskView) {
  const found = await readPreview(services, params);
  if (!found) return undefined;
  const common = { name: "preview" as const, title: "Preview" };
  if (!found.ok) return { ...common, problem: found.says, preview: undefined };
  const { item, draft, findings, outsideLinks, losses } = found;
  const { kind, id, title } = item;
  const isPlaying = params.has("play");
  const shown = new URLSearchParams({ kind, item: String(id), ...(isPlaying && { play: "1" }) });
  return {
    ...common,
    problem: undefined,
    preview: {
      state: draft ? stateLabels[draft.state] : "Published",
      isDraft: draft !== undefined,
      kind: kinds[kind].one,
      isAwakePiece: isAwakePiece(item),
      itemTitle: title,
      framePath: `/desk/preview?${shown.toString()}`,
      findings: findings.map(({ says }) => says),
      losses: losses.map(({ what, why, count }) => `${count > 1 ? `${count} × ` : ""}${what}: ${why}`),
      outsideLinks,
      filesPath: previewPath({ kind, id }, { files: "ask" }),
      asksForFiles: params.get("files") === "ask",
    },
  };
}

export type PreviewScreen = NonNullable<Awaited<ReturnType<typeof findPreviewScreen>>>;

const ownLink = /(<a\b[^<>]*?) href="([^"?#]*)(\?[^"]*)?"/g;
const itemQuery = new RegExp(`^\\?view=(${itemKinds.join("|")})&amp;item=(\\d+)(&amp;play=1)?`);

/** Links to items lead to their previews, and other links to members' pages nowhere: an operator has no access to those. */
export function leadToPreviews(html: string): string {
  const home = href("/");
  return html.replaceAll(ownLink, (whole, ...found: string[]) => {
    const [start = "", path = "", query = ""] = found;
    if (path !== home && path !== "") return whole;
    const [, kind, id, play = ""] = itemQuery.exec(query) ?? [];
    if (kind !== undefined)
      return `${start} href="${href("/desk")}?view=preview&amp;kind=${kind}&amp;item=${id}${play}"`;
    return query === "" && path === "" ? whole : start;
  });
}
