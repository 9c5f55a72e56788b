import type { CatalogueStatus } from "../../../../server/content/catalogue/catalogue.ts";
import { kinds, sectionNames, sections } from "../../../../server/content/items/kinds.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { DataTable } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/catalogue.ts";
import { Acts } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { DeskPage, Facts } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Catalogue", order: 54 };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

/** More than an operator reads through; the command lists all. */
const MOST_LISTED = 200;

export function loader({ context }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { catalogue } = requireServices(context);
  const { source, counts, readAt, isStale, fault, skipped, losses } = catalogue.status();
  return {
    acts: describeActs(operator.role, ["catalogue refresh", "catalogue accept-empty"]),
    source,
    counts: sectionNames.map((section) => ({ label: `${sections[section].one}s`, count: counts[section] })),
    readAt: readAt && formatDateTime(readAt),
    isStale,
    fault,
    skipped: skipped.slice(0, MOST_LISTED),
    losses: losses.slice(0, MOST_LISTED).map(toLostItem),
    skippedCount: skipped.length,
    lossesCount: losses.length,
  };
}

function toLostItem({ kind, id, title, losses }: CatalogueStatus["losses"][number]) {
  const parts = losses.map(({ what, why, count }) => `${count > 1 ? `${count} × ` : ""}${what}: ${why}`);
  return { key: `${kind}-${id}`, item: `${kinds[kind].one} ${id}`, title, parts };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function Catalogue({ loaderData }: Route.ComponentProps) {
  const { acts, source, counts, readAt, isStale, fault, skipped, skippedCount, losses, lossesCount } = loaderData;
  return (
    <DeskPage title="Catalogue">
      <Facts
        facts={[
          ["From", source],
          ...counts.map(({ label, count }): [string, number] => [label, count]),
          ["Read", readAt ? `${readAt}${isStale ? ", a long time ago" : ""}` : "never"],
          ["Last fault", fault],
        ]}
      />
      <Acts forms={[{ act: acts["catalogue refresh"] }, { act: acts["catalogue accept-empty"] }]} />
      <section className={styles.section}>
        <h2>Left out</h2>
        <DataTable
          caption="Items that were left out"
          columns={["Item", "Why"]}
          rows={skipped.map(({ id, reason }, index) => ({ key: `${index} ${id}`, cells: [id, reason] }))}
          whenEmpty="Nothing was left out."
        />
        <More shown={skipped.length} of={skippedCount} />
      </section>
      <section className={styles.section}>
        <h2>Shown in part</h2>
        <DataTable
          caption="Items that lost something"
          columns={["Item", "Title", "What it lost"]}
          rows={losses.map(({ key, item, title, parts }) => ({ key, cells: [item, title, parts.join("; ")] }))}
          whenEmpty="Every item is complete."
        />
        <More shown={losses.length} of={lossesCount} />
      </section>
    </DeskPage>
  );
}

function More({ shown, of }: { shown: number; of: number }) {
  if (of <= shown) return null;
  return <p className={styles.note}>{`${of - shown} more: the command “catalogue status” lists them all.`}</p>;
}
