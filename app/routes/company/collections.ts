import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/collections.ts";
import { requireContact } from "./contact.ts";

/** CSV of the contact's own company: the session names it, no address does. */
export async function loader({ context }: Route.LoaderArgs) {
  const { contact } = requireContact(context);
  const { companies, clock } = requireServices(context);
  const day = clock().toISOString().slice(0, 10);
  return new Response(await companies.exportCollections(contact.companyId), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="collections-${day}.csv"`,
    },
  });
}
