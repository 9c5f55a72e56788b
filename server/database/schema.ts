import type { Generated } from "kysely";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are ISO 8601 text in UTC (`2026-11-20T03:00:00.000Z`):
 * it sorts as it reads, on both engines and in any tool an operator opens.
 */
export type Schema = {
  members: MembersTable;
  subscriptions: SubscriptionsTable;
  sessions: SessionsTable;
  favourites: FavouritesTable;
  throttles: ThrottlesTable;
};

type FavouritesTable = {
  member_id: number;
  kind: "watch" | "read" | "learn";
  item_id: number;
  saved_at: string;
};

export type AccountType = "individual" | "corporate";

type MembersTable = {
  id: Generated<number>;
  /** As typed, for letters; `email_key` is what is compared. */
  email: string;
  email_key: string;
  /** A PHC string, `$argon2id$…`. */
  password_hash: string;
  first_name: string;
  last_name: string;
  account_type: AccountType;
  created_at: string;
};

type SubscriptionsTable = {
  id: Generated<number>;
  member_id: number;
  plan_type: number;
  starts_at: string;
  ends_at: string;
};

type SessionsTable = {
  /** HMAC of the opaque id in the cookie. */
  token_hash: string;
  member_id: number;
  created_at: string;
  seen_at: string;
  expires_at: string;
};

type ThrottlesTable = {
  /** HMAC of what is counted (an address, an account): no personal data at rest. */
  key: string;
  attempts: number;
  expires_at: string;
};
