/** Emails to send and webhook events to handle. */
export const messageTables = [
  `create table letters (
    id $number,
    key text not null unique,
    kind text not null,
    recipient text not null,
    member_id integer references members (id) on delete cascade,
    body text,
    is_secret integer not null,
    created_at text not null,
    due_at text,
    attempts integer not null,
    sent_at text,
    failed_at text,
    last_error text,
    is_refused integer not null default 0,
    acknowledged_at text
  )`,
  "create index letters_by_due on letters (due_at)",
  "create index letters_by_member on letters (member_id)",
  "create index letters_by_creation on letters (created_at)",
  // Emails to an address, also from before it was a member's.
  "create index letters_by_recipient on letters (lower(recipient), created_at)",
  "create index letters_failed on letters (failed_at, id) where failed_at is not null",
  "create index letters_waiting on letters (created_at, id) where sent_at is null and failed_at is null",

  `create table notices (
    gateway text not null,
    notice_id text not null,
    kind text not null,
    subject text not null,
    received_at text not null,
    handled_at text,
    attempts integer not null,
    constraint notices_key primary key (gateway, notice_id)
  )`,
  "create index notices_waiting on notices (received_at) where handled_at is null",
  "create index notices_by_handling on notices (handled_at)",

  `create table notice_cursors (
    gateway text primary key,
    walked_until text not null
  )`,
];

/** The operators of the desk, and the log of their acts. */
export const operatorTables = [
  `create table operators (
    id $number,
    email text not null,
    email_key text not null unique,
    name text not null,
    role text not null check (role in ('support', 'owner')),
    password_hash text,
    totp_secret text not null,
    totp_step integer,
    created_at text not null
  )`,

  `create table operator_sessions (
    token_hash text primary key,
    operator_id integer not null references operators (id) on delete cascade,
    created_at text not null,
    seen_at text not null,
    expires_at text not null,
    device text
  )`,
  "create index operator_sessions_by_operator on operator_sessions (operator_id)",
  "create index operator_sessions_by_expiry on operator_sessions (expires_at)",

  `create table operator_recovery_codes (
    code_hash text primary key,
    operator_id integer not null references operators (id) on delete cascade
  )`,
  "create index operator_recovery_codes_by_operator on operator_recovery_codes (operator_id)",

  `create table operator_passkeys (
    id text primary key,
    operator_id integer not null references operators (id) on delete cascade,
    public_key text not null,
    counter integer not null,
    name text not null,
    created_at text not null,
    used_at text
  )`,
  "create index operator_passkeys_by_operator on operator_passkeys (operator_id)",

  `create table audit (
    id $number,
    at text not null,
    operator text not null,
    action text not null,
    member_id integer,
    facts text not null,
    reason text
  )`,
  "create index audit_by_member on audit (member_id)",
];

/** Jobs, and what the desk counts. */
export const jobTables = [
  `create table task_leases (
    name text primary key,
    holder text not null,
    expires_at text not null
  )`,

  `create table job_runs (
    name text primary key,
    started_at text not null,
    took_ms integer not null,
    result text not null check (result in ('done', 'failed')),
    failed_at text,
    error text
  )`,

  `create table daily_counts (
    day text not null,
    measure text not null,
    value integer not null,
    constraint daily_counts_key primary key (day, measure)
  )`,

  `create table empty_searches (
    month text not null,
    term text not null,
    searcher text not null,
    constraint empty_searches_key primary key (month, term, searcher)
  )`,
];

/** The state of the demo's card and Direct Debit gateways, as a vendor's own database would have it. */
export const demoTables = [
  `create table demo_objects (
    id text primary key,
    kind text not null,
    idempotency_key text unique,
    parent text,
    body text not null,
    created_at text not null
  )`,
  "create index demo_objects_by_parent on demo_objects (kind, parent)",

  `create table demo_notices (
    id text primary key,
    gateway text not null,
    body text not null,
    created_at text not null,
    delivered_at text
  )`,
  "create index demo_notices_by_delivery on demo_notices (delivered_at, created_at)",
];
