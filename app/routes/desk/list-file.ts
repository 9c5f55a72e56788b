import { Readable } from "node:stream";
import { data } from "react-router";

import { mayDo } from "../../../server/acts/acts.ts";
import { isListName } from "../../../server/lists/rules.ts";
import { companies as companiesTable, desk, lists as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { requireServices } from "../../middleware/guards.ts";
import type { Route } from "./+types/list-file.ts";
import { writeMembersReport } from "./member-files.tsx";
import { requireOperator } from "./operator.ts";
import { readNumber } from "./lists.ts";

/** A list as a file for spreadsheets: the collections from all companies or from one, or a list by state after its act. */
export async function loader({ context, params: { list }, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  if (list === "collections") return toFile(list, await exportCollections(services, searchParams), services);
  if (list.startsWith("members-file-")) {
    const report = Readable.from(writeMembersReport(services, operator, list), { objectMode: false });
    return toFile(list, Readable.toWeb(report) as ReadableStream<Uint8Array>, services);
  }
  if (!isListName(list)) throw data(null, { status: 404 });
  if (!mayDo(operator.role, "list csv")) throw data(desk["role-too-low"], { status: 403 });
  const { lists, log } = services;
  if (lists.readPass(searchParams.get("pass") ?? "", operator.email) !== list) {
    throw data(table["pass-over"], { status: 403 });
  }
  // Buffers of its own: an embedded database answers at once, so a file is made no faster than it is read.
  const body = Readable.from(lists.writeFile(list), { objectMode: false });
  body.once("error", (error) => log.error({ list, error }, "a list could not be written to its end"));
  return toFile(list, Readable.toWeb(body) as ReadableStream<Uint8Array>, services);
}

async function exportCollections({ companies }: Services, searchParams: URLSearchParams): Promise<string> {
  const companyId = readNumber(searchParams, "company");
  const isNamed = searchParams.has("company");
  if (isNamed && (companyId === undefined || (await companies.findName(companyId)) === undefined)) {
    throw data(companiesTable["company-unknown"], { status: 404 });
  }
  return companies.exportCollections(companyId);
}

/** A file whose length is not known is sent as it is made. */
function toFile(name: string, body: string | ReadableStream<Uint8Array>, { clock }: Services): Response {
  const day = clock().toISOString().slice(0, 10);
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${day}.csv"`,
      ...(typeof body !== "string" && { "Transfer-Encoding": "chunked", "Cache-Control": "no-store" }),
    },
  });
}
