-- The schema of 1.0.0 on SQLite: the statements of its one migration, as that release ran them.

create table members (
  id integer primary key autoincrement,
  email text not null,
  email_key text not null unique,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  account_type text not null check (account_type in ('individual', 'corporate')),
  created_at text not null,
  pending_email text,
  pending_until text,
  pending_proved_at text,
  closed_email text,
  erase_at text
);

create index members_by_creation on members (created_at);

create index members_by_erasure on members (erase_at);

create index members_by_pending on members (pending_until) where pending_until is not null;

create table sessions (
  token_hash text primary key,
  member_id integer not null references members (id) on delete cascade,
  created_at text not null,
  seen_at text not null,
  expires_at text not null,
  device text
);

create index sessions_by_member on sessions (member_id);

create index sessions_by_expiry on sessions (expires_at);

create table provider_tokens (
  session_hash text primary key references sessions (token_hash) on delete cascade,
  member_id integer not null references members (id) on delete cascade,
  sealed_token text not null,
  kept_at text not null
);

create index provider_tokens_by_member on provider_tokens (member_id, kept_at);

create index provider_tokens_by_time on provider_tokens (kept_at);

create table avatars (
  member_id integer primary key references members (id) on delete cascade,
  hash text not null,
  bytes blob not null,
  saved_at text not null
);

create table favourites (
  member_id integer not null references members (id) on delete cascade,
  kind text not null check (kind in ('watch', 'read', 'learn')),
  item_id integer not null,
  saved_at text not null,
  constraint favourites_key primary key (member_id, kind, item_id)
);

create index favourites_by_member on favourites (member_id, kind, saved_at, item_id);

create table positions (
  member_id integer not null references members (id) on delete cascade,
  kind text not null check (kind in ('watch', 'read', 'learn')),
  item_id integer not null,
  state text not null check (state in ('opened', 'started', 'finished')),
  seconds integer not null,
  duration integer not null,
  observed_at text not null,
  finished_at text,
  constraint positions_key primary key (member_id, kind, item_id)
);

create index positions_by_state on positions (member_id, state, observed_at);

create table position_settings (
  member_id integer primary key references members (id) on delete cascade,
  is_on integer not null
);

create table companies (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null unique,
  contact_email text not null,
  accounts integer not null,
  price_in_pence integer not null,
  state text not null check (state in ('setting-up', 'live', 'grace', 'stopped')),
  grace_ends_at text,
  billing_request_id text unique,
  mandate_id text unique,
  live_since text,
  created_at text not null
);

create table codes (
  id integer primary key autoincrement,
  code text not null,
  code_key text not null unique,
  company_id integer references companies (id),
  products text not null,
  seats integer not null check (seats >= 0),
  seats_taken integer not null check (seats_taken >= 0 and seats_taken <= seats),
  starts_at text not null,
  ends_at text,
  revoked_at text,
  created_at text not null
);

create index codes_by_company on codes (company_id);

create table seats (
  member_id integer primary key references members (id) on delete cascade,
  code_id integer not null references codes (id),
  taken_at text not null,
  ends_at text
);

create index seats_by_code on seats (code_id);

create index seats_by_code_and_member on seats (code_id, member_id);

create index seats_by_end on seats (ends_at);

create table collections (
  company_id integer not null references companies (id),
  period integer not null,
  amount_in_pence integer not null,
  gateway_id text unique,
  state text not null,
  due_at text not null,
  created_at text not null,
  updated_at text not null,
  constraint collections_key primary key (company_id, period)
);

create table company_contacts (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  email text not null,
  email_key text not null,
  invited_at text not null,
  constraint company_contacts_key unique (company_id, email_key)
);

create index company_contacts_by_email on company_contacts (email_key, id);

create table contact_sessions (
  token_hash text primary key,
  contact_id integer not null references company_contacts (id) on delete cascade,
  created_at text not null,
  seen_at text not null,
  expires_at text not null
);

create index contact_sessions_by_contact on contact_sessions (contact_id);

create index contact_sessions_by_expiry on contact_sessions (expires_at);

create table company_months (
  company_id integer not null references companies (id),
  month text not null,
  joined integer not null,
  seats_taken integer not null,
  constraint company_months_key primary key (company_id, month)
);

