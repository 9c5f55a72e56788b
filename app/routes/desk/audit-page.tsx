import { DataTable } from "../../components/data-table.tsx";
import type { AuditLine, AuditScreen } from "./audit.ts";
import { DeskPages } from "./desk-layout.tsx";
import { deskPath } from "./view.ts";

export function AuditPage({ entries, nextPath, isFirst, title }: AuditScreen) {
  return (
    <>
      <AuditTable caption={title} entries={entries} />
      <DeskPages firstPath={isFirst ? undefined : deskPath("audit")} nextPath={nextPath} />
    </>
  );
}

/** What operators did, to all or to one member. */
export function AuditTable({ caption, entries }: { caption: string; entries: AuditLine[] }) {
  return (
    <DataTable
      caption={caption}
      columns={["When", "Operator", "Act", "Reason", "About"]}
      rows={entries.map(({ id, at, operator, action, reason, memberId, facts }) => ({
        key: id,
        cells: [at, operator, action, reason, [memberId && `member ${memberId}`, facts].filter(Boolean).join("; ")],
      }))}
      whenEmpty="No operator has done anything yet."
    />
  );
}
