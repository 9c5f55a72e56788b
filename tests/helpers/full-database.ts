import { sql } from "kysely";

import type { Database, Queries } from "../../server/platform/database/database.ts";

const at = new Date("2026-11-20T03:00:00.000Z");
/** Text that a copy might lose: signs beyond ASCII, quotes, line breaks, empty text. */
const odd = "Zoë’s \"night\" 'n' £60\n\t\\ 夜 \u{1f319}";

export const LAST_EMAIL = 31;

/** At least one row in each table; some with every nullable column empty. */
export async function fillEveryTable(db: Queries): Promise<void> {
  await fillPeople(db);
  await fillCompanies(db);
  await fillMoney(db);
  await fillApp(db);
}

async function fillPeople(db: Queries): Promise<void> {
  const person = { passwordHash: "$argon2id$x", firstName: odd, accountType: "individual", createdAt: at } as const;
  const members = Array.from({ length: 450 }, (_, index) => ({
    ...person,
    email: `m${index}@x.example`,
    emailKey: `m${index}@x.example`,
    lastName: index % 2 ? "" : "Lovell",
    eraseAt: index % 3 ? null : at,
  }));
  await db.insertInto("members").values(members).execute();
  const favourites = Array.from({ length: 450 }, (_, index) => index + 1).flatMap((id) =>
    (["watch", "read"] as const).map((kind) => ({ memberId: id, kind, itemId: 1000 + (id % 7), savedAt: at })),
  );
  await db.insertInto("favourites").values(favourites).execute();
  const position = { memberId: 1, kind: "watch", observedAt: at } as const;
  await db
    .insertInto("positions")
    .values([
      { ...position, itemId: 2001, state: "started", seconds: 61, duration: 600 },
      { ...position, itemId: 2002, state: "finished", seconds: 600, duration: 600, finishedAt: at },
    ])
    .execute();
  await db.insertInto("positionSettings").values({ memberId: 1, isOn: 1 }).execute();
  const night = { memberId: 1, topic: "menopause", kind: "watch", itemId: 2001, state: "opened" } as const;
  await db.insertInto("nights").values(night).execute();
  await db.insertInto("newsletters").values({ memberId: 1, startedAt: at, lastMonth: "2026-11" }).execute();
  const counts = { linesDone: 2, added: 1, completed: 0, same: 0, refused: 1 };
  const file = { name: odd, operator: "o", sentAt: at, isRehearsal: 0, isMailed: 1, ...counts } as const;
  await db
    .insertInto("memberFiles")
    .values([
      { ...file, bytes: Uint8Array.of(0, 255), finishedAt: null, fault: null },
      { ...file, bytes: null, finishedAt: at, fault: odd },
    ])
    .execute();
  await db.insertInto("memberFileReports").values({ fileId: 2, line: 2, text: odd }).execute();
  await db.insertInto("broughtMembers").values({ memberId: 1, broughtAt: at, mailedAt: at }).execute();
  const bytes = Uint8Array.from({ length: 2000 }, (_, index) => index % 256);
  await db
    .insertInto("avatars")
    .values([
      { memberId: 1, hash: "h1", bytes, savedAt: at },
      { memberId: 2, hash: "h2", bytes: Uint8Array.of(0), savedAt: at },
    ])
    .execute();
  const session = { memberId: 1, createdAt: at, seenAt: at, expiresAt: at };
  await db
    .insertInto("sessions")
    .values([
      { ...session, tokenHash: "t1" },
      { ...session, tokenHash: "t2", device: odd },
    ])
    .execute();
  await db
    .insertInto("providerTokens")
    .values({ sessionHash: "t1", memberId: 1, sealedToken: "sealed", storedAt: at })
    .execute();
  const hashes = { codeHash: "c", tokenHash: "challenge", createdAt: at, codeExpiresAt: at, expiresAt: at };
  await db
    .insertInto("challenges")
    .values({ purpose: "reset", subject: "1", tries: 2, ...hashes })
    .execute();
}

