import { Link } from "react-router";

import type { AuditLine } from "./audit-line.server.ts";
import { DataTable } from "../../components/data-table.tsx";

type AuditTableProps = { caption: string; entries: AuditLine[]; whenEmpty: string };

export function AuditTable({ caption, entries, whenEmpty }: AuditTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={["When", "Who", "Act", { label: "Member", isNumber: true }, "About", "Reason"]}
      rows={entries.map(({ id, at, operator, action, member, about, reason }) => ({
        key: id,
        cells: [
          at,
          operator,
          action,
          member && (
            <Link key="member" to={member.path}>
              {member.id}
            </Link>
          ),
          about,
          reason,
        ],
      }))}
      whenEmpty={whenEmpty}
    />
  );
}
