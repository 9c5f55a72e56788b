import { Readable } from "node:stream";
import { data } from "react-router";

import { mayDo } from "../../../server/operations/acts/acts.ts";
import { findDeskFile } from "../../../server/operations/acts/desk-files.ts";
import { desk, lists as table } from "../../../server/refusals.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/list-file.ts";
import { requireOperator } from "./operator.ts";

/** CSV, after the act that gave the pass. */
export async function loader({ context, params: { list }, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const { lists, clock, log } = services;
  const file = await findDeskFile(services, list);
  if (!file) throw data(null, { status: 404 });
  if (!mayDo(operator.role, "list csv")) throw data(desk["role-too-low"], { status: 403 });
  if (lists.readPass(searchParams.get("pass") ?? "", operator.email) !== list) {
    throw data(table["pass-over"], { status: 403 });
  }
  // Small buffers: an embedded database answers at once, so the file is made no faster than it is read.
  const body = Readable.from(file.write(), { objectMode: false });
  body.once("error", (error) => log.error({ list, error }, "a list could not be written to its end"));
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${list}-${clock().toISOString().slice(0, 10)}.csv"`,
      // A file of unknown length is sent as it is made.
      "Transfer-Encoding": "chunked",
      "Cache-Control": "no-store",
    },
  });
}
