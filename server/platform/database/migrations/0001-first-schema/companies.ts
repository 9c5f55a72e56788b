/** Companies, their codes and seats, and their contacts. */
export const companyTables = [
  `create table companies (
    id $number,
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
  )`,

  `create table codes (
    id $number,
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
  )`,
  "create index codes_by_company on codes (company_id)",

  `create table seats (
    member_id integer primary key references members (id) on delete cascade,
    code_id integer not null references codes (id),
    taken_at text not null,
    ends_at text
  )`,
  "create index seats_by_code on seats (code_id)",
  // The members of a company, the newest first.
  "create index seats_by_code_and_member on seats (code_id, member_id)",
  "create index seats_by_end on seats (ends_at)",

  `create table collections (
    company_id integer not null references companies (id),
    period integer not null,
    amount_in_pence integer not null,
    gateway_id text unique,
    state text not null,
    due_at text not null,
    created_at text not null,
    updated_at text not null,
    constraint collections_key primary key (company_id, period)
  )`,

  `create table company_contacts (
    id $number,
    company_id integer not null references companies (id),
    email text not null,
    email_key text not null,
    invited_at text not null,
    constraint company_contacts_key unique (company_id, email_key)
  )`,
  "create index company_contacts_by_email on company_contacts (email_key, id)",

  `create table contact_sessions (
    token_hash text primary key,
    contact_id integer not null references company_contacts (id) on delete cascade,
    created_at text not null,
    seen_at text not null,
    expires_at text not null
  )`,
  "create index contact_sessions_by_contact on contact_sessions (contact_id)",
  "create index contact_sessions_by_expiry on contact_sessions (expires_at)",

  `create table company_months (
    company_id integer not null references companies (id),
    month text not null,
    joined integer not null,
    seats_taken integer not null,
    constraint company_months_key primary key (company_id, month)
  )`,
];
