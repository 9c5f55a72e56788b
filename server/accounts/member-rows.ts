import type { AccountType } from "../database/schema.ts";
import type { Member } from "./accounts.ts";

export const memberColumns = ["id", "email", "first_name", "last_name", "account_type"] as const;

export type MemberRow = {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  account_type: AccountType;
};

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    accountType: row.account_type,
  };
}
