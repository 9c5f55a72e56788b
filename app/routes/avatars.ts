import { visitorContext } from "../context.ts";
import { requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/avatars.ts";

/**
 * A member's own picture, under its own name, so that it never changes; with or without a subscription. Nobody learns
 * whether there is another's.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member } = context.get(visitorContext);
  const picture = member && (await requireServices(context).avatars.find(member.id, params.hash));
  if (!picture) return new Response("There is no such picture.", { status: 404 });
  return new Response(new Uint8Array(picture), { headers });
}

/** Whatever one makes of it: an address of a picture opens no page and runs nothing. */
const headers = {
  "Content-Type": "image/webp",
  "Content-Disposition": 'inline; filename="avatar.webp"',
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "Cache-Control": "private, max-age=31536000, immutable",
};
