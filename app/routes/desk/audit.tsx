import { Link } from "react-router";

import { formatDateTime } from "../../../server/format.ts";
import type { AuditEntry } from "../../../server/audit/audit.ts";
import { actionText } from "../../../server/acts/acts.ts";
import { factsText } from "../../../server/audit/rules.ts";
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
export function toLine({ id, at, operator, reason, memberId, action, facts }: AuditEntry) {
  return {
    id,
    at: formatDateTime(at),
    operator,
    action: actionText(action),
    about: factsText(facts),
    reason,
    member: memberId === undefined ? undefined : { id: memberId, path: deskPath("member", { id: memberId }) },
  };
}

export type AuditLine = ReturnType<typeof toLine>;

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