async function fillCompanies(db: Queries): Promise<void> {
  const terms = {
    accounts: 50,
    priceInPence: 150_000,
    nextPriceInPence: 160_000,
    state: "live",
    createdAt: at,
  } as const;
  await db
    .insertInto("companies")
    .values({ name: odd, nameKey: "pillow", contactEmail: "hr@x.example", ...terms })
    .execute();
  const seats = { products: "117,118", seats: 50, seatsTaken: 1, startsAt: at, createdAt: at };
  await db
    .insertInto("codes")
    .values({ code: "PILLOW", codeKey: "pillow", companyId: 1, ...seats })
    .execute();
  await db.insertInto("seats").values({ memberId: 3, codeId: 1, takenAt: at }).execute();
  const year = { amountInPence: 150_000, state: "confirmed", dueAt: at, createdAt: at, updatedAt: at };
  await db
    .insertInto("collections")
    .values({ companyId: 1, period: 0, ...year })
    .execute();
  const contact = { companyId: 1, email: "Hr@x.example", emailKey: "hr@x.example", invitedAt: at };
  await db.insertInto("companyContacts").values(contact).execute();
  const session = { tokenHash: "cs", contactId: 1, createdAt: at, seenAt: at, expiresAt: at };
  await db.insertInto("contactSessions").values(session).execute();
  await db.insertInto("companyMonths").values({ companyId: 1, month: "2026-10", joined: 5, seatsTaken: 10 }).execute();
}

