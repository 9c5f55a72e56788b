/** Sign-ups that are not finished, the proof of an address, and rate limits. */
export const signUpTables = [
  `create table drafts (
    id $number,
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
  )`,
  "create index drafts_by_address on drafts (lower(email))",
  "create index drafts_by_expiry on drafts (expires_at)",
  "create index drafts_by_member on drafts (member_id)",

  `create table admissions (
    draft_id integer primary key references drafts (id) on delete cascade,
    email_hash text not null,
    member_id integer,
    token text,
    asked_at text not null
  )`,
  "create index admissions_by_email on admissions (email_hash)",

  `create table challenges (
    purpose text not null,
    subject text not null,
    code_hash text not null,
    token_hash text not null unique,
    tries integer not null,
    created_at text not null,
    code_expires_at text not null,
    expires_at text not null,
    constraint challenges_key primary key (purpose, subject)
  )`,
  "create index challenges_by_expiry on challenges (expires_at)",

  `create table throttles (
    key text primary key,
    attempts integer not null,
    expires_at text not null
  )`,
  "create index throttles_by_expiry on throttles (expires_at)",
];
