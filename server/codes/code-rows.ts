import type { Selectable } from "kysely";

import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { findFault, toSentence, type CodeFacts, type CodeFault } from "./code-checks.ts";
import { toCodeKey } from "./code-text.ts";
import type { CodeCheck } from "./codes.ts";
import type { CompanyState } from "./company-states.ts";
import { codes as words } from "../refusals.ts";

/** A code as members' staff see it, and as section 7 of the spec answers of it. */
export type CodeView = {
  /** As it was given out. */
  code: string;
  /** Product ids that it unlocks. */
  products: number[];
  seats: number;
  seatsTaken: number;
  startsAt: Date;
  endsAt: Date | undefined;
  revokedAt: Date | undefined;
  createdAt: Date;
  company: { id: number; name: string } | undefined;
  /** Why nobody can join by it now. */
  fault: CodeFault | undefined;
};

/** Codes with what decides about them: their own facts and how their company stands. */
export function codeRows(db: Queries) {
  return db
    .selectFrom("codes")
    .leftJoin("companies", "companies.id", "codes.company_id")
    .selectAll("codes")
    .select(["companies.name as company_name", "companies.state as company_state", "companies.grace_ends_at"]);
}

export type CodeRow = Selectable<Schema["codes"]> & {
  company_name: string | null;
  company_state: CompanyState | null;
  grace_ends_at: string | null;
};

export async function findCodeRow(code: string, db: Queries): Promise<CodeRow | undefined> {
  const key = toCodeKey(code);
  return key === undefined ? undefined : codeRows(db).where("codes.code_key", "=", key).executeTakeFirst();
}

/** What a code is worth at an instant, to a member who holds a seat of it or to anybody else. */
export function judge(row: CodeRow | undefined, { now, isHolder }: { now: Date; isHolder: boolean }): CodeCheck {
  if (!row) return { isValid: false, reason: "unknown", message: words.ours.unknown };
  const facts = toFacts(row);
  const reason = findFault(facts, now);
  if (!reason || (reason === "full" && isHolder)) return { isValid: true, code: toCodeView(row, now) };
  return { isValid: false, reason, message: toSentence(reason, facts) };
}

export function toCodeView(row: CodeRow, now: Date): CodeView {
  const { company: _, ...facts } = toFacts(row);
  return {
    ...facts,
    code: row.code,
    createdAt: new Date(row.created_at),
    company: row.company_id === null ? undefined : { id: row.company_id, name: row.company_name ?? "" },
    fault: findFault(toFacts(row), now),
  };
}

function toFacts(row: CodeRow): CodeFacts {
  return {
    products: row.products.split(",").map(Number),
    seats: row.seats,
    seatsTaken: row.seats_taken,
    startsAt: new Date(row.starts_at),
    endsAt: toDate(row.ends_at),
    revokedAt: toDate(row.revoked_at),
    company: row.company_state ? { state: row.company_state, graceEndsAt: toDate(row.grace_ends_at) } : undefined,
  };
}

function toDate(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