create table drafts (
  id integer primary key autoincrement,
  token_hash text not null unique,
  purpose text not null check (purpose in ('join', 'renew')),
  state text not null check (state in ('open', 'completed', 'refunded')),
  member_id integer references members (id) on delete cascade,
  account_type text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text,
  code text,
  plan_type integer,
  verified_at text,
  site text not null,
  session_claimed_at text,
  created_at text not null,
  expires_at text not null
);

create index drafts_by_address on drafts (lower(email));

create index drafts_by_expiry on drafts (expires_at);

create index drafts_by_member on drafts (member_id);

create table admissions (
  draft_id integer primary key references drafts (id) on delete cascade,
  email_hash text not null,
  member_id integer,
  token text,
  asked_at text not null
);

create index admissions_by_email on admissions (email_hash);

create table challenges (
  purpose text not null,
  subject text not null,
  code_hash text not null,
  token_hash text not null unique,
  tries integer not null,
  created_at text not null,
  code_expires_at text not null,
  expires_at text not null,
  constraint challenges_key primary key (purpose, subject)
);

create index challenges_by_expiry on challenges (expires_at);

create table throttles (
  key text primary key,
  attempts integer not null,
  expires_at text not null
);

create index throttles_by_expiry on throttles (expires_at);

create table orders (
  id integer primary key autoincrement,
  draft_id integer references drafts (id) on delete set null,
  member_id integer references members (id) on delete set null,
  account_type text not null,
  plan_type integer not null,
  amount_in_pence integer not null,
  currency text not null,
  state text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  postcode text not null,
  country text not null,
  code text,
  site text not null,
  customer_id text,
  receipt_number text unique,
  starts_at text,
  ends_at text,
  created_at text not null,
  updated_at text not null,
  paid_at text,
  completed_at text
);

create unique index orders_one_open on orders (draft_id) where state = 'awaiting-payment';

create index orders_by_draft on orders (draft_id);

create index orders_by_member on orders (member_id);

create index orders_by_payment on orders (paid_at);

create index orders_by_state on orders (state, updated_at);

create index orders_unsettled on orders (updated_at) where state in ('awaiting-payment', 'paid', 'refund-pending');

create table payments (
  id integer primary key autoincrement,
  order_id integer not null references orders (id),
  attempt integer not null,
  page text not null check (page in ('fields', 'hosted')),
  method_id text,
  gateway_id text unique,
  state text not null,
  amount_in_pence integer not null,
  action_url text,
  decline text,
  refund_id text unique,
  created_at text not null,
  updated_at text not null,
  constraint payments_attempt unique (order_id, attempt)
);

create unique index payments_one_live on payments (order_id)
  where state in ('started', 'authenticating', 'processing');

create index payments_by_state on payments (state, updated_at);

create index payments_unsettled on payments (updated_at)
  where state in ('started', 'authenticating', 'processing', 'succeeded', 'refunding');

create table provider_payments (
  key text primary key,
  order_id integer not null references orders (id) on delete cascade,
  attempt integer not null,
  member_id integer not null,
  payment_id text not null,
  amount_in_pence integer not null,
  provider_order_id integer,
  prepared_at text not null
);

create index provider_payments_by_order on provider_payments (order_id);

create table disputes (
  gateway_id text primary key,
  order_id integer not null references orders (id),
  payment_id integer not null references payments (id),
  state text not null,
  created_at text not null,
  updated_at text not null
);

create index disputes_by_order on disputes (order_id);

create table subscriptions (
  id integer primary key autoincrement,
  member_id integer not null references members (id) on delete cascade,
  plan_type integer not null,
  starts_at text not null,
  ends_at text not null,
  order_id integer references orders (id) on delete set null,
  revoked_at text,
  reminded_at text,
  end_told_at text
);

create index subscriptions_by_member on subscriptions (member_id, ends_at);

create index subscriptions_by_end on subscriptions (ends_at);

create unique index subscriptions_by_order on subscriptions (order_id);

create table letters (
  id integer primary key autoincrement,
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
);

create index letters_by_due on letters (due_at);

create index letters_by_member on letters (member_id);

create index letters_by_creation on letters (created_at);

create index letters_by_recipient on letters (lower(recipient), created_at);

create index letters_failed on letters (failed_at, id) where failed_at is not null;

create index letters_waiting on letters (created_at, id) where sent_at is null and failed_at is null;

