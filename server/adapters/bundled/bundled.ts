import { type ItemRef, toKind, kinds, type SourceType } from "../../content/items/kinds.ts";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Marked } from "marked";
import markedFootnote from "marked-footnote";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

import { stepTags } from "../../content/items/item-facts.ts";
import {
  type ContentSource,
  type DraftHead,
  type DraftSource,
  type Media,
  findMediaType,
} from "../../content/items/source.ts";
import { findDiskFile } from "../../platform/disk-files.ts";
import type { PartCheck } from "../../platform/part-check.ts";

/**
 * The bundled content: Markdown with front matter in a folder for each kind, recordings, pieces of Awake now, guides,
 * and files in `media`. Items have the shape of the WordPress REST API.
 * @throws from `listItems`, with the file's name, when front matter is invalid: these files are part of the program.
 */
export function createBundledContent(folder: string): ContentSource {
  /** Files of drafts alone, which members cannot request. */
  let unpublished = new Set<string>();

  async function read(): Promise<{ items: BundledItem[]; drafts: BundledItem[] }> {
    const all = await readItems(folder);
    const items = all.filter(({ isDraft }) => !isDraft).map(({ item }) => item);
    const drafts = all.filter(({ isDraft }) => isDraft).map(({ item }) => item);
    const published = drafts.length === 0 ? new Set() : listNamedFiles(items);
    unpublished = new Set([...listNamedFiles(drafts)].filter((name) => !published.has(name)));
    return { items, drafts };
  }
  const findMedia = async (name: string, width?: number) =>
    unpublished.has(name.replace(storedWidth, ".webp")) ? undefined : findFile(join(folder, "media"), name, width);

  return {
    name: "the content that comes with the product",
    listItems: async () => (await read()).items,
    findMedia,
    hasMedia: async (name) => (await findMedia(name)) !== undefined,
    drafts: createBundledDrafts(async () => (await read()).drafts, join(folder, "media")),
    check: () => check(folder),
  };
}

function createBundledDrafts(readDrafts: () => Promise<BundledItem[]>, mediaFolder: string): DraftSource {
  const find = async ({ kind, id }: ItemRef) =>
    (await readDrafts()).find((draft) => draft.id === id && toKind(draft.type) === kind);
  return {
    list: async () => ({ ok: true, drafts: (await readDrafts()).map(toHead) }),
    async find(ref) {
      const item = await find(ref);
      return { ok: true, draft: item && { ...toHead(item), item } };
    },
    async findMedia(ref, name, width) {
      const item = await find(ref);
      return item && listNamedFiles([item]).has(name) ? findFile(mediaFolder, name, width) : undefined;
    },
  };
}

async function readItems(folder: string): Promise<{ item: BundledItem; isDraft: boolean }[]> {
  const pictures = pictureSizesSchema.parse(JSON.parse(await readFile(join(folder, "media", "pictures.json"), "utf8")));
  const steps = await readGuides(join(folder, "guides"));
  const files = await Promise.all(folders.map(({ name, type }) => listFolder(join(folder, name), type)));
  return files.flat().map((file) => toWordPressShape(file, { pictures, steps }));
}

type BundledItem = ReturnType<typeof toWordPressShape>["item"];

function toHead({ id, type, title }: BundledItem): DraftHead {
  return { kind: toKind(type), id, title: title.rendered, state: "draft", changedAt: undefined };
}

function listNamedFiles(items: BundledItem[]): Set<string> {
  return new Set(
    items.flatMap((item) => [...JSON.stringify(item).matchAll(/media\/([\w.-]+)/g)].map(([, name = ""]) => name)),
  );
}

const folders: { name: string; type: SourceType }[] = [
  ...Object.values(kinds).map(({ many, type }) => ({ name: many, type })),
  { name: "awake", type: kinds.read.type },
  { name: "recordings", type: kinds.watch.type },
];

async function check(folder: string): Promise<PartCheck> {
  try {
    const names = await Promise.all(folders.map(({ name }) => listNames(join(folder, name))));
    return { isWell: true, message: `the content that comes with the product: ${names.flat().length} files` };
  } catch (error) {
    const message = `the content that comes with the product cannot be read, install it again: ${String(error)}`;
    return { isWell: false, message };
  }
}

const pictureSizesSchema = z.record(
  z.string(),
  z.object({
    width: z.number(),
    height: z.number(),
    /** The stored widths; smaller ones are `NAME-400.webp`. */
    widths: z.array(z.number()).optional(),
    ground: z.number().optional(),
  }),
);
type PictureSizes = z.infer<typeof pictureSizesSchema>;

/** No clinician has read these texts, so the product's team signs them. Members read about people who do not exist. */
function sampleNote(sources: string[]): string {
  const named = sources.length > 0 ? `Sources: ${listFormat.format(sources)}.` : "No sources named.";
  return `Sample text of the demo library, not reviewed by a clinician. ${named} Any people in it are invented.`;
}

const listFormat = new Intl.ListFormat("en-GB");