async function fillMoney(db: Queries): Promise<void> {
  const person = { accountType: "individual", email: "m0@x.example", firstName: "Ada", lastName: "L" } as const;
  const draft = { tokenHash: "draft", purpose: "join", state: "completed", site: "s", expiresAt: at } as const;
  await db
    .insertInto("drafts")
    .values({ ...person, ...draft, memberId: 1, createdAt: at })
    .execute();
  await db
    .insertInto("providerSignUps")
    .values({ draftId: 1, emailHash: "e", memberId: 1, sealedToken: odd, requestedAt: at })
    .execute();
  await db
    .insertInto("gifts")
    .values({
      tokenHash: "gift",
      state: "taken-up",
      planType: 3,
      giverMemberId: 1,
      giverName: odd,
      giverEmail: "m0@x.example",
      recipientName: odd,
      recipientEmail: "m1@x.example",
      isSheet: 0,
      message: odd,
      deliverAt: at,
      expiresAt: at,
      code: "PILLOW-GIFT",
      site: "s",
      sendings: 1,
      takerId: 2,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  const order = {
    planType: 3,
    amountInPence: 6000,
    currency: "gbp",
    state: "completed",
    postcode: "",
    country: "GB",
  };
  const times = { createdAt: at, updatedAt: at };
  await db
    .insertInto("orders")
    .values({
      ...person,
      ...order,
      ...times,
      draftId: 1,
      memberId: 1,
      site: "s",
      giftId: 1,
      receiptNumber: "D-2026-000001",
    })
    .execute();
  const attempt = { attempt: 1, page: "fields", state: "settled", amountInPence: 6000 } as const;
  await db
    .insertInto("payments")
    .values({ orderId: 1, ...attempt, ...times })
    .execute();
  await db
    .insertInto("partRefunds")
    .values({ paymentId: 1, number: 1, amountInPence: 1000, state: "refunding", ...times })
    .execute();
  const prepared = { key: "k", orderId: 1, attempt: 1, memberId: 1, paymentId: "pi", preparedAt: at };
  await db
    .insertInto("providerPayments")
    .values({ ...prepared, amountInPence: 6000, providerOrderId: null })
    .execute();
  const dispute = { gatewayId: "dispute", orderId: 1, paymentId: 1, state: "open" };
  await db
    .insertInto("disputes")
    .values({ ...dispute, ...times })
    .execute();
  const term = { planType: 3, startsAt: at, endsAt: at };
  await db
    .insertInto("subscriptions")
    .values([
      { ...term, memberId: 1, orderId: 1 },
      { ...term, memberId: 2 },
    ])
    .execute();
  const webhook = { gateway: "cards", eventId: "n", kind: "k", subject: "s", receivedAt: at, attempts: 0 };
  await db.insertInto("webhookEvents").values(webhook).execute();
  await db.insertInto("webhookCursors").values({ gateway: "cards", walkedUntil: at }).execute();
  await db.insertInto("demoObjects").values({ id: "o", kind: "k", body: "{}", createdAt: at }).execute();
  await db.insertInto("demoWebhookEvents").values({ id: "d", gateway: "cards", body: "{}", createdAt: at }).execute();
}

async function fillApp(db: Queries): Promise<void> {
  const mail = { kind: "welcome", recipient: "m0@x.example", isSecret: 0, createdAt: at, attempts: 1 } as const;
  await db
    .insertInto("emails")
    .values({ ...mail, key: "one", memberId: 1, body: JSON.stringify({ subject: odd }) })
    .execute();
  // The last given number (`LAST_EMAIL`) belongs to no row any more.
  const gone = Array.from({ length: LAST_EMAIL - 1 }, (_, index) => ({ ...mail, key: `gone ${index}` }));
  await db.insertInto("emails").values(gone).execute();
  await db.deleteFrom("emails").where("key", "like", "gone %").execute();
  await db.insertInto("rateLimits").values({ key: "k", attempts: 3, expiresAt: at }).execute();
  await db.insertInto("audit").values({ at, operator: odd, action: "member show", facts: "{}" }).execute();
  const note = { text: odd, operator: "olive@x.example", notedAt: at };
  await db
    .insertInto("notes")
    .values([
      { ...note, memberId: 1 },
      { ...note, companyId: 1 },
    ])
    .execute();
  const operator = { email: "olive@x.example", emailKey: "olive@x.example", name: odd, role: "owner" } as const;
  await db
    .insertInto("operators")
    .values({ ...operator, totpSecret: "sealed", createdAt: at })
    .execute();
  await db
    .insertInto("operatorSessions")
    .values({ tokenHash: "os", operatorId: 1, createdAt: at, seenAt: at, expiresAt: at })
    .execute();
  await db.insertInto("operatorRecoveryCodes").values({ codeHash: "rc", operatorId: 1 }).execute();
  const passkey = { id: "pk", operatorId: 1, publicKey: "k", counter: 2, name: odd, createdAt: at };
  await db.insertInto("operatorPasskeys").values(passkey).execute();
  await db
    .insertInto("passkeys")
    .values({ ...passkey, isSynced: 1, isBackedUp: 0 })
    .execute();
  await db.insertInto("jobLeases").values({ name: "run x", holder: "h", expiresAt: at }).execute();
  const run = {
    name: "send-mail",
    startedAt: at,
    tookInMs: 12,
    result: "failed",
    failedAt: at,
    error: odd,
  } as const;
  await db.insertInto("jobRuns").values(run).execute();
  await db.insertInto("dailyCounts").values({ day: "2026-11-19", measure: "members", value: 12 }).execute();
  await db.insertInto("emptySearches").values({ month: "2026-11", term: "夜", searcher: "es" }).execute();
}

/** In alphabetical order. Asked in another way than the product does. */
export async function listTables({ db, engine }: Pick<Database, "db" | "engine">): Promise<string[]> {
  const names =
    engine === "sqlite"
      ? sql<{
          name: string;
        }>`select name from pragma_table_list where type = 'table' and schema = 'main' and name not like 'sqlite%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  return (await names.execute(db)).rows.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
}

/** In an order that both engines share; bytes in hexadecimal. */
export async function readEverything({
  db,
  engine,
}: Pick<Database, "db" | "engine">): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const name of await listTables({ db, engine })) {
    if (name === "migrations") continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db.withoutPlugins());
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
