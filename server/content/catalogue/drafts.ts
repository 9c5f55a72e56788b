import type { Loss } from "../items/blocks.ts";
import { reasonText } from "./intake.ts";
import { type Item, type ItemSetting, type ItemSource, prepareItem } from "../items/item.ts";
import { type ItemRef, itemKey } from "../items/kinds.ts";
import { toText } from "../items/html-text.ts";
import { type ContentSource, type DraftHead, type DraftRefusal, sourceItemSchema } from "../items/source.ts";

/** Titles are plain text. */
export type DraftList = { ok: true; drafts: DraftHead[]; note?: string | undefined } | DraftRefusal;

/** The source's unpublished items. An unreachable source is a refusal with a `message`; nothing is thrown. */
export async function listDrafts({ name, drafts }: ContentSource): Promise<DraftList> {
  if (!drafts) return { ok: false, message: noneAt(name) };
  const found = await drafts.list();
  if (!found.ok) return found;
  return { ...found, drafts: found.drafts.map(toShownHead) };
}

function noneAt(name: string): string {
  return `There are no drafts to show: ${name} only gives what is published.`;
}

function toShownHead({ kind, id, title, state, changedAt }: DraftHead): DraftHead {
  return { kind, id, title: readTitle(title), state, changedAt };
}

function readTitle(html: string): string {
  try {
    return toText(html) || "Untitled";
  } catch {
    return "Untitled";
  }
}

/** `item`: what the draft would become. `mediaBase`: where its files are served. */
export type PreparedDraft = { ok: true; draft: DraftHead; item: Item; losses: Loss[]; mediaBase: string };

/** Prepares a draft as the catalogue would. `undefined`: no such draft. A refusal: it cannot be read, or be an item. */
export async function prepareDraft(
  source: ContentSource,
  ref: ItemRef,
  { setting, ...links }: { setting: ItemSetting } & ItemSource,
): Promise<PreparedDraft | DraftRefusal | undefined> {
  const found = await source.drafts?.find(ref);
  if (!found?.ok) return found;
  if (!found.draft) return undefined;
  const { item: given, ...draft } = found.draft;
  const mediaBase = `${setting.basePath}desk/drafts/${itemKey(ref)}/`;
  try {
    const parsed = sourceItemSchema.parse(given);
    if (parsed.content.protected) return { ok: false, message: "It's behind a password, so members wouldn't see it." };
    const { item, losses } = prepareItem(parsed, { ...setting, mediaBase }, links);
    return { ok: true, draft: { ...draft, title: item.title }, item, losses, mediaBase };
  } catch (error) {
    return { ok: false, message: `We can't show it as an item: ${reasonText(error)}` };
  }
}
