import { filePaths } from "../../../server/provider-api/wire.ts";
import { api as words } from "../../../server/refusals.ts";
import { answerMedia } from "../media/answer-media.ts";
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
  if (request.method !== "GET") return { ...refuse(405, words.ours.method("GET")), headers: { Allow: "GET" } };
  const asker = await findAsker(visit);
  if (!asker) return refuse(401, LOG_IN);
  const name = path.slice(filePaths[kind].length);
  if (kind === "avatar") return answerPicture(await rooms.avatars.find(asker.member.id, name));

  const access = await rooms.membership.findAccess(asker.member.id);
  if (!access.isActive) return refuse(403, NO_SUBSCRIPTION);
  const media = await rooms.catalogue.findMedia(name);
  if (!media) return refuse(404, words.ours["no-file"]);
  if (typeof media === "string") return refuse(503, words.ours["file-unavailable"]);
  const asked = { request, memberId: asker.member.id, rooms, cacheControl: "no-store" };
  const answer = await answerMedia(media, asked);
  if (answer !== "busy") return answer;
  return { ...refuse(429, words.ours["too-many-files"]), headers: { "Retry-After": "10" } };
}

/** One's own only: nobody learns whether there is another's. */
function answerPicture(picture: Uint8Array | undefined): Response | ApiRefusal {
  if (!picture) return refuse(404, words.ours["no-file"]);
  return new Response(new Uint8Array(picture), {
    headers: { "Content-Type": "image/webp", "Cache-Control": "no-store" },
  });
}
