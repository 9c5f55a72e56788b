import type { Queries } from "../../platform/database/database.ts";
import { findFault } from "./code.ts";
import { type Collection, listCollections } from "./collections.ts";
import { type CompanyState, findCompanyRow, stateAt } from "./company.ts";
import { type NextContract, toNextContract } from "./contract-change.ts";
import type { CodeFault } from "./labels.ts";

/**
 * A company's contract, as its contact may see it. It is read without the number of taken seats, so nothing in it
 * depends on a person (docs/decisions/0019-a-company-sees-fives.md).
 */
export type Contract = {
  companyId: number;
  name: string;
  accounts: number;
  priceInPence: number;
  /** From the next collection on, where that changes. */
  next: NextContract | undefined;
  state: CompanyState;
  graceEndsAt: Date | undefined;
  code: string;
  /** Why no person can join by the code now; never that it is full. */
  codeFault: CodeFault | undefined;
  collections: Collection[];
};

export async function findContract(
  db: Queries,
  { companyId, now }: { companyId: number; now: Date },
): Promise<Contract | undefined> {
  const company = await findCompanyRow(db, companyId);
  if (!company) return undefined;
  const code = await db
    .selectFrom("codes")
    .select(["code", "products", "startsAt", "endsAt", "revokedAt"])
    .where("companyId", "=", companyId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  const collections = await listCollections(db, companyId);
  const status = { state: company.state, graceEndsAt: company.graceEndsAt ?? undefined };
  return {
    companyId,
    name: company.name,
    accounts: company.accounts,
    priceInPence: company.priceInPence,
    next: toNextContract(company, collections, now),
    state: stateAt(status, now),
    graceEndsAt: status.graceEndsAt,
    code: code?.code ?? "",
    codeFault: code && findFault({ ...toOpenFacts(code), company: status }, now),
    collections,
  };
}

function toOpenFacts(row: { products: string; startsAt: Date; endsAt: Date | null; revokedAt: Date | null }) {
  return {
    products: row.products.split(",").map(Number),
    seats: 1,
    seatsTaken: 0,
    startsAt: row.startsAt,
    endsAt: row.endsAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  };
}
