/** Orders, what was charged for them, and the terms that they bought. */
export const paymentTables = [
  `create table orders (
    id $number,
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
  )`,
  // One open order a draft: two tabs that pay at once pay for the same one.
  "create unique index orders_one_open on orders (draft_id) where state = 'awaiting-payment'",
  "create index orders_by_draft on orders (draft_id)",
  "create index orders_by_member on orders (member_id)",
  "create index orders_by_payment on orders (paid_at)",
  // Jobs look for these every minute, without reading a table that only grows.
  "create index orders_by_state on orders (state, updated_at)",
  "create index orders_unsettled on orders (updated_at) where state in ('awaiting-payment', 'paid', 'refund-pending')",

  `create table payments (
    id $number,
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
  )`,
  // One live attempt an order, however many clicks come at once.
  `create unique index payments_one_live on payments (order_id)
    where state in ('started', 'authenticating', 'processing')`,
  "create index payments_by_state on payments (state, updated_at)",
  `create index payments_unsettled on payments (updated_at)
    where state in ('started', 'authenticating', 'processing', 'succeeded', 'refunding')`,

  `create table provider_payments (
    key text primary key,
    order_id integer not null references orders (id) on delete cascade,
    attempt integer not null,
    member_id integer not null,
    payment_id text not null,
    amount_in_pence integer not null,
    provider_order_id integer,
    prepared_at text not null
  )`,
  "create index provider_payments_by_order on provider_payments (order_id)",

  `create table disputes (
    gateway_id text primary key,
    order_id integer not null references orders (id),
    payment_id integer not null references payments (id),
    state text not null,
    created_at text not null,
    updated_at text not null
  )`,
  "create index disputes_by_order on disputes (order_id)",

  // `plan_type` has no check: `server/money/membership/plans.ts` alone lists the plans.
  `create table subscriptions (
    id $number,
    member_id integer not null references members (id) on delete cascade,
    plan_type integer not null,
    starts_at text not null,
    ends_at text not null,
    order_id integer references orders (id) on delete set null,
    revoked_at text,
    reminded_at text,
    end_told_at text
  )`,
  "create index subscriptions_by_member on subscriptions (member_id, ends_at)",
  "create index subscriptions_by_end on subscriptions (ends_at)",
  // One payment activates once.
  "create unique index subscriptions_by_order on subscriptions (order_id)",
];
