import type { Generated } from "kysely";

import type { AccountType } from "./schema.ts";

/** The tables of sign-up and payments; see `schema.ts`. */

export type DraftsTable = {
  id: Generated<number>;
  /** HMAC of the token in the visitor's cookie. */
  token_hash: string;
  purpose: "join" | "renew";
  state: "open" | "completed" | "refunded";
  /** Who renews, or who became of it. */
  member_id: number | null;
  account_type: AccountType;
  email: string;
  first_name: string;
  last_name: string;
  /** The password's hash, or the password itself, sealed, where a provider has the accounts. Gone with the draft's end; a renewal has none. */
  password_hash: string | null;
  code: string | null;
  plan_type: number | null;
  verified_at: string | null;
  /** Where the visitor met the site, for links in letters. */
  site: string;
  session_claimed_at: string | null;
  created_at: string;
  expires_at: string;
};

export type OrdersTable = {
  id: Generated<number>;
  draft_id: number | null;
  member_id: number | null;
  account_type: AccountType;
  plan_type: number;
  amount_in_pence: number;
  currency: string;
  /** See `payments/order.ts`. */
  state: string;
  email: string;
  first_name: string;
  last_name: string;
  postcode: string;
  country: string;
  code: string | null;
  /** Where the payer met the site, for links in letters. */
  site: string;
  customer_id: string | null;
  receipt_number: string | null;
  starts_at: string | null;
  ends_at: string | null;
  created_at: string;
  updated_at: string;
  paid_at: string | null;
  completed_at: string | null;
};

export type PaymentsTable = {
  id: Generated<number>;
  order_id: number;
  /** 1 for the first, 2 for the one after a decline. */
  attempt: number;
  page: "fields" | "hosted";
  method_id: string | null;
  gateway_id: string | null;
  /** See `payments/states.ts`. */
  state: string;
  amount_in_pence: number;
  /** Where the payer goes on: authentication or the hosted page. */
  action_url: string | null;
  decline: string | null;
  refund_id: string | null;
  created_at: string;
  updated_at: string;
};

export type DisputesTable = {
  /** The gateway's id: one row a dispute, whatever is told of it and how often. */
  gateway_id: string;
  order_id: number;
  payment_id: number;
  /** See `payments/disputes.ts`. */
  state: string;
  created_at: string;
  updated_at: string;
};

export type NoticesTable = {
  gateway: string;
  notice_id: string;
  kind: string;
  /** The gateway's id of what it is about. */
  subject: string;
  received_at: string;
  handled_at: string | null;
  attempts: number;
};

/** Until when a gateway's list of events was walked, by our clock. */
export type NoticeCursorsTable = { gateway: string; walked_until: string };

export type DemoObjectsTable = {
  id: string;
  kind: string;
  idempotency_key: string | null;
  parent: string | null;
  body: string;
  created_at: string;
};

export type DemoNoticesTable = {
  id: string;
  gateway: string;
  body: string;
  created_at: string;
  delivered_at: string | null;
};

/** The accounts that a provider was asked to open for drafts; the provider's part of a draft, gone with it. */
export type AdmissionsTable = {
  draft_id: number;
  /** Keyed hash of the address: a draft may have another by now. */
  email_hash: string;
  /** The provider's number; none while its answer is missing. */
  member_id: number | null;
  /** The provider's token for the member, sealed; gone once a session has it. */
  token: string | null;
  asked_at: string;
};

/** Payments that were prepared at a provider, each written down before it is asked to take one. */
export type ProviderPaymentsTable = {
  /** Ours, of one attempt: `CardGateway` says what of. */
  key: string;
  order_id: number;
  attempt: number;
  member_id: number;
  /** What the provider calls it. */
  payment_id: string;
  amount_in_pence: number;
  /** The provider's order, once it has said which. */
  provider_order_id: number | null;
  prepared_at: string;
};
