import type { Selectable } from "kysely";

import type { AccountType, Schema } from "../database/schema.ts";
import type { PlanType } from "../membership/plans.ts";

/** What somebody has filled in so far. Nothing of it is an account yet, so it stands in nobody's way (design, section 4). */
export type DraftRow = {
  id: number;
  purpose: "join" | "renew";
  state: "open" | "completed" | "refunded";
  memberId: number | undefined;
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  /** As `Admission.keepPassword` made it. */
  keptPassword: string | undefined;
  code: string | undefined;
  planType: PlanType | undefined;
  isVerified: boolean;
  site: string;
};

export type DraftDetails = Pick<
  DraftRow,
  "accountType" | "email" | "firstName" | "lastName" | "keptPassword" | "code" | "isVerified" | "site"
>;

/** The columns that hold what a person typed. */
export function toColumns(details: DraftDetails) {
  return {
    account_type: details.accountType,
    email: details.email,
    first_name: details.firstName,
    last_name: details.lastName,
    password_hash: details.keptPassword ?? null,
    code: details.code ?? null,
    site: details.site,
  };
}

type StoredDraft = Selectable<Schema["drafts"]>;

export function toDraft(row: StoredDraft): DraftRow {
  return {
    id: row.id,
    purpose: row.purpose,
    state: row.state,
    memberId: row.member_id ?? undefined,
    accountType: row.account_type,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    keptPassword: row.password_hash ?? undefined,
    code: row.code ?? undefined,
    planType: (row.plan_type as PlanType | null) ?? undefined,
    isVerified: row.verified_at !== null,
    site: row.site,
  };
}
