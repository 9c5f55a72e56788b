import { requireActiveMember, requireRooms } from "../middleware/guards.ts";
import type { Media } from "../../server/content/content-source.ts";
import { parseRange, type ByteRange } from "./media/byte-range.ts";
import type { Route } from "./+types/media.ts";

/** A picture or film that content refers to, for active members only; by parts where a player asks for them. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const media = await requireRooms(context).catalogue.findMedia(params.name);
  if (!media) return new Response("There is no such file.", { status: 404 });

  const headers = new Headers({
    "Content-Type": media.contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=86400",
  });
  const range = parseRange(request.headers.get("Range"), media.sizeInBytes);
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${media.sizeInBytes}`);
    return new Response(null, { status: 416, headers });
  }
  return range
    ? answerPart(media, range, headers)
    : new Response(await media.read(0, media.sizeInBytes - 1), { headers });
}

async function answerPart(media: Media, { start, end }: ByteRange, headers: Headers): Promise<Response> {
  headers.set("Content-Range", `bytes ${start}-${end}/${media.sizeInBytes}`);
  return new Response(await media.read(start, end), { status: 206, headers });
}
