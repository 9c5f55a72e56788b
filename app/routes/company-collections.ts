import { requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/company-collections.ts";
import { contactMiddleware, requireContact } from "./company/contact.ts";

/** What was collected of a contact's own company, as a file for spreadsheets. No address names a company here: the session does. */
export const middleware = [contactMiddleware];

export async function loader({ context }: Route.LoaderArgs) {
  const { contact } = requireContact(context);
  const { companies, clock } = requireServices(context);
  const day = clock().toISOString().slice(0, 10);
  return new Response(await companies.exportCollections(contact.companyId), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="collections-${day}.csv"`,
      "X-Robots-Tag": "noindex, nofollow",
    },
  });
}
