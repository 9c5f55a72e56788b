import type { ItemKind } from "../content/kinds.ts";
import type { Generated } from "kysely";

import type { FigureTables } from "./figure-tables.ts";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are ISO 8601 text in UTC (`2026-11-20T03:00:00.000Z`):
 * it sorts as it reads, on both engines and in any tool an operator opens.
 */
export type Schema = FigureTables & {
  members: {
    id: Generated<number>;
    /** As typed, for emails; `email_key` is what is compared. */
    email: string;
    email_key: string;
    /** A PHC string, `$argon2id$…`. */
    password_hash: string;
    first_name: string;
    last_name: string;
    account_type: AccountType;
    created_at: string;
    /** An address that was asked for and is not proved yet. */
    pending_email: string | null;
    /** Of a change that an operator asked for: until when the old address may object, and when the new one was proved. */
    pending_until: string | null;
    pending_proved_at: string | null;
    /** The address of an account that its owner has closed; `email` and `email_key` are free for another account from then on. */
    closed_email: string | null;
    /** When a closed account is erased. */
    erase_at: string | null;
  };

  /** No table of its own: an index of what members are found by. `words like` with three letters or more is quick. */
  member_search: { rowid: number; words: string };

  subscriptions: {
    id: Generated<number>;
    member_id: number;
    plan_type: number;
    starts_at: string;
    ends_at: string;
    /** The order that paid for it; none for what an operator gave. */
    order_id: number | null;
    /** When an operator ended it before its time. */
    revoked_at: string | null;
    /** When the email seven days before its end, and the one at its end, were written. */
    reminded_at: string | null;
    end_emailed_at: string | null;
  };

  sessions: {
    /** HMAC of the opaque id in the cookie. */
    token_hash: string;
    member_id: number;
    created_at: string;
    seen_at: string;
    expires_at: string;
    /** What the browser says of itself, in a few words: "Firefox on Android". */
    device: string | null;
  };

  /** What a provider of accounts gave us for a member, sealed; gone with the session it was got for. */
  provider_tokens: {
    session_hash: string;
    member_id: number;
    sealed_token: string;
    stored_at: string;
  };

  avatars: {
    member_id: number;
    /** Of the bytes, which are WebP: the picture's address. */
    hash: string;
    bytes: Uint8Array;
    saved_at: string;
  };

  favourites: {
    member_id: number;
    kind: ItemKind;
    item_id: number;
    saved_at: string;
  };

  positions: {
    member_id: number;
    kind: ItemKind;
    item_id: number;
    state: PositionState;
    /** Whole seconds from the start, and how long the item is; both 0 for what was only opened. */
    seconds: number;
    duration: number;
    /** When the member was there, by our clock. */
    observed_at: string;
    /** When they first came to the end. */
    finished_at: string | null;
  };

  position_settings: {
    member_id: number;
    /** 0 once the member has switched it off. */
    is_on: 0 | 1;
  };

  rate_limits: {
    /** HMAC of what is counted (an address, an account): no personal data at rest. */
    key: string;
    attempts: number;
    expires_at: string;
  };

  emails: {
    id: Generated<number>;
    /** Names the cause (`receipt order-12`): the same cause writes one email. */
    key: string;
    kind: string;
    recipient: string;
    member_id: number | null;
    /** The written email as JSON, sealed if secret; gone once a secret one was sent. */
    body: string | null;
    is_secret: 0 | 1;
    created_at: string;
    /** When to try next; also how a worker holds it while it tries. `null`: nothing more to do. */
    due_at: string | null;
    attempts: number;
    sent_at: string | null;
    failed_at: string | null;
    last_error: string | null;
    /** It failed because a mail server refused it for good, not because a day of tries was over. */
    is_refused: Generated<0 | 1>;
    /** When an operator acknowledged the failure. */
    acknowledged_at: string | null;
  };

  challenges: {
    purpose: string;
    /** The owner, in the words of the module that asked: a draft's or a member's number. */
    subject: string;
    code_hash: string;
    token_hash: string;
    /** Wrong codes so far. */
    tries: number;
    created_at: string;
    code_expires_at: string;
    /** The end of the link, and of the row. */
    expires_at: string;
  };

  companies: {
    id: Generated<number>;
    name: string;
    name_key: string;
    contact_email: string;
    /** How many accounts it pays for: the seats of its code. */
    accounts: number;
    /** For a year and all accounts. */
    price_in_pence: number;
    state: "setting-up" | "live" | "grace" | "stopped";
    grace_ends_at: string | null;
    billing_request_id: string | null;
    mandate_id: string | null;
    live_since: string | null;
    created_at: string;
  };

  codes: {
    id: Generated<number>;
    /** As it was given out; `code_key` is what is compared. */
    code: string;
    code_key: string;
    company_id: number | null;
    /** Product ids that it unlocks, with commas between. */
    products: string;
    seats: number;
    seats_taken: number;
    starts_at: string;
    ends_at: string | null;
    revoked_at: string | null;
    created_at: string;
  };

  seats: {
    member_id: number;
    code_id: number;
    taken_at: string;
    /** When the seat is free for another member; `null`: when its member's last term ends. */
    ends_at: string | null;
  };

  collections: {
    company_id: number;
    /** 0 for the first year, 1 for the second. */
    period: number;
    amount_in_pence: number;
    gateway_id: string | null;
    state: string;
    due_at: string;
    created_at: string;
    updated_at: string;
  };

  drafts: {
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
    /** Where the visitor met the site, for links in emails. */
    site: string;
    session_claimed_at: string | null;
    created_at: string;
    expires_at: string;
  };

  /** The accounts that a provider was asked to open for drafts; the provider's part of a draft, gone with it. */
  provider_sign_ups: {
    draft_id: number;
    /** Keyed hash of the address: a draft may have another by now. */
    email_hash: string;
    /** The provider's number; none while its answer is missing. */
    member_id: number | null;
    /** The provider's token for the member, sealed; gone once a session has it. */
    sealed_token: string | null;
    requested_at: string;
  };

  orders: {
    id: Generated<number>;
    draft_id: number | null;
    member_id: number | null;
    account_type: AccountType;
    plan_type: number;
    amount_in_pence: number;
    currency: string;
    /** See `payments/states.ts`. */
    state: string;
    email: string;
    first_name: string;
    last_name: string;
    postcode: string;
    country: string;
    code: string | null;
    /** Where the payer met the site, for links in emails. */
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

  payments: {
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

  /** Payments that were prepared at a provider, each written down before it is asked to take one. */
  provider_payments: {
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

  disputes: {
    /** The gateway's id: one row a dispute, however often its events come. */
    gateway_id: string;
    order_id: number;
    payment_id: number;
    /** See `payments/states.ts`. */
    state: string;
    created_at: string;
    updated_at: string;
  };

  webhook_events: {
    gateway: string;
    event_id: string;
    kind: string;
    /** The gateway's id of what it is about. */
    subject: string;
    received_at: string;
    handled_at: string | null;
    attempts: number;
  };

  /** Until when a gateway's list of events was walked, by our clock. */
  webhook_cursors: { gateway: string; walked_until: string };

  audit: {
    id: Generated<number>;
    at: string;
    operator: string;
    action: string;
    member_id: number | null;
    /** JSON, without personal data. */
    facts: string;
    /** Why, in the operator's own words; deleted when the member is erased. */
    reason: string | null;
  };

  operators: {
    id: Generated<number>;
    email: string;
    email_key: string;
    name: string;
    role: "support" | "owner";
    /** None until the invitation is accepted. */
    password_hash: string | null;
    /** What their app makes one-time codes of (RFC 6238), sealed. */
    totp_secret: string;
    /** The time step of the last code that was used, so that no code works twice. */
    totp_step: number | null;
    created_at: string;
  };

  operator_sessions: {
    /** HMAC of the token in the cookie. */
    token_hash: string;
    operator_id: number;
    created_at: string;
    seen_at: string;
    expires_at: string;
    device: string | null;
  };

  operator_recovery_codes: {
    code_hash: string;
    operator_id: number;
  };

  operator_passkeys: {
    /** The credential's id, as the browser gives it (base64url). */
    id: string;
    operator_id: number;
    /** COSE, as base64url. */
    public_key: string;
    /** How often it was used, as the authenticator counts. */
    counter: number;
    /** What the operator calls it. */
    name: string;
    created_at: string;
    used_at: string | null;
  };

  /** Who may see a company's own page; invited by the desk. */
  company_contacts: {
    id: Generated<number>;
    company_id: number;
    /** As the operator typed it, for emails; `email_key` is what is compared. */
    email: string;
    email_key: string;
    invited_at: string;
  };

  contact_sessions: {
    /** HMAC of the token in the cookie. */
    token_hash: string;
    contact_id: number;
    created_at: string;
    seen_at: string;
    expires_at: string;
  };

  /** What a company may know of its people: counted once after each month, rounded down to a multiple of five, never recounted. */
  company_months: {
    company_id: number;
    /** In London: `2026-11`. */
    month: string;
    /** The people who joined in the month and still had their seat at its end. */
    joined: number;
    seats_taken: number;
  };

  job_leases: { name: string; holder: string; expires_at: string };

  demo_objects: {
    id: string;
    kind: string;
    idempotency_key: string | null;
    parent: string | null;
    body: string;
    created_at: string;
  };

  demo_webhook_events: {
    id: string;
    gateway: string;
    body: string;
    created_at: string;
    delivered_at: string | null;
  };
};

/** `opened`: an article, or a film in another host's frame, of which no more is known. */
export type PositionState = "opened" | "started" | "finished";

export type AccountType = "individual" | "corporate";
