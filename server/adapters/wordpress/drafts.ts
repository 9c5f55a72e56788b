import { z } from "zod";

import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import { type ItemKind, itemKey, itemKinds, type ItemRef, kinds } from "../../content/items/kinds.ts";
import { drawUnstored, isDrawn } from "../../content/items/pictures.ts";
import {
  type DraftHead,
  type DraftHeads,
  type DraftRefusal,
  type DraftSource,
  type FoundDraft,
  type Media,
  findMediaType,
} from "../../content/items/source.ts";
import { createGate, type Gate } from "../../platform/gate.ts";
import type { Log } from "../../platform/log.ts";
import { keepInMemory } from "../../content/items/text-file.ts";
import {
  AwayFault,
  isForbidden,
  type Patience,
  type WordpressClient,
  WordpressFault,
  WordpressRefusal,
} from "./client.ts";
import type { Entry } from "./entry.ts";
import { type Film, findFilm, PICTURE_MAX_BYTES } from "./media.ts";
import { takeEntries } from "./reading.ts";

type DraftContext = {
  /** Logged in as the Editor. */
  client: WordpressClient;
  /** Without a log-in, for files. */
  stranger: WordpressClient;
  clock: Clock;
  log: Log;
  patience: Pick<Patience, "requestInMs" | "timeOut">;
  isTokenSet: boolean;
};

/**
 * Drafts, pending and scheduled items, as the REST API shows them to a user who may edit others' items. A revision of a
 * published item is no draft.
 */
export function createWordpressDrafts(ctx: DraftContext): DraftSource {
  const files = openDraftFiles(ctx);
  return {
    list: () => asking(ctx, () => listHeads(ctx)),
    find: (ref) =>
      asking(ctx, async (): Promise<FoundDraft> => {
        const found = await findDraft(ctx, ref);
        return { ok: true, draft: found && { ...found.head, item: found.entry.readItem() } };
      }),
    async findMedia(ref, name, width) {
      if (!ctx.isTokenSet) return undefined;
      try {
        return await findDraftFile(files, { ref, name, width });
      } catch (error) {
        if (!(error instanceof WordpressFault)) throw error;
        return error instanceof AwayFault ? "away" : undefined;
      }
    },
  };
}

const NEEDS_TOKEN =
  "WordPress only shows its drafts to someone who can edit them. Set CMS_TOKEN to “name:application password” of a user with the role Editor.";
const NEEDS_ROLE = "WordPress doesn't show its drafts to the user of CMS_TOKEN. Give that user the role Editor.";

async function asking<Found>({ isTokenSet }: DraftContext, ask: () => Promise<Found>): Promise<Found | DraftRefusal> {
  if (!isTokenSet) return { ok: false, message: NEEDS_TOKEN };
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WordpressFault)) throw error;
    return { ok: false, message: isForbidden(error) ? NEEDS_ROLE : `We can't get drafts right now: ${error.message}` };
  }
}

const states = { draft: "draft", pending: "pending", future: "scheduled" } as const;

const headSchema = z.object({
  id: z.int().positive(),
  status: z.enum(["draft", "pending", "future"]),
  title: z.object({ rendered: z.string() }).catch({ rendered: "" }),
  modified_gmt: z.iso.datetime({ local: true }).optional().catch(undefined),
});

const MOST = 50;

async function listHeads(ctx: DraftContext): Promise<DraftHeads> {
  const signal = ctx.patience.timeOut(ctx.patience.requestInMs);
  const byKind = await Promise.all(itemKinds.map((kind) => listKindHeads(ctx, kind, signal)));
  const drafts = byKind.flatMap((list) => list.heads).toSorted((a, b) => toTime(b) - toTime(a));
  const isCut = byKind.some(({ total }) => total > MOST);
  const hidden = byKind.reduce((sum, { total, heads }) => sum + Math.max(0, Math.min(total, MOST) - heads.length), 0);
  const notes = [
    ...(isCut ? [`This lists the latest ${MOST} of each kind.`] : []),
    ...(hidden > 0 ? [`WordPress hides ${hidden} more from the user of CMS_TOKEN. An Editor sees them all.`] : []),
  ];
  return { ok: true, drafts, ...(notes.length > 0 && { note: notes.join(" ") }) };
}

