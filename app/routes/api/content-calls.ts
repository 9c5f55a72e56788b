import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Item } from "../../../server/content/items/item.ts";
import {
  toKind,
  type ItemKind,
  kinds,
  mapListCalls,
  mapTypes,
  sceneNames,
} from "../../../server/content/items/kinds.ts";
import { isAwakePiece, itemPath, stepTags, writeTags } from "../../../server/content/items/item-facts.ts";
import type { MediaItem, MediaType } from "../../../server/provider/wire-content.ts";
import { type CallAnswer, type CallInput, PER_PAGE_MAX } from "../../../server/provider/wire.ts";
import { favourites } from "../../../server/refusals.ts";
import { href } from "../../frame/paths.ts";
import { answer, type ApiAnswer, type Handler, refuse, toTotals, type Visit } from "./answers.ts";

/** In the shape of the WordPress REST API: sanitised, with absolute addresses. */
function toWireItem(item: Item, site: string): MediaItem {
  const { picture, video, sound } = item;
  const { bodyHtml, transcriptHtml = "" } = item.readTexts();
  const address = (path: string) => toFileAddress(path, site);
  return {
    id: item.id,
    type: kinds[item.kind].type,
    date: item.date + item.publishedAt.toISOString().slice(item.date.length, END_OF_SECONDS),
    link: site + itemPath(item),
    date_gmt: item.publishedAt.toISOString().slice(0, END_OF_SECONDS),
    sticky: item.isSticky,
    title: { rendered: escapeText(item.title) },
    content: { rendered: withAddresses(bodyHtml, site), protected: false },
    acf: {
      video_network: video?.kind === "vimeo" ? "vimeo" : "",
      vimeo_url: video?.kind === "vimeo" ? video.src : "",
      youtube_url: video?.kind === "youtube" ? video.src : "",
      video_url: video?.kind === "file" ? address(video.src) : video?.kind === "elsewhere" ? video.src : "",
      orientation: video?.orientation ?? "landscape",
      webm_url: video?.kind === "file" && video.webm ? address(video.webm) : "",
      captions_url: video?.kind === "file" && video.captions ? address(video.captions) : "",
      ...(video?.durationInSeconds !== undefined && { video_duration: video.durationInSeconds }),
      ...(video?.isSilent && { video_silent: true }),
      audio_url: sound ? address(sound.src) : "",
      m4a_url: sound?.m4a ? address(sound.m4a) : "",
      ...(sound?.durationInSeconds !== undefined && { audio_duration: sound.durationInSeconds }),
      ...(sound?.playMinutes !== undefined && { play_minutes: sound.playMinutes }),
      transcript: withAddresses(transcriptHtml, site),
      ...(item.reviewed !== undefined && { reviewed: item.reviewed }),
      ...(item.sampleNote !== undefined && { sample_note: item.sampleNote }),
      ...(item.alsoCalled.length > 0 && { also_called: escapeText(item.alsoCalled.join(", ")) }),
      ...("scene" in picture && picture.isChosen && { scene: sceneNames[picture.scene] }),
      ...(item.breathing && { breathe_in: item.breathing.in, breathe_out: item.breathing.out }),
      ...Object.fromEntries(
        stepTags.flatMap(({ list, order, why }) =>
          item[list].slice(0, 1).flatMap((step) => [
            [order, step.order],
            [why, escapeText(step.why)],
          ]),
        ),
      ),
    },
    _embedded: {
      author: [{ name: item.author }],
      "wp:featuredmedia":
        "src" in picture
          ? [
              {
                source_url: address(picture.src),
                alt_text: picture.alt,
                media_details: { width: picture.width, height: picture.height },
              },
            ]
          : [],
      "wp:term": [[], writeTags(item).map(escapeTerm)],
    },
  };
}

const END_OF_SECONDS = 19;

/** Items never change, so each is hashed once. */
function toDigest(item: Item): string {
  const known = digests.get(item);
  if (known !== undefined) return known;
  const made = createHash("sha1")
    .update(JSON.stringify([item, item.readTexts()]))
    .digest("base64url");
  digests.set(item, made);
  return made;
}

const digests = new WeakMap<Item, string>();

