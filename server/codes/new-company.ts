import { isEmail } from "../accounts/rules.ts";
import type { Queries } from "../database/database.ts";
import { toNameKey } from "./company-rows.ts";
import type { NewCodeRefusal } from "./new-code.ts";

export type NewCompany = {
  name: string;
  contactEmail: string;
  /** How many people it pays for: the seats of its code. */
  accounts: number;
  /** For a year and all of them. */
  priceInPence: number;
  /** Made up when none is given. */
  code?: string | undefined;
};

export type NewCompanyRefusal =
  | "name-invalid"
  | "name-taken"
  | "email-invalid"
  | "accounts-invalid"
  | "price-invalid"
  | NewCodeRefusal;

const MAX_NAME_LENGTH = 100;
const MAX_ACCOUNTS = 100_000;
/** A million pounds: what is more is a slip of the finger. */
const MAX_PRICE_IN_PENCE = 100_000_000;

/** What can be refused of a new company without asking anybody. */
export function refuseNewCompany(company: NewCompany): NewCompanyRefusal | undefined {
  const { name, contactEmail, accounts, priceInPence } = company;
  if (name.trim() === "" || name.length > MAX_NAME_LENGTH || /\p{C}/u.test(name)) return "name-invalid";
  if (!isEmail(contactEmail.trim())) return "email-invalid";
  if (!isWithin(accounts, MAX_ACCOUNTS)) return "accounts-invalid";
  return isWithin(priceInPence, MAX_PRICE_IN_PENCE) ? undefined : "price-invalid";
}

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most;
}

/** Answers the new company's number, or `undefined` when there is one of this name. */
export async function insertCompany(company: NewCompany, { trx, now }: { trx: Queries; now: Date }) {
  const added = await trx
    .insertInto("companies")
    .values({
      name: company.name.trim(),
      name_key: toNameKey(company.name),
      contact_email: company.contactEmail.trim(),
      accounts: company.accounts,
      price_in_pence: company.priceInPence,
      state: "setting-up",
      grace_ends_at: null,
      billing_request_id: null,
      mandate_id: null,
      live_since: null,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added?.id;
}
