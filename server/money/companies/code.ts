import { randomInt } from "node:crypto";
import type { Selectable } from "kysely";

import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { formatDate } from "../../platform/format.ts";
import { tidyDigits } from "../../platform/text.ts";
import { isAnySold } from "../membership/plans.ts";
import { codes as messages } from "../../refusals.ts";
import { type CompanyState, type CompanyStatus, stateAt } from "./company.ts";
import { type CodeFault, toCodeKey } from "./labels.ts";

/** No vowels, so that no word appears by chance, and no look-alikes: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
const ALPHABET = "34679CDFGHJKMNPQRTVWXY";
const GROUPS = 2;
/** A gift's code is as good as money, and no employer limits who tries it. */
export const GIFT_GROUPS = 3;
const GROUP_LENGTH = 4;
const NAME_LENGTH = 20;

/** An unguessable code that can be read out: `DORMOUSE-7KQX-M4VD`. One of 55 thousand million, behind a rate limit. */
export function makeCode(productName: string, count = GROUPS): string {
  const groups = Array.from({ length: count }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(""),
  );
  const name = productName
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, NAME_LENGTH);
  return [...(name ? [name] : []), ...groups].join("-");
}

/** A made-up code of `count` groups as it was given out, whatever a person typed between its groups. */
export function regroupCode(typed: string, count: number): string {
  const letters = tidyDigits(typed);
  const name = letters.slice(0, -count * GROUP_LENGTH);
  const rest = letters.slice(name.length);
  const groups = Array.from({ length: count }, (_, index) =>
    rest.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH),
  );
  return [name, ...groups].filter((group) => group !== "").join("-");
}

export type CodeFacts = {
  products: number[];
  seats: number;
  seatsTaken: number;
  startsAt: Date;
  endsAt: Date | undefined;
  revokedAt: Date | undefined;
  company: CompanyStatus | undefined;
  /** It is one person's, with a plan of its own. */
  isGift?: boolean;
};

export type CodeView = {
  code: string;
  products: number[];
  seats: number;
  seatsTaken: number;
  startsAt: Date;
  endsAt: Date | undefined;
  revokedAt: Date | undefined;
  createdAt: Date;
  company: { id: number; name: string } | undefined;
  fault: CodeFault | undefined;
};

export type CodeCheck =
  | { isValid: true; code: CodeView }
  | { isValid: false; reason: CodeFault | "unknown"; message: string };

/** `full` comes last: more seats would not mend the other faults. */
export function findFault(facts: CodeFacts, now: Date): CodeFault | undefined {
  if (facts.isGift) return "gift";
  if (!isAnySold(facts.products)) return "not-sold";
  if (facts.revokedAt) return "revoked";
  if (now < facts.startsAt) return "not-started";
  if (facts.endsAt && now >= facts.endsAt) return "ended";
  const company = facts.company && stateAt(facts.company, now);
  if (company === "setting-up" || company === "stopped") return company;
  return facts.seatsTaken < facts.seats ? undefined : "full";
}

/** The sentence for a visitor, with what to do about it. */
export function toMessage(fault: CodeFault, { startsAt, endsAt }: Pick<CodeFacts, "startsAt" | "endsAt">): string {
  if (fault === "not-started") return messages["not-started"](formatDate(startsAt));
  if (fault === "ended") return endsAt ? messages.ended(formatDate(endsAt)) : messages.revoked;
  return messages[fault];
}

/** A full code is still valid for the holder of one of its seats. */
export function toCheck(row: CodeRow | undefined, { now, isHolder }: { now: Date; isHolder: boolean }): CodeCheck {
  if (!row) return { isValid: false, reason: "unknown", message: messages.unknown };
  const facts = toFacts(row);
  const reason = findFault(facts, now);
  if (!reason || (reason === "full" && isHolder)) return { isValid: true, code: toCodeView(row, now) };
  return { isValid: false, reason, message: toMessage(reason, facts) };
}

/** A code with the company columns that its state depends on. */
export type CodeRow = Selectable<Schema["codes"]> & {
  companyName: string | null;
  companyState: CompanyState | null;
  graceEndsAt: Date | null;
};

/** A gift's code lets nobody join as a colleague, and no operator changes it. */
export async function findJoiningCode(db: Queries, code: string): Promise<CodeRow | undefined> {
  const row = await findCodeRow(db, code);
  return row?.planType === null ? row : undefined;
}

export function codeRows(db: Queries) {
  return db
    .selectFrom("codes")
    .leftJoin("companies", "companies.id", "codes.companyId")
    .selectAll("codes")
    .select(["companies.name as companyName", "companies.state as companyState", "companies.graceEndsAt"]);
}

export async function findCodeRow(db: Queries, code: string): Promise<CodeRow | undefined> {
  const key = toCodeKey(code);
  return key === undefined ? undefined : codeRows(db).where("codes.codeKey", "=", key).executeTakeFirst();
}

export function toCodeView(row: CodeRow, now: Date): CodeView {
  const { company: _, isGift: __, ...facts } = toFacts(row);
  return {
    ...facts,
    code: row.code,
    createdAt: row.createdAt,
    company: row.companyId === null ? undefined : { id: row.companyId, name: row.companyName ?? "" },
    fault: findFault(toFacts(row), now),
  };
}

function toFacts(row: CodeRow): CodeFacts {
  return {
    products: row.products.split(",").map(Number),
    seats: row.seats,
    seatsTaken: row.seatsTaken,
    startsAt: row.startsAt,
    endsAt: row.endsAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
    isGift: row.planType !== null,
    company: row.companyState ? { state: row.companyState, graceEndsAt: row.graceEndsAt ?? undefined } : undefined,
  };
}
