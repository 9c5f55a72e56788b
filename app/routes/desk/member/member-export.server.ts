import { data, type MiddlewareFunction } from "react-router";

import { mayDo } from "../../../../server/operations/acts/acts.ts";
import { desk } from "../../../../server/refusals.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { findDeskCaller } from "../operator.ts";
import { requireNumbered } from "../parts/paging.ts";
import { toPerson } from "../../../../server/members/accounts/person.ts";

/**
 * The export for an owner with a pass, valid once. Its address is the member's screen: members' pages learn no other.
 */
export const memberExportMiddleware: MiddlewareFunction<Response> = async ({ context, params, request, url }) => {
  const token = url.searchParams.get("export");
  const caller = findDeskCaller(context);
  if (token === null || !caller || request.method !== "GET") return undefined;
  if (!mayDo(caller.operator.role, "member export")) throw data(desk["role-too-low"], { status: 403 });
  const { accounts, personalData, clock } = requireServices(context);
  const record = await requireNumbered(params.id, (id) => accounts.findRecord(id));
  const held = await personalData.gatherOnce(token, { ...toPerson(record), operatorId: caller.operator.id });
  if (!held) throw data(desk["export-over"], { status: 403 });
  const day = clock().toISOString().slice(0, 10);
  return new Response(`${JSON.stringify(held, undefined, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="member-${record.id}-${day}.json"`,
      "Cache-Control": "no-store",
    },
  });
};
