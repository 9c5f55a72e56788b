import { callerContext } from "../../frame/context.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/avatars.ts";
import { isUnchanged } from "./media/answer-media.ts";

/**
 * A member's own picture, with or without a subscription. The hash in its address never changes. Another member's
 * picture is answered as missing.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { member } = context.get(callerContext);
  const picture = member && (await requireServices(context).avatars.find(member.id, params.hash));
  if (!picture) return new Response("There is no such picture.", { status: 404 });
  const named = new Headers({ ...headers, ETag: `"${params.hash}"` });
  if (isUnchanged(request, named)) return new Response(null, { status: 304, headers: named });
  return new Response(new Uint8Array(picture), { headers: named });
}

/** The file opens no page and runs nothing, whatever its bytes are. */
const headers = {
  "Content-Type": "image/webp",
  "Content-Disposition": 'inline; filename="avatar.webp"',
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "Cache-Control": "private, max-age=31536000, immutable",
};
