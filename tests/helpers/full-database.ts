import { sql } from "kysely";

import type { Database, Queries } from "../../server/database/database.ts";

const at = "2026-11-20T03:00:00.000Z";
/** Text that a copy might lose: signs beyond ASCII, quotes, line breaks, empty text. */
const odd = "Zoë’s \"night\" 'n' £60\n\t\\ 夜 \u{1f319}";

export const LAST_EMAIL = 31;

/** Puts at least one row into each table; some with every column empty that may be. */
export async function fillEveryTable(db: Queries): Promise<void> {
  await fillPeople(db);
  await fillCompanies(db);
  await fillMoney(db);
  await fillApp(db);
}

async function fillPeople(db: Queries): Promise<void> {
  const person = { password_hash: "$argon2id$x", first_name: odd, account_type: "individual", created_at: at } as const;
  const members = Array.from({ length: 450 }, (_, index) => ({
    ...person,
    email: `m${index}@x.example`,
    email_key: `m${index}@x.example`,
    last_name: index % 2 ? "" : "Lovell",
    erase_at: index % 3 ? null : at,
  }));
  await db.insertInto("members").values(members).execute();
  const favourites = Array.from({ length: 450 }, (_, index) => index + 1).flatMap((id) =>
    (["watch", "read"] as const).map((kind) => ({ member_id: id, kind, item_id: 1000 + (id % 7), saved_at: at })),
  );
  await db.insertInto("favourites").values(favourites).execute();
  const position = { member_id: 1, kind: "watch", observed_at: at } as const;
  await db
    .insertInto("positions")
    .values([
      { ...position, item_id: 2001, state: "started", seconds: 61, duration: 600 },
      { ...position, item_id: 2002, state: "finished", seconds: 600, duration: 600, finished_at: at },
    ])
    .execute();
  await db.insertInto("position_settings").values({ member_id: 1, is_on: 1 }).execute();
  const bytes = Uint8Array.from({ length: 2000 }, (_, index) => index % 256);
  await db
    .insertInto("avatars")
    .values([
      { member_id: 1, hash: "h1", bytes, saved_at: at },
      { member_id: 2, hash: "h2", bytes: Uint8Array.of(0), saved_at: at },
    ])
    .execute();
  const session = { member_id: 1, created_at: at, seen_at: at, expires_at: at };
  await db
    .insertInto("sessions")
    .values([
      { ...session, token_hash: "t1" },
      { ...session, token_hash: "t2", device: odd },
    ])
    .execute();
  await db
    .insertInto("provider_tokens")
    .values({ session_hash: "t1", member_id: 1, sealed_token: "sealed", stored_at: at })
    .execute();
  const hashes = { code_hash: "c", token_hash: "challenge", created_at: at, code_expires_at: at, expires_at: at };
  await db
    .insertInto("challenges")
    .values({ purpose: "reset", subject: "1", tries: 2, ...hashes })
    .execute();
}

async function fillCompanies(db: Queries): Promise<void> {
  const terms = { accounts: 50, price_in_pence: 150_000, state: "live", created_at: at } as const;
  await db
    .insertInto("companies")
    .values({ name: odd, name_key: "pillow", contact_email: "hr@x.example", ...terms })
    .execute();
  const seats = { products: "117,118", seats: 50, seats_taken: 1, starts_at: at, created_at: at };
  await db
    .insertInto("codes")
    .values({ code: "PILLOW", code_key: "pillow", company_id: 1, ...seats })
    .execute();
  await db.insertInto("seats").values({ member_id: 3, code_id: 1, taken_at: at }).execute();
  const year = { amount_in_pence: 150_000, state: "confirmed", due_at: at, created_at: at, updated_at: at };
  await db
    .insertInto("collections")
    .values({ company_id: 1, period: 0, ...year })
    .execute();
  const contact = { company_id: 1, email: "Hr@x.example", email_key: "hr@x.example", invited_at: at };
  await db.insertInto("company_contacts").values(contact).execute();
  const session = { token_hash: "cs", contact_id: 1, created_at: at, seen_at: at, expires_at: at };
  await db.insertInto("contact_sessions").values(session).execute();
  await db
    .insertInto("company_months")
    .values({ company_id: 1, month: "2026-10", joined: 5, seats_taken: 10 })
    .execute();
}

