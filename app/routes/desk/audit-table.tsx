import { href, Link } from "react-router";

import { actionText } from "../../../server/acts/acts.ts";
import type { AuditEntry } from "../../../server/audit/audit.ts";
import { factsText } from "../../../server/audit/rules.ts";
import { formatDateTime } from "../../../server/format.ts";
import { DataTable } from "./data-table.tsx";

/** An entry as the list of all and a member's screen show it. */
export function toAuditLine({ id, at, operator, reason, memberId, action, facts }: AuditEntry) {
  return {
    id,
    at: formatDateTime(at),
    operator,
    action: actionText(action),
    about: factsText(facts),
    reason,
    member:
      memberId === undefined ? undefined : { id: memberId, path: href("/desk/members/:id", { id: String(memberId) }) },
  };
}

type AuditLine = ReturnType<typeof toAuditLine>;

/** The acts of operators, on all members or on one. */
export function AuditTable({ caption, entries }: { caption: string; entries: AuditLine[] }) {
  return (
    <DataTable
      caption={caption}
      columns={["When", "Operator", "Act", { label: "Member", isNumber: true }, "About", "Reason"]}
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
      whenEmpty="No operator has done anything yet."
    />
  );
}
