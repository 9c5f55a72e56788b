import { requireMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/account-data.ts";

/** The schema is in docs/personal-data.md. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const member = requireMember(context, url);
  const { personalData, clock } = requireServices(context);
  const held = await personalData.gather({ memberId: member.id, email: member.email });
  const day = clock().toISOString().slice(0, 10);
  return new Response(`${JSON.stringify(held, undefined, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="dormouse-my-data-${day}.json"`,
      "Cache-Control": "no-store",
    },
  });
}