create table notices (
  gateway text not null,
  notice_id text not null,
  kind text not null,
  subject text not null,
  received_at text not null,
  handled_at text,
  attempts integer not null,
  constraint notices_key primary key (gateway, notice_id)
);

create index notices_waiting on notices (received_at) where handled_at is null;

create index notices_by_handling on notices (handled_at);

create table notice_cursors (
  gateway text primary key,
  walked_until text not null
);

create table operators (
  id integer primary key autoincrement,
  email text not null,
  email_key text not null unique,
  name text not null,
  role text not null check (role in ('support', 'owner')),
  password_hash text,
  totp_secret text not null,
  totp_step integer,
  created_at text not null
);

create table operator_sessions (
  token_hash text primary key,
  operator_id integer not null references operators (id) on delete cascade,
  created_at text not null,
  seen_at text not null,
  expires_at text not null,
  device text
);

create index operator_sessions_by_operator on operator_sessions (operator_id);

create index operator_sessions_by_expiry on operator_sessions (expires_at);

create table operator_recovery_codes (
  code_hash text primary key,
  operator_id integer not null references operators (id) on delete cascade
);

create index operator_recovery_codes_by_operator on operator_recovery_codes (operator_id);

create table operator_passkeys (
  id text primary key,
  operator_id integer not null references operators (id) on delete cascade,
  public_key text not null,
  counter integer not null,
  name text not null,
  created_at text not null,
  used_at text
);

create index operator_passkeys_by_operator on operator_passkeys (operator_id);

create table audit (
  id integer primary key autoincrement,
  at text not null,
  operator text not null,
  action text not null,
  member_id integer,
  facts text not null,
  reason text
);

create index audit_by_member on audit (member_id);

create table task_leases (
  name text primary key,
  holder text not null,
  expires_at text not null
);

create table job_runs (
  name text primary key,
  started_at text not null,
  took_ms integer not null,
  result text not null check (result in ('done', 'failed')),
  failed_at text,
  error text
);

create table daily_counts (
  day text not null,
  measure text not null,
  value integer not null,
  constraint daily_counts_key primary key (day, measure)
);

create table empty_searches (
  month text not null,
  term text not null,
  searcher text not null,
  constraint empty_searches_key primary key (month, term, searcher)
);

create table demo_objects (
  id text primary key,
  kind text not null,
  idempotency_key text unique,
  parent text,
  body text not null,
  created_at text not null
);

create index demo_objects_by_parent on demo_objects (kind, parent);

create table demo_notices (
  id text primary key,
  gateway text not null,
  body text not null,
  created_at text not null,
  delivered_at text
);

create index demo_notices_by_delivery on demo_notices (delivered_at, created_at);

create view member_words as select id, email_key || ' ' || lower(first_name || ' ' || last_name) || ' ' || first_name || ' ' || last_name || ' ' || lower(coalesce(closed_email, '')) as words from members;

create virtual table member_search using fts5 (words, content='member_words', content_rowid='id', tokenize='trigram', detail=none);

insert into member_search (member_search, rank) values ('secure-delete', 1);

create trigger member_search_insert after insert on members begin insert into member_search (rowid, words) values (new.id, new.email_key || ' ' || lower(new.first_name || ' ' || new.last_name) || ' ' || new.first_name || ' ' || new.last_name || ' ' || lower(coalesce(new.closed_email, ''))); end;

create trigger member_search_delete after delete on members begin insert into member_search (member_search, rowid, words) values ('delete', old.id, old.email_key || ' ' || lower(old.first_name || ' ' || old.last_name) || ' ' || old.first_name || ' ' || old.last_name || ' ' || lower(coalesce(old.closed_email, ''))); end;

create trigger member_search_update after update of email_key, first_name, last_name, closed_email on members begin insert into member_search (member_search, rowid, words) values ('delete', old.id, old.email_key || ' ' || lower(old.first_name || ' ' || old.last_name) || ' ' || old.first_name || ' ' || old.last_name || ' ' || lower(coalesce(old.closed_email, ''))); insert into member_search (rowid, words) values (new.id, new.email_key || ' ' || lower(new.first_name || ' ' || new.last_name) || ' ' || new.first_name || ' ' || new.last_name || ' ' || lower(coalesce(new.closed_email, ''))); end;
