import { formatDateTime } from "../../../server/format.ts";
import type { AuditEntry, Facts } from "../../../server/audit/audit.ts";
import type { Services } from "../../../server/services.ts";
import { DataTable } from "../../components/data-table.tsx";
import { DeskPages } from "./desk-layout.tsx";
import { cutPage, type DeskView, deskPath, READ_SIZE, readNumber } from "./view.ts";

/** What operators did, the latest first. */
export async function findAuditScreen({ audit }: Services, { params }: DeskView) {
  const found = await audit.list(READ_SIZE, readNumber(params, "before"));
  const { shown, nextPath } = cutPage(found, ({ id }) => deskPath("audit", { before: id }));
  return {
    name: "audit" as const,
    title: "What operators did",
    entries: shown.map(toLine),
    nextPath,
    isFirst: !params.has("before"),
  };
}

export type AuditScreen = Awaited<ReturnType<typeof findAuditScreen>>;

/** An entry as this list and a member's page show it. */
export function toLine({ id, at, operator, action, reason, memberId, facts }: AuditEntry) {
  return { id, at: formatDateTime(at), operator, action, reason, memberId, facts: sayFacts(facts) };
}

export type AuditLine = ReturnType<typeof toLine>;

function sayFacts(facts: Facts): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}

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
