import { data } from "react-router";

import { companies as table } from "../../../server/refusals.ts";
import { requireServices } from "../../middleware/guards.ts";
import type { Route } from "./+types/collections.ts";
import { requireOperator } from "./operator.ts";
import { readNumber } from "./lists.ts";

/** The collections from all companies, or from one, as a file for spreadsheets. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireOperator(context);
  const { companies, clock } = requireServices(context);
  const companyId = readNumber(url.searchParams, "company");
  const isNamed = url.searchParams.has("company");
  if (isNamed && (companyId === undefined || (await companies.findName(companyId)) === undefined)) {
    throw data(table["company-unknown"], { status: 404 });
  }
  const day = clock().toISOString().slice(0, 10);
  return new Response(await companies.exportCollections(companyId), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="collections-${day}.csv"`,
    },
  });
}
