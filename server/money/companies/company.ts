import { type Selectable, sql } from "kysely";

import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { type Collection, listCollections } from "./collections.ts";
import { type NextContract, toNextContract } from "./contract-change.ts";
import { toTextKey } from "../../platform/text.ts";

/**
 * A company's code lets people join while it is live, and in grace until that is over. Members who have joined keep
 * their fixed terms in every state.
 */
export type CompanyState = "setting-up" | "live" | "grace" | "stopped";

/**
 * `agreed`: debits may be collected. `trouble`: the mandate is gone or suspended, or a debit was not paid.
 * `grace-over`: fourteen days of trouble. `recovered`: the mandate works, and nothing is unpaid.
 */
export type CompanyEvent = "agreed" | "trouble" | "grace-over" | "recovered";

/**
 * Access starts at `agreed`, three working days before the money: a company that does not pay loses it through grace.
 */
const companyStates: Record<CompanyState, Partial<Record<CompanyEvent, CompanyState>>> = {
  "setting-up": { agreed: "live" },
  live: { trouble: "grace" },
  grace: { recovered: "live", "grace-over": "stopped" },
  stopped: { recovered: "live" },
};

/** `undefined` when the event changes nothing. */
export function nextCompanyState(state: CompanyState, event: CompanyEvent): CompanyState | undefined {
  return companyStates[state][event];
}

export type CompanyStatus = { state: CompanyState; graceEndsAt: Date | undefined };

/** Grace is over at its date, even if no job has run since. */
export function stateAt({ state, graceEndsAt }: CompanyStatus, now: Date): CompanyState {
  return state === "grace" && !(graceEndsAt && now < graceEndsAt) ? "stopped" : state;
}

export type CompanyFacts = CompanyStatus & {
  isCollectable: boolean;
  /** A debit has failed for good, was cancelled or was charged back. */
  isUnpaid: boolean;
  /** Every debit so far was collected. */
  isPaid: boolean;
};

export function findCompanyEvent(facts: CompanyFacts, now: Date): CompanyEvent | undefined {
  const { state, isCollectable, isUnpaid, isPaid } = facts;
  if (stateAt(facts, now) !== state) return "grace-over";
  if (state === "setting-up") return isCollectable ? "agreed" : undefined;
  if (state === "live") return isCollectable && !isUnpaid ? undefined : "trouble";
  return isCollectable && isPaid ? "recovered" : undefined;
}

/** A company that pays for its people, as operators see it. */
export type Company = {
  id: number;
  name: string;
  contactEmail: string;
  accounts: number;
  priceInPence: number;
  /** Grace that is over counts as stopped. */
  state: CompanyState;
  graceEndsAt: Date | undefined;
  /** When it last became live after being stopped, or first. */
  liveSince: Date | undefined;
  createdAt: Date;
  code: string;
  seatsTaken: number;
};

export type CompanyDetails = Company & {
  /** The terms of the next collection, where they differ. */
  next: NextContract | undefined;
  billingRequestId: string | undefined;
  mandateId: string | undefined;
  collections: Collection[];
};

export type CompanyRow = Selectable<Schema["companies"]>;

export function findCompanyRow(db: Queries, companyId: number): Promise<CompanyRow | undefined> {
  return db.selectFrom("companies").selectAll().where("id", "=", companyId).executeTakeFirst();
}

/**
 * Begins the idempotency keys of everything made at the gateway for a company. The id alone is not enough: after a
 * restored backup, or in another installation on the same gateway account, another company may have it.
 */
export function keyOfCompany({ id, createdAt }: Pick<CompanyRow, "id" | "createdAt">): string {
  return `company:${id}:${createdAt.toISOString()}`;
}

export function toNameKey(name: string): string {
  return toTextKey(name);
}

export async function listCompanies({ db, clock }: Context, which?: "stalled"): Promise<Company[]> {
  const now = clock();
  const rows = await (which === "stalled" ? selectStalled(db, {}) : companyRows(db).orderBy("nameKey").execute());
  return rows.map((row) => toCompany(row, now));
}

const selectStalled = prepareQuery((db) =>
  companyRows(db).where("companies.state", "!=", "live").where("codes.revokedAt", "is", null).orderBy("nameKey"),
);

/** With the code that each was created with. */
function companyRows(db: Queries) {
  return db
    .selectFrom("companies")
    .leftJoin("codes", (join) =>
      join.on("codes.id", "=", sql<number>`(select min(own.id) from codes as own where own.company_id = companies.id)`),
    )
    .selectAll("companies")
    .select(["codes.code", "codes.seatsTaken"]);
}

export type CompaniesPage = { limit: number; after?: number | undefined };

export async function listCompaniesPage({ db, clock }: Context, { limit, after }: CompaniesPage): Promise<Company[]> {
  const last = after === undefined ? undefined : await findCompanyRow(db, after);
  const byName = companyRows(db).orderBy("nameKey").limit(limit);
  const rows = await (last ? byName.where("nameKey", ">", last.nameKey) : byName).execute();
  return rows.map((row) => toCompany(row, clock()));
}

/** Companies that existed before an instant, in ascending order above `above`. */
export async function listCompanyIds(
  db: Queries,
  { before, above, limit }: { before: Date; above: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom("companies")
    .select("id")
    .where("id", ">", above)
    .where("createdAt", "<", before)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findCompany({ db, clock }: Context, nameOrId: string): Promise<CompanyDetails | undefined> {
  const companies = db.selectFrom("companies").selectAll();
  const row =
    (await companies.where("nameKey", "=", toNameKey(nameOrId)).executeTakeFirst()) ??
    (/^\d{1,9}$/.test(nameOrId) ? await findCompanyRow(db, Number(nameOrId)) : undefined);
  return row && toDetails(db, { row, now: clock() });
}

export async function toDetails(db: Queries, { row, now }: { row: CompanyRow; now: Date }): Promise<CompanyDetails> {
  const codes = db.selectFrom("codes").select(["code", "seatsTaken"]).where("companyId", "=", row.id);
  const code = await codes.orderBy("id").executeTakeFirst();
  const collections = await listCollections(db, row.id);
  return {
    ...toCompany({ ...row, ...code }, now),
    next: toNextContract(row, collections, now),
    billingRequestId: row.billingRequestId ?? undefined,
    mandateId: row.mandateId ?? undefined,
    collections,
  };
}

type WithCode = { code?: string | null; seatsTaken?: number | null };

function toCompany(row: CompanyRow & WithCode, now: Date): Company {
  const graceEndsAt = row.graceEndsAt ?? undefined;
  return {
    id: row.id,
    name: row.name,
    contactEmail: row.contactEmail,
    accounts: row.accounts,
    priceInPence: row.priceInPence,
    state: stateAt({ state: row.state, graceEndsAt }, now),
    graceEndsAt,
    liveSince: row.liveSince ?? undefined,
    createdAt: row.createdAt,
    code: row.code ?? "",
    seatsTaken: row.seatsTaken ?? 0,
  };
}