/** Browsers with a session get files below `media/`; servers with key and token get them below `api/`. */
function toFileAddress(path: string, site: string): string {
  const mediaRoot = href("/media/");
  return path.startsWith(mediaRoot)
    ? `${site}api/media/files/${path.slice(mediaRoot.length)}`
    : new URL(path, site).href;
}

/**
 * Of files and links to other items. Sanitised HTML has its attributes in double quotes. The API's files have one
 * width.
 */
function withAddresses(html: string, site: string): string {
  return html
    .replaceAll(/ srcset="[^"<]*" sizes="[^"<]*"/g, "")
    .replaceAll(`"${href("/media/")}`, `"${site}api/media/files/`)
    .replaceAll(`href="${href("/?view=")}`, `href="${site}?view=`);
}

function escapeTerm({ name, description }: { name: string; description?: string }) {
  return { name: escapeText(name), ...(description && { description: escapeText(description) }) };
}

/** Clients of this shape read titles and terms as HTML. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

type List = Visit & { input: CallInput<"getwatches"> };

export const listCalls = mapListCalls((kind) => (context: List) => answerList(context, kind));

/** Items handled before other requests run. */
const BATCH_SIZE = 100;

/** All items of a kind, or one page, with an `ETag` for cheap comparisons. */
async function answerList(
  { services, input, request, site }: List,
  kind: ItemKind,
): Promise<ApiAnswer<CallAnswer<"getwatches">>> {
  const all = listItems(services.catalogue, kind);
  const { page = 1, per_page: wanted } = input;
  const isPaged = wanted !== undefined || input.page !== undefined;
  const size = isPaged ? Math.min(wanted ?? PER_PAGE_MAX, PER_PAGE_MAX) : Math.max(1, all.length);
  const items = all.slice((page - 1) * size, page * size);
  const tag = `W/"${await digestAll(items, site)}"`;
  const headers = { ETag: tag, ...toTotals(all.length, size) };
  // Answered 304, so no item is built.
  if (request.headers.get("If-None-Match")?.includes(tag)) return answer([], headers);
  return answer(await mapInTurns(items, (item) => toWireItem(item, site)), headers);
}

/** Pieces of Awake now come last: they have no page of their own. */
function listItems(catalogue: Visit["services"]["catalogue"], kind: ItemKind): Item[] {
  return [
    ...catalogue.listItems(kind),
    ...catalogue.listAwake().filter((item) => item.kind === kind && isAwakePiece(item)),
  ];
}

async function digestAll(items: Item[], site: string): Promise<string> {
  const hash = createHash("sha1").update(site);
  for (const digest of await mapInTurns(items, toDigest)) hash.update(digest);
  return hash.digest("base64url");
}

async function mapInTurns<From, To>(items: From[], map: (item: From) => To): Promise<To[]> {
  const mapped: To[] = [];
  for (const [index, item] of items.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn();
    mapped.push(map(item));
  }
  return mapped;
}

export const getallfaves: Handler<"getallfaves"> = async ({ services, member, site }) => {
  const faves: CallAnswer<"getallfaves"> = {
    ...mapTypes(() => ({})),
    withdrawn: mapTypes(() => []),
  };
  for (const { kind, id, savedAt } of await services.favourites.listFor(member.id)) {
    const type: MediaType = kinds[kind].type;
    const item = services.catalogue.findItem(kind, id);
    if (item) faves[type][id] = { ...toWireItem(item, site), saved_at: savedAt.toISOString() };
    else faves.withdrawn[type].push(id);
  }
  return answer(faves);
};

/** Sets `wanted`, else toggles. A favourite of a missing item can only be removed. */
export const postfave: Handler<"postfave"> = async ({ services, member, input }) => {
  const { mediaId, mediaType, wanted } = input;
  const item = { kind: toKind(mediaType), id: mediaId };
  const [current] = await services.favourites.listFavourited(member.id, [item]);
  const isFavourite = wanted === undefined ? !current : wanted === "save";
  if (isFavourite && !services.catalogue.findItem(item.kind, item.id)) return refuse(404, favourites.gone);
  if (isFavourite) await services.favourites.save(member.id, item);
  else await services.favourites.remove(member.id, item);
  return answer({ mediaId, mediaType, isFavourite });
};
