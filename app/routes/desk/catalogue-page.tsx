import { DataTable } from "../../components/data-table.tsx";
import { ActForm } from "./act-form.tsx";
import { Facts } from "./desk-layout.tsx";
import { HealthLinks } from "./health-page.tsx";
import type { CatalogueScreen } from "./health.ts";
import desk from "./desk.module.css";

export function CataloguePage(screen: CatalogueScreen) {
  const { source, counts, readAt, isStale, fault, skipped, skippedCount, losses, lossesCount } = screen;
  return (
    <>
      <HealthLinks current="catalogue" />
      <Facts
        facts={[
          ["From", source],
          ...counts.map(({ label, count }): [string, number] => [label, count]),
          ["Read", readAt ? `${readAt}${isStale ? ", which is long ago" : ""}` : "never yet"],
          ["Last fault", fault],
        ]}
      />
      <ActForm
        act="catalogue-refresh"
        title="Refresh now"
        button="Refresh now"
        pending="Reading the content..."
        note="This server reads the content source at once. Every server does so each minute by itself."
      />
      <section className={desk.section}>
        <h2>Left out</h2>
        <DataTable
          caption="Items that were left out"
          columns={["Item", "Why"]}
          rows={skipped.map(({ id, reason }, index) => ({ key: `${index} ${id}`, cells: [id, reason] }))}
          whenEmpty="Nothing was left out."
        />
        <More shown={skipped.length} of={skippedCount} />
      </section>
      <section className={desk.section}>
        <h2>Shown in part</h2>
        <DataTable
          caption="Items that lost something"
          columns={["Item", "Title", "What could not be brought in"]}
          rows={losses.map(({ key, item, title, parts }) => ({ key, cells: [item, title, parts.join("; ")] }))}
          whenEmpty="Every item is shown whole."
        />
        <More shown={losses.length} of={lossesCount} />
      </section>
    </>
  );
}

function More({ shown, of }: { shown: number; of: number }) {
  if (of <= shown) return null;
  return <p className={desk.note}>{`There are ${of - shown} more: the command “catalogue status” lists them all.`}</p>;
}
