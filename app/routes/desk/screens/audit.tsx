import { href } from "react-router";

import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/audit.ts";
import { toAuditLine } from "../audit-line.server.ts";
import { AuditTable } from "../audit-table.tsx";
import { DeskPage, DeskPages } from "../desk-page.tsx";
import { cutPage, READ_SIZE, readNumber } from "../paging.ts";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";

export const handle: ScreenHandle = { tab: "Audit log", order: 70, key: "a" };

const TITLE = "What operators did";

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { audit, dashboards } = requireServices(context);
  const found = await audit.list(READ_SIZE, readNumber(searchParams, "before"));
  const { shown, nextPath } = cutPage(found, ({ id }) => withSearch(href("/desk/audit"), { before: id }));
  return {
    entries: shown.map((entry) => toAuditLine(entry, dashboards.cards?.title)),
    nextPath,
    isFirst: !searchParams.has("before"),
  };
}

export default function Audit({ loaderData: { entries, nextPath, isFirst } }: Route.ComponentProps) {
  return (
    <DeskPage title={TITLE}>
      <AuditTable caption={TITLE} entries={entries} />
      <DeskPages firstPath={isFirst ? undefined : href("/desk/audit")} nextPath={nextPath} />
    </DeskPage>
  );
}