async function fillMoney(db: Queries): Promise<void> {
  const person = { account_type: "individual", email: "m0@x.example", first_name: "Ada", last_name: "L" } as const;
  const draft = { token_hash: "draft", purpose: "join", state: "completed", site: "s", expires_at: at } as const;
  await db
    .insertInto("drafts")
    .values({ ...person, ...draft, member_id: 1, created_at: at })
    .execute();
  await db
    .insertInto("provider_sign_ups")
    .values({ draft_id: 1, email_hash: "e", member_id: 1, sealed_token: odd, requested_at: at })
    .execute();
  const order = {
    plan_type: 3,
    amount_in_pence: 6000,
    currency: "gbp",
    state: "completed",
    postcode: "",
    country: "GB",
  };
  const times = { created_at: at, updated_at: at };
  await db
    .insertInto("orders")
    .values({ ...person, ...order, ...times, draft_id: 1, member_id: 1, site: "s", receipt_number: "D-2026-000001" })
    .execute();
  const attempt = { attempt: 1, page: "fields", state: "settled", amount_in_pence: 6000 } as const;
  await db
    .insertInto("payments")
    .values({ order_id: 1, ...attempt, ...times })
    .execute();
  const prepared = { key: "k", order_id: 1, attempt: 1, member_id: 1, payment_id: "pi", prepared_at: at };
  await db
    .insertInto("provider_payments")
    .values({ ...prepared, amount_in_pence: 6000, provider_order_id: null })
    .execute();
  const dispute = { gateway_id: "dispute", order_id: 1, payment_id: 1, state: "open" };
  await db
    .insertInto("disputes")
    .values({ ...dispute, ...times })
    .execute();
  const term = { plan_type: 3, starts_at: at, ends_at: at };
  await db
    .insertInto("subscriptions")
    .values([
      { ...term, member_id: 1, order_id: 1 },
      { ...term, member_id: 2 },
    ])
    .execute();
  const webhook = { gateway: "cards", event_id: "n", kind: "k", subject: "s", received_at: at, attempts: 0 };
  await db.insertInto("webhook_events").values(webhook).execute();
  await db.insertInto("webhook_cursors").values({ gateway: "cards", walked_until: at }).execute();
  await db.insertInto("demo_objects").values({ id: "o", kind: "k", body: "{}", created_at: at }).execute();
  await db
    .insertInto("demo_webhook_events")
    .values({ id: "d", gateway: "cards", body: "{}", created_at: at })
    .execute();
}

async function fillApp(db: Queries): Promise<void> {
  const mail = { kind: "welcome", recipient: "m0@x.example", is_secret: 0, created_at: at, attempts: 1 } as const;
  await db
    .insertInto("emails")
    .values({ ...mail, key: "one", member_id: 1, body: JSON.stringify({ subject: odd }) })
    .execute();
  // The last number that was given (`LAST_EMAIL`) belongs to no row any more.
  const gone = Array.from({ length: LAST_EMAIL - 1 }, (_, index) => ({ ...mail, key: `gone ${index}` }));
  await db.insertInto("emails").values(gone).execute();
  await db.deleteFrom("emails").where("key", "like", "gone %").execute();
  await db.insertInto("rate_limits").values({ key: "k", attempts: 3, expires_at: at }).execute();
  await db.insertInto("audit").values({ at, operator: odd, action: "member show", facts: "{}" }).execute();
  const operator = { email: "olive@x.example", email_key: "olive@x.example", name: odd, role: "owner" } as const;
  await db
    .insertInto("operators")
    .values({ ...operator, totp_secret: "sealed", created_at: at })
    .execute();
  await db
    .insertInto("operator_sessions")
    .values({ token_hash: "os", operator_id: 1, created_at: at, seen_at: at, expires_at: at })
    .execute();
  await db.insertInto("operator_recovery_codes").values({ code_hash: "rc", operator_id: 1 }).execute();
  const passkey = { id: "pk", operator_id: 1, public_key: "k", counter: 2, name: odd, created_at: at };
  await db.insertInto("operator_passkeys").values(passkey).execute();
  await db.insertInto("job_leases").values({ name: "run x", holder: "h", expires_at: at }).execute();
  const run = {
    name: "send-mail",
    started_at: at,
    took_in_ms: 12,
    result: "failed",
    failed_at: at,
    error: odd,
  } as const;
  await db.insertInto("job_runs").values(run).execute();
  await db.insertInto("daily_counts").values({ day: "2026-11-19", measure: "members", value: 12 }).execute();
  await db.insertInto("empty_searches").values({ month: "2026-11", term: "夜", searcher: "es" }).execute();
}

/** Every row of every table, in an order that both engines share; bytes in hexadecimal. */
export async function readEverything({
  db,
  engine,
}: Pick<Database, "db" | "engine">): Promise<Record<string, string[]>> {
  const names =
    engine === "sqlite"
      ? sql<{
          name: string;
        }>`select name from pragma_table_list where type = 'table' and schema = 'main' and name not like 'sqlite%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const tables: Record<string, string[]> = {};
  for (const { name } of (await names.execute(db)).rows) {
    if (name === "migrations") continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    tables[name] = rows.map(toLine).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  }
  return tables;
}

function toLine(row: Record<string, unknown>): string {
  const columns = Object.keys(row).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column];
      return [column, value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value];
    }),
  );
}
