import { formatDateTime } from "../../../server/format.ts";
import type { AuditEntry, Facts } from "../../../server/audit/audit.ts";
import type { Services } from "../../../server/services.ts";
import { type DeskView, deskPath, readNumber } from "./view.ts";

const LINES = 50;

/** What operators did, the latest first. */
export async function findAuditScreen({ audit }: Services, { params }: DeskView) {
  const entries = await audit.list(LINES + 1, readNumber(params, "before"));
  const shown = entries.slice(0, LINES);
  const last = shown.at(-1);
  return {
    name: "audit" as const,
    title: "What operators did",
    entries: shown.map(toLine),
    nextPath: entries.length > LINES && last ? deskPath("audit", { before: last.id }) : undefined,
    isFirst: !params.has("before"),
  };
}

export type AuditScreen = Awaited<ReturnType<typeof findAuditScreen>>;

/** An entry in words, for this list and for a member's page. */
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
