import { itemKey, kinds } from "../../../../server/content/items/kinds.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/drafts.ts";
import { DeskPage } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { stateLabels } from "../content/preview.ts";
import { previewPath } from "../parts/paths.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Content", link: "Drafts", order: 62 };

export async function loader({ context }: Route.LoaderArgs) {
  requireOperator(context);
  const { catalogue } = requireServices(context);
  const found = await catalogue.editorial.listDrafts();
  return {
    problem: found.ok ? undefined : found.message,
    note: found.ok ? found.note : undefined,
    rows: (found.ok ? found.drafts : []).map(({ kind, id, title, state, changedAt }) => ({
      key: itemKey({ kind, id }),
      title,
      path: previewPath(itemKey({ kind, id })),
      kind: kinds[kind].one,
      state: stateLabels[state],
      changed: changedAt && formatDateTime(changedAt),
    })),
  };
}

export default function Drafts({ loaderData: { problem, note, rows } }: Route.ComponentProps) {
  return (
    <DeskPage title="Drafts">
      {problem === undefined ? (
        <>
          <p className={styles.note}>Members can't see these. {note}</p>
          <DataTable
            caption="Drafts"
            columns={["Draft", "Kind", "State", "Changed"]}
            rows={rows.map(({ key, title: name, path, kind, state, changed }) => ({
              key,
              cells: [linkTo(path, name), kind, state, changed],
            }))}
            whenEmpty="There are no drafts."
          />
        </>
      ) : (
        <p>{problem}</p>
      )}
    </DeskPage>
  );
}
