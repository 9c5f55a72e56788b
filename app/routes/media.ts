import { requireActiveMember, requireRooms } from "../middleware/guards.ts";
import type { Media } from "../../server/content/content-source.ts";
import { parseRange, type ByteRange } from "./media/byte-range.ts";
import { readWidth } from "./media/read-width.ts";
import type { Route } from "./+types/media.ts";

/** A picture or film that content refers to, for active members only; by parts where a player asks for them. */
export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { catalogue, log } = requireRooms(context);
  const media = await catalogue.findMedia(params.name, readWidth(url.searchParams.get("w")));
  if (!media) return new Response("There is no such file.", { status: 404, headers: briefly });
  if (media === "away") return answerAway();
  try {
    return await answer(media, request.headers.get("Range"));
  } catch (error) {
    log.warn({ error }, "a file of the content could not be read");
    return answerAway();
  }
}

const briefly = { "Cache-Control": "private, max-age=60" };

function answerAway(): Response {
  return new Response("This file cannot be had now.", { status: 503, headers: { ...briefly, "Retry-After": "60" } });
}

async function answer(media: Media, rangeHeader: string | null): Promise<Response> {
  const headers = new Headers({
    "Content-Type": media.contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=86400",
  });
  const { sizeInBytes, partMaxBytes = sizeInBytes } = media;
  const range = parseRange(rangeHeader, sizeInBytes);
  if (range === "unsatisfiable" || (!range && sizeInBytes > partMaxBytes)) {
    headers.set("Content-Range", `bytes */${sizeInBytes}`);
    return new Response(null, { status: 416, headers });
  }
  if (!range) return new Response(await media.read(0, sizeInBytes - 1), { headers });
  return answerPart(media, { ...range, end: Math.min(range.end, range.start + partMaxBytes - 1) }, headers);
}

async function answerPart(media: Media, { start, end }: ByteRange, headers: Headers): Promise<Response> {
  const bytes = await media.read(start, end);
  headers.set("Content-Range", `bytes ${start}-${end}/${media.sizeInBytes}`);
  return new Response(bytes, { status: 206, headers });
}