const frontMatterSchema = z.strictObject({
  id: z.int(),
  title: z.string(),
  date: z.string(),
  /** Operators see a preview, members nothing. */
  draft: z.boolean().default(false),
  sticky: z.boolean().default(false),
  /** Where its facts are from, such as "NHS (pregnancy)". */
  sources: z.array(z.string()).default([]),
  terms: z.array(z.string()),
  image: z.string().optional(),
  scene: z.string().optional(),
  video_network: z.string().optional(),
  youtube_url: z.string().optional(),
  vimeo_url: z.string().optional(),
  video_url: z.string().optional(),
  video_duration: z.int().optional(),
  orientation: z.string().optional(),
  also_called: z.string().optional(),
  breathe_in: z.number().optional(),
  breathe_out: z.number().optional(),
  /** An MP3 in `media/`. A loop says how many minutes it plays, another recording how many seconds it lasts. */
  audio: z.string().optional(),
  play_minutes: z.int().optional(),
  audio_duration: z.int().optional(),
});

/** A topic's guide: items in order, each with one line about it. */
const guideSchema = z.strictObject({
  topic: z.string(),
  nights: z.boolean().default(false),
  intro: z.string(),
  steps: z.array(z.strictObject({ id: z.int(), why: z.string() })),
});

/**
 * The steps of each item, as tags and custom fields of a CMS. No item is in two guides, or in the nights of two topics.
 */
type Steps = Map<number, { tag: { name: string; description: string }; fields: object }[]>;

const [guideTag, nightTag] = stepTags;

async function readGuides(folder: string): Promise<Steps> {
  const guides = await Promise.all(
    (await listNames(folder)).map(async (name) =>
      readFrontMatter(guideSchema, { path: join(folder, name), text: await readFile(join(folder, name), "utf8") }),
    ),
  );
  const steps = guides.flatMap(({ topic, intro, nights, steps: of }) =>
    of.map(({ id, why }, index) => {
      const names = nights ? nightTag : guideTag;
      const tag = { name: `${names.tag} ${topic}`, description: intro };
      return { id, tag, fields: { [names.order]: index + 1, [names.why]: why } };
    }),
  );
  return Map.groupBy(steps, ({ id }) => id);
}

type BundledFile = { type: SourceType; path: string; text: string };

async function listFolder(folder: string, type: BundledFile["type"]): Promise<BundledFile[]> {
  const names = await listNames(folder);
  return Promise.all(
    names.map(async (name) => ({ type, path: join(folder, name), text: await readFile(join(folder, name), "utf8") })),
  );
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".md"));
}

/** @throws with the file's name when its front matter does not match. */
function readFrontMatter<Fields>(
  schema: z.ZodType<Fields>,
  { path, text }: Pick<BundledFile, "path" | "text">,
): Fields {
  const [, frontMatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { success, data, error } = schema.safeParse(parseYaml(frontMatter));
  if (!success) throw new Error(`The front matter of ${path} cannot be read: ${z.prettifyError(error)}`);
  return data;
}

function toWordPressShape(file: BundledFile, { pictures, steps }: { pictures: PictureSizes; steps: Steps }) {
  const { id, title, date, draft, sticky, sources, terms, image, audio, ...fields } = readFrontMatter(
    frontMatterSchema,
    file,
  );
  const { type, text } = file;
  const [, body = "", transcript = ""] =
    /^---\n[\s\S]*?\n---\n([\s\S]*?)(?:\n<!-- transcript -->\n([\s\S]*))?$/.exec(text) ?? [];
  const own = steps.get(id) ?? [];
  const item = {
    id,
    type,
    date,
    date_gmt: date,
    sticky,
    title: { rendered: title },
    content: { rendered: toHtml(body, pictures) },
    acf: {
      ...fields,
      sample_note: sampleNote(sources),
      ...Object.assign({}, ...own.map((step) => step.fields)),
      ...findCompanions(fields.video_url),
      ...(audio && { audio_url: audio }),
      transcript: toHtml(transcript, pictures),
    },
    _embedded: {
      ...(image && {
        "wp:featuredmedia": [{ source_url: `media/${image}`, alt_text: "", media_details: pictures[image] }],
      }),
      "wp:term": [[], [...terms.map((name) => ({ name })), ...own.map((step) => step.tag)]],
    },
  };
  return { item, isDraft: draft };
}

/** Every bundled film has a WebM and captions beside it, and no sound. */
function findCompanions(film: string | undefined) {
  const [, name] = /^(media\/.+)\.mp4$/.exec(film ?? "") ?? [];
  return name && { webm_url: `${name}.webm`, captions_url: `${name}.vtt`, video_silent: true };
}

function toHtml(markdown: string, pictures: PictureSizes): string {
  const marked = new Marked(
    { gfm: true },
    markedFootnote({ headingClass: "", prefixId: "note-", footnoteDivider: true }),
    {
      renderer: {
        image({ href, text }) {
          const size = pictures[href.replace("media/", "")];
          return `<img src="${href}" alt="${escapeAttribute(text)}" ${size ? `width="${size.width}" height="${size.height}"` : ""}>`;
        },
      },
    },
  );
  return marked.parse(markdown, { async: false });
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

const storedWidth = /-(?:400|640|800)\.webp$/;

/** For a picture, the smallest stored file that is wide enough. */
async function findFile(folder: string, name: string, width?: number): Promise<Media | undefined> {
  if (!/^[a-z0-9-]{1,100}\.(?:webp|mp4|webm|vtt|mp3)$/.test(name)) return undefined;
  const stored = width === undefined ? undefined : [400, 640, 800].find((each) => each >= width);
  const smaller = stored && name.endsWith(".webp") && !storedWidth.test(name);
  const found = smaller && (await findFile(folder, name.replace(/\.webp$/, `-${stored}.webp`)));
  if (found) return found;
  const file = await findDiskFile(join(folder, name));
  return file && { contentType: findMediaType(name), ...file };
}