async function listKindHeads({ client }: DraftContext, kind: ItemKind, signal: AbortSignal) {
  const query = {
    status: Object.keys(states).join(","),
    per_page: String(MOST),
    orderby: "modified",
    order: "desc",
    _fields: "id,status,title,modified_gmt",
  };
  const path = kinds[kind].restBase;
  const { body, headers } = await client.readJson(path, { query, signal });
  if (!Array.isArray(body)) throw new WordpressFault(`WordPress answered “${path}” with something that is no list`);
  const heads = body.map((raw) => readHead(kind, raw)).filter((head) => head !== undefined);
  return { heads, total: Number(headers.get("X-WP-Total")) || heads.length };
}

/** `undefined` for published and private items, and other types. */
function readHead(kind: ItemKind, raw: unknown): DraftHead | undefined {
  const { data } = headSchema.safeParse(raw);
  if (!data) return undefined;
  const changedAt = data.modified_gmt === undefined ? undefined : new Date(`${data.modified_gmt}Z`);
  return { kind, id: data.id, title: data.title.rendered, state: states[data.status], changedAt };
}

function toTime({ changedAt }: DraftHead): number {
  return changedAt?.getTime() ?? 0;
}

async function findDraft(
  { client, stranger, log, patience }: DraftContext,
  { kind, id }: ItemRef,
): Promise<{ head: DraftHead; entry: Entry } | undefined> {
  const signal = patience.timeOut(patience.requestInMs);
  const type = kinds[kind].restBase;
  const raw = await client
    .readJson(`${type}/${id}`, { query: { _embed: "1" }, signal })
    .then(({ body }) => body)
    .catch((error: unknown) => {
      if (error instanceof WordpressRefusal && error.code === "rest_post_invalid_id") return undefined;
      throw error;
    });
  const head = readHead(kind, raw);
  if (!head) return undefined;
  const [entry] = await takeEntries({ client, stranger, log, type, signal, keepText: keepInMemory }, [raw], {
    known: undefined,
    firstPlace: 1,
  });
  return entry && { head, entry };
}

/**
 * File addresses of the drafts viewed last, for as long as a page fetches its pictures. Members cannot request them.
 */
type DraftFiles = { ctx: DraftContext; known: Map<string, KnownFiles>; gate: Gate };

type KnownFiles = { addresses: Map<string, string>; films: Map<string, Film>; until: Date };

const KNOWN_FOR_MS = MINUTE_IN_MS;
const MOST_KNOWN = 20;
const DRAWN_AT_ONCE = 2;

function openDraftFiles(ctx: DraftContext): DraftFiles {
  return { ctx, known: new Map(), gate: createGate(DRAWN_AT_ONCE) };
}

type WantedFile = { ref: ItemRef; name: string; width: number | undefined };

/** Reads and scales the file each time; nothing is cached. @throws {WordpressFault} */
async function findDraftFile(files: DraftFiles, { ref, name, width }: WantedFile): Promise<Media | "away" | undefined> {
  const { client, log } = files.ctx;
  const { addresses, films } = await findFiles(files, ref);
  const address = addresses.get(name);
  if (address === undefined) return undefined;
  if (!isDrawn(name)) return findFilm({ client, films }, name, address);
  return files.gate(async () => {
    const { status, bytes } = await client.readFile(address, { maxBytes: PICTURE_MAX_BYTES });
    const drawn = status === 200 ? await drawUnstored(bytes, { width, name, log }) : undefined;
    return drawn && { contentType: findMediaType(name), ...drawn };
  });
}

async function findFiles({ ctx, known }: DraftFiles, ref: ItemRef): Promise<KnownFiles> {
  const key = itemKey(ref);
  const last = known.get(key);
  if (last && ctx.clock() < last.until) return last;
  const found = await findDraft(ctx, ref);
  const addresses = new Map(found?.entry.files.map((file) => [file.name, file.address]));
  const files = { addresses, films: new Map(), until: after(ctx.clock(), KNOWN_FOR_MS) };
  known.delete(key);
  known.set(key, files);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return files;
}
