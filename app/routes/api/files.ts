import { filePaths } from "../../../server/provider-api/wire.ts";
import type { Media } from "../../../server/content/content-source.ts";
import { parseRange } from "../media/byte-range.ts";
import { LOG_IN, NO_SUBSCRIPTION, refuse, type ApiRefusal } from "./answers.ts";
import type { Asker, Visit } from "./visit.ts";

type FindAsker = (visit: Visit) => Promise<Asker | undefined>;

/** A file of the API, by its path below `/api/`; `undefined` when it is no file's. */
export async function answerFile(
  visit: Visit,
  path: string,
  findAsker: FindAsker,
): Promise<Response | ApiRefusal | undefined> {
  const kind = path.startsWith(filePaths.media) ? "media" : path.startsWith(filePaths.avatar) ? "avatar" : undefined;
  if (!kind) return undefined;
  const { request, rooms } = visit;
  if (request.method !== "GET") return { ...refuse(405, "This call is a GET."), headers: { Allow: "GET" } };
  const asker = await findAsker(visit);
  if (!asker) return refuse(401, LOG_IN);
  const name = path.slice(filePaths[kind].length);
  if (kind === "avatar") return answerPicture(await rooms.avatars.find(asker.member.id, name));

  const access = await rooms.membership.findAccess(asker.member.id);
  if (!access.isActive) return refuse(403, NO_SUBSCRIPTION);
  const media = await rooms.catalogue.findMedia(name);
  if (!media) return refuse(404, "There is no such file.");
  if (typeof media === "string") return refuse(503, "This file cannot be had now.");
  return answerMedia(media, request.headers.get("Range"));
}

/** One's own only: nobody learns whether there is another's. */
function answerPicture(picture: Uint8Array | undefined): Response | ApiRefusal {
  if (!picture) return refuse(404, "There is no such file.");
  return new Response(new Uint8Array(picture), {
    headers: { "Content-Type": "image/webp", "Cache-Control": "no-store" },
  });
}

async function answerMedia(media: Media, wanted: string | null): Promise<Response> {
  const headers = new Headers({
    "Content-Type": media.contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
  });
  const range = parseRange(wanted, media.sizeInBytes);
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${media.sizeInBytes}`);
    return new Response(null, { status: 416, headers });
  }
  if (!range) return new Response(await media.read(0, media.sizeInBytes - 1), { headers });
  const end = Math.min(range.end, range.start + (media.partMaxBytes ?? Infinity) - 1);
  headers.set("Content-Range", `bytes ${range.start}-${end}/${media.sizeInBytes}`);
  return new Response(await media.read(range.start, end), { status: 206, headers });
}
