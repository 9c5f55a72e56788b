/** Members and what belongs to one of them alone. `0001-first-schema.ts` replaces `$number` and `$bytes`. */
export const memberTables = [
  `create table members (
    id $number,
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
  )`,
  "create index members_by_creation on members (created_at)",
  "create index members_by_erasure on members (erase_at)",
  "create index members_by_pending on members (pending_until) where pending_until is not null",

  `create table sessions (
    token_hash text primary key,
    member_id integer not null references members (id) on delete cascade,
    created_at text not null,
    seen_at text not null,
    expires_at text not null,
    device text
  )`,
  "create index sessions_by_member on sessions (member_id)",
  "create index sessions_by_expiry on sessions (expires_at)",

  `create table provider_tokens (
    session_hash text primary key references sessions (token_hash) on delete cascade,
    member_id integer not null references members (id) on delete cascade,
    sealed_token text not null,
    kept_at text not null
  )`,
  "create index provider_tokens_by_member on provider_tokens (member_id, kept_at)",
  "create index provider_tokens_by_time on provider_tokens (kept_at)",

  `create table avatars (
    member_id integer primary key references members (id) on delete cascade,
    hash text not null,
    bytes $bytes not null,
    saved_at text not null
  )`,

  `create table favourites (
    member_id integer not null references members (id) on delete cascade,
    kind text not null check (kind in ('watch', 'read', 'learn')),
    item_id integer not null,
    saved_at text not null,
    constraint favourites_key primary key (member_id, kind, item_id)
  )`,
  "create index favourites_by_member on favourites (member_id, kind, saved_at, item_id)",

  `create table positions (
    member_id integer not null references members (id) on delete cascade,
    kind text not null check (kind in ('watch', 'read', 'learn')),
    item_id integer not null,
    state text not null check (state in ('opened', 'started', 'finished')),
    seconds integer not null,
    duration integer not null,
    observed_at text not null,
    finished_at text,
    constraint positions_key primary key (member_id, kind, item_id)
  )`,
  "create index positions_by_state on positions (member_id, state, observed_at)",

  `create table position_settings (
    member_id integer primary key references members (id) on delete cascade,
    is_on integer not null
  )`,
];
