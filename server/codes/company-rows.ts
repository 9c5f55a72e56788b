import type { Selectable } from "kysely";

import type { Context } from "../context.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { listCollections, type Collection } from "./collections.ts";
import { stateAt, type CompanyState } from "./company-states.ts";

/** A company that pays for its people, as operators see it. */
export type Company = {
  id: number;
  name: string;
  contactEmail: string;
  /** How many people it pays for. */
  accounts: number;
  /** For a year and all of them. */
  priceInPence: number;
  /** At this instant: grace that is over counts as stopped. */
  state: CompanyState;
  graceEndsAt: Date | undefined;
  /** Since when it has been live without having been stopped. */
  liveSince: Date | undefined;
  createdAt: Date;
  code: string;
  seatsTaken: number;
};

export type CompanyDetails = Company & {
  billingRequestId: string | undefined;
  mandateId: string | undefined;
  /** First year first. */
  collections: Collection[];
};

export type CompanyRow = Selectable<Schema["companies"]>;

export function findCompanyRow(db: Queries, companyId: number): Promise<CompanyRow | undefined> {
  return db.selectFrom("companies").selectAll().where("id", "=", companyId).executeTakeFirst();
}

/**
 * Names a company to the gateway, at the start of the idempotency keys of everything made for it there. Its id alone is not enough:
 * after a backup was restored, or in a new installation on the same gateway account, another company may get that id.
 */
export function keyOfCompany({ id, created_at }: Pick<CompanyRow, "id" | "created_at">): string {
  return `company:${id}:${created_at}`;
}

/** What is compared of a name: two names that look the same are one company. */
export function toNameKey(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** Ordered by name. */
export async function listCompanies({ db, clock }: Context): Promise<Company[]> {
  const now = clock();
  const rows = await db.selectFrom("companies").selectAll().orderBy("name_key").execute();
  const codes = await listCodesOfCompanies(db);
  return rows.map((row) => toCompany(row, { now, code: codes.get(row.id) }));
}

/** Finds a company by its name, or by its id if no company has that name. */
export async function findCompany({ db, clock }: Context, nameOrId: string): Promise<CompanyDetails | undefined> {
  const companies = db.selectFrom("companies").selectAll();
  const row =
    (await companies.where("name_key", "=", toNameKey(nameOrId)).executeTakeFirst()) ??
    (/^\d{1,9}$/.test(nameOrId) ? await findCompanyRow(db, Number(nameOrId)) : undefined);
  return row && toDetails(db, { row, now: clock() });
}

export async function toDetails(db: Queries, { row, now }: { row: CompanyRow; now: Date }): Promise<CompanyDetails> {
  const codes = await listCodesOfCompanies(db, row.id);
  return {
    ...toCompany(row, { now, code: codes.get(row.id) }),
    billingRequestId: row.billing_request_id ?? undefined,
    mandateId: row.mandate_id ?? undefined,
    collections: await listCollections(db, row.id),
  };
}

type CompanyCode = { code: string; seats_taken: number };

/** Each company's own code: the one it was created with. */
async function listCodesOfCompanies(db: Queries, companyId?: number): Promise<Map<number, CompanyCode>> {
  const codes = db.selectFrom("codes").select(["company_id", "code", "seats_taken"]).orderBy("id", "desc");
  const rows = await codes.where("company_id", companyId === undefined ? "is not" : "=", companyId ?? null).execute();
  return new Map(rows.flatMap((row) => (row.company_id === null ? [] : [[row.company_id, row]])));
}

function toCompany(row: CompanyRow, { now, code }: { now: Date; code: CompanyCode | undefined }): Company {
  const graceEndsAt = toDate(row.grace_ends_at);
  return {
    id: row.id,
    name: row.name,
    contactEmail: row.contact_email,
    accounts: row.accounts,
    priceInPence: row.price_in_pence,
    state: stateAt({ state: row.state, graceEndsAt }, now),
    graceEndsAt,
    liveSince: toDate(row.live_since),
    createdAt: new Date(row.created_at),
    code: code?.code ?? "",
    seatsTaken: code?.seats_taken ?? 0,
  };
}

function toDate(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
