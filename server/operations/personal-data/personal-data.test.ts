import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { type App, openApp } from "../../../tests/helpers/app.ts";
import { giveGift } from "../../../tests/helpers/gifts.ts";
import { ada, from, makeMethod, payment, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";
import type { Member } from "../../members/accounts/accounts.ts";
import { toPerson } from "../../members/accounts/person.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { PaymentInput } from "../../money/sign-up/sign-up.ts";

/** No other member has this name, address or postal code, so each hit is about her. */
const zsofia = { ...ada, firstName: "Zsófia", lastName: "Quillfeather", email: "Zsofia.Quill@example.org" };
const bo = { ...ada, firstName: "Bo", lastName: "Marsh", email: "bo@example.org" };
const traces = /zs[óo]fia|quill|EX7 7QQ|"3790"/i;

const hersToPay: PaymentInput = { ...payment, postcode: "EX7 7QQ" };

async function join(app: App, details: typeof zsofia): Promise<Member> {
  const token = await prepareDraft(app, details);
  const { signUp, accounts, outbox } = app.services;
  const postcode = details === bo ? "SW1A 1AA" : hersToPay.postcode;
  const input = { ...payment, postcode, methodId: await makeMethod(app) };
  expect(await signUp.pay(token, input)).toEqual({ ok: true, next: "completed" });
  await signUp.claimSession(token);
  await outbox.deliver();
  const member = await accounts.findByEmail(details.email);
  if (!member) throw new Error("No member has joined");
  return member;
}

async function fillAccount(db: Queries, memberId: number): Promise<void> {
  const now = new Date("2026-11-20T03:02:00.000Z");
  const bytes = new Uint8Array(Buffer.from("a picture of Zsófia"));
  await db.insertInto("avatars").values({ memberId, hash: "abc123", bytes, savedAt: now }).execute();
  const account = { pendingEmail: "z.quill@example.org", closedEmail: "quill@example.org", eraseAt: now };
  await db.updateTable("members").set(account).where("id", "=", memberId).execute();
  await db
    .updateTable("seats")
    .set({ endsAt: new Date("2027-11-20T03:02:00.000Z") })
    .where("memberId", "=", memberId)
    .execute();
  const paid = await db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["payments.id", "payments.orderId"])
    .where("orders.memberId", "=", memberId)
    .executeTakeFirstOrThrow();
  const dispute = { gatewayId: "du_1", state: "open", createdAt: now, updatedAt: now };
  await db
    .insertInto("disputes")
    .values({ ...dispute, orderId: paid.orderId, paymentId: paid.id })
    .execute();
  const part = { number: 1, amountInPence: 750, state: "refunded", refundId: "re_1" } as const;
  await db
    .insertInto("partRefunds")
    .values({ paymentId: paid.id, ...part, createdAt: now, updatedAt: now })
    .execute();
  await db.updateTable("payments").set({ cardLast4: "3790" }).where("id", "=", paid.id).execute();
  await db.updateTable("newsletters").set({ returnedAt: now }).where("memberId", "=", memberId).execute();
  await db.updateTable("members").set({ passwordOffAt: now }).where("id", "=", memberId).execute();
  await db.insertInto("broughtMembers").values({ memberId, broughtAt: now, mailedAt: now }).execute();
  const passkey = { id: "zsofias-key", publicKey: "k", counter: 3, isSynced: 1, isBackedUp: 1 } as const;
  const device = { name: "Chrome on Android", createdAt: now, usedAt: now };
  await db
    .insertInto("passkeys")
    .values({ ...passkey, ...device, memberId })
    .execute();
  await db.updateTable("sessions").set({ device: "Firefox on Android" }).where("memberId", "=", memberId).execute();
}

async function joinWithEverything(app: App): Promise<Member> {
  const { services } = app;
  const { codes, signUp, favourites, positions, emptySearches, newsletter, notes, transact, audit } = services;
  // An abandoned sign-up, with a payment begun and given up.
  const abandoned = await prepareDraft(app, { ...zsofia, planType: 1 });
  expect(await signUp.pay(abandoned, { ...hersToPay, shownPlanType: 1 })).toMatchObject({ next: "continue" });
  await signUp.choosePlan(abandoned, 2);
  app.clock.advance(60_000);
  // One that waits for its code.
  await startDraft(app, { ...zsofia, email: zsofia.email.toUpperCase() });
  app.clock.advance(60_000);
  const member = await join(app, zsofia);
  await favourites.save(member.id, { kind: "watch", id: 2001 });
  await positions.note(member.id, { kind: "watch", id: 2001 }, { seconds: 61, duration: 600, ageInMs: 0 });
  await positions.nights.note(member.id, [{ topic: "menopause", kind: "read", id: 1012, state: "opened" }]);
  await newsletter.start(member.id);
  await giveGift(app, { memberId: member.id, giverName: zsofia.firstName, recipientName: "Robin" });
  emptySearches.note(member.id, { term: "Quill pillows", page: 1, counts: { read: 0 } });
  await emptySearches.write();
  await codes.create({ code: "PILLOW", seats: 5 });
  await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: member.id }, trx));
  const link = services.renewalLinks.make(member.id);
  await signUp.startRenewal(link, from);
  await fillAccount(app.database.db, member.id);
  const note = { about: { memberId: member.id }, text: "Zsófia rang about her pillow.", operator: "op" };
  await transact((trx) => notes.add(note, trx));
  await audit.record({ operator: "op", action: "mail test", memberId: member.id, facts: {} });
  return member;
}

async function dump(db: Queries): Promise<Map<string, Record<string, unknown>[]>> {
  // The index of members' words is no table of its own, and its letters are deleted with the member
  // (`member-search.test.ts`).
  const all = await db.introspection.getTables();
  const tables = all.filter(({ name, isView }) => !isView && !name.startsWith("member_search"));
  const rows = tables.map(async ({ name }) => {
    const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db.withoutPlugins(),
    );
    return [name, found] as const;
  });
  return new Map(await Promise.all(rows));
}

/** Where the export has each column about a member, and which columns are withheld on purpose. */
const exported: Record<string, { as: string; withheld: string[] }> = {
  members: {
    as: "member",
    withheld: ["email_key", "password_hash", "off_password_hash", "pending_proved_at", "passkey_offer_over_at"],
  },
  // Its bytes have another form.
  avatars: { as: "picture", withheld: ["bytes"] },
  subscriptions: { as: "subscriptions", withheld: ["reminded_at", "end_emailed_at"] },
  sessions: { as: "sessions", withheld: ["token_hash", "passkey_id", "proved_at"] },
  // Public keys are for this server alone; whether one is synced is written as true or false.
  passkeys: {
    as: "passkeys",
    withheld: ["operator_id", "member_id", "public_key", "counter", "is_synced", "is_backed_up"],
  },
  favourites: { as: "favourites", withheld: [] },
  positions: { as: "positions", withheld: [] },
  nights: { as: "positions", withheld: [] },
  newsletters: { as: "newsletter", withheld: [] },
  brought_members: { as: "brought", withheld: [] },
  empty_searches: { as: "emptySearches", withheld: ["searcher"] },
  // Written as true or false.
  position_settings: { as: "positions", withheld: ["is_on"] },
  seats: { as: "seats", withheld: ["code_id"] },
  drafts: { as: "drafts", withheld: ["token_hash", "password_hash", "verified_at", "session_claimed_at"] },
  gifts: {
    as: "gifts",
    // Its code is as good as money; a sheet is written as true or false.
    withheld: ["token_hash", "code", "site", "is_sheet", "sendings", "giver_member_id", "updated_at"],
  },
  orders: { as: "orders", withheld: ["updated_at"] },
  payments: { as: "orders", withheld: ["updated_at"] },
  part_refunds: { as: "orders", withheld: [] },
  disputes: { as: "orders", withheld: [] },
  emails: { as: "emails", withheld: ["id", "key", "body", "is_secret", "attempts", "due_at", "last_error"] },
  notes: { as: "notes", withheld: ["operator", "id"] },
  audit: { as: "operatorActions", withheld: ["operator", "id", "facts"] },
};

/** Tables that name no member, with the reason. */
const withoutMembers: Record<string, string> = {
  migrations: "names of versions",
  rate_limits: "keyed hashes that run out",
  member_files: "files from before there were these members, for a week",
  member_file_reports: "their refused lines, for a week",
  challenges: "keyed hashes, and a draft's address for a day",
  companies: "companies and their own contacts",
  codes: "what companies give out",
  collections: "what companies pay",
  company_contacts: "companies' own contacts",
  contact_sessions: "where those are logged in",
  company_months: "counts in fives, of no person",
  webhook_events: "ids at the payment providers, for a month",
  webhook_cursors: "names of payment providers",
  job_leases: "names of jobs",
  job_runs: "names of jobs, and what went wrong, without addresses",
  daily_counts: "counts of days",
  operators: "operators, who are no members",
  operator_sessions: "where operators are logged in",
  operator_recovery_codes: "keyed hashes of operators' codes",
  operator_passkeys: "operators' public keys, of the version before",
  provider_tokens: "a provider's tokens, which go with their sessions",
  provider_sign_ups: "keyed hashes and a provider's tokens, for a draft's day",
  provider_payments: "what a provider calls its payments",
  demo_objects: "what the demo's payment providers remember by themselves",
  demo_webhook_events: "what they tell us of it",
};

describe("a member's export", () => {
  test("the export contains no secret and no other person", async () => {
    await using app = await openApp();
    const other = await join(app, bo);
    const member = await joinWithEverything(app);
    const text = JSON.stringify(await app.services.personalData.gather(toPerson(member)));
    expect(text).not.toMatch(/argon2|Marsh|bo@example/);
    const secrets = [...(await dump(app.database.db)).values()]
      .flat()
      .flatMap((row) => [row.token_hash, row.code_hash]);
    for (const secret of secrets.filter((each) => typeof each === "string")) expect(text).not.toContain(secret);
    expect(JSON.stringify(await app.services.personalData.gather(toPerson(other)))).not.toMatch(traces);
  });
});

describe.each(engines)("a member's export on %s", (engine) => {
  test("the export has every table in which a member is named", async () => {
    await using app = await openApp({ engine });
    const member = await joinWithEverything(app);
    const tables = await dump(app.database.db);
    expect([...tables.keys()].filter((name) => !exported[name] && !withoutMembers[name])).toEqual([]);

    const records: Record<string, unknown> = await app.services.personalData.gather(toPerson(member));
    const missing: string[] = [];
    const orderIds = new Set((tables.get("orders") ?? []).map(({ id }) => id));
    const payments = tables.get("payments") ?? [];
    const paymentIds = new Set(payments.filter((row) => orderIds.has(row.order_id)).map(({ id }) => id));
    for (const [table, { as, withheld }] of Object.entries(exported)) {
      const isHers = (row: Record<string, unknown>) =>
        table === "members" ||
        row.member_id === member.id ||
        traces.test(JSON.stringify(row)) ||
        orderIds.has(row.order_id) ||
        paymentIds.has(row.payment_id);
      const rows = (tables.get(table) ?? []).filter(isHers);
      expect(rows.length, `${table} has nothing of hers, so this proves nothing`).toBeGreaterThan(0);
      const text = JSON.stringify({ there: records[as] });
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        if (value === null || withheld.includes(column) || column === "member_id") continue;
        if (!text.includes(JSON.stringify(value).slice(1, -1))) missing.push(`${table}.${column}`);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
    const { picture } = await app.services.personalData.gather(toPerson(member));
    expect(Buffer.from(picture?.bytes ?? "", "base64").toString()).toBe("a picture of Zsófia");
  });
});

describe("an erasure", () => {
  test("a member is not erased, not even in part, while a payment of theirs is under way", async () => {
    let isCut = false;
    const down = () => Promise.reject(new Error("The line is down"));
    await using app = await openApp({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        findPayment: (id) => (isCut ? down() : gateway.findPayment(id)),
        cancelPayment: (id) => (isCut ? down() : gateway.cancelPayment(id)),
      }),
    });
    const { services } = app;
    const member = await join(app, zsofia);
    const renewal = await services.signUp.startRenewal(services.renewalLinks.make(member.id), from);
    await services.signUp.choosePlan(renewal?.token ?? "", 3);
    expect(await services.signUp.pay(renewal?.token ?? "", hersToPay)).toMatchObject({ next: "continue" });
    const before = await dump(app.database.db);

    isCut = true;
    expect(await services.personalData.erase(toPerson(member), "op")).toEqual({
      ok: false,
      reason: "payment-under-way",
    });
    expect(await dump(app.database.db)).toEqual(before);
    isCut = false;
    expect(await services.personalData.erase(toPerson(member), "op")).toMatchObject({
      ok: true,
      remainder: { orders: 2 },
    });
  });

  test("a member's unpaid orders are erased with the account, also under a former address", async () => {
    await using app = await openApp();
    const { services, database } = app;
    const { id } = await join(app, zsofia);
    const { token = "" } = (await services.signUp.startRenewal(services.renewalLinks.make(id), from)) ?? {};
    await services.signUp.choosePlan(token, 3);
    expect(await services.signUp.pay(token, hersToPay)).toMatchObject({ next: "continue" });
    await services.signUp.choosePlan(token, 1);
    await database.db.updateTable("members").set({ email: "new@example.org", emailKey: "new@example.org" }).execute();
    app.clock.advance(DAY_IN_MS);
    await services.jobs.run("purge-expired");

    const person = { memberId: id, email: "new@example.org" };
    expect((await services.personalData.gather(person)).orders).toHaveLength(2);
    expect(await services.personalData.erase(person, "op")).toMatchObject({ ok: true, remainder: { orders: 2 } });
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("a visitor who abandoned a payment and never joined is erased after thirty days", async () => {
    await using app = await openApp();
    const { services, database } = app;
    const token = await prepareDraft(app, { ...zsofia, planType: 1 });
    expect(await services.signUp.pay(token, { ...hersToPay, shownPlanType: 1 })).toMatchObject({ next: "continue" });
    await services.signUp.choosePlan(token, 2);
    app.clock.advance(30 * DAY_IN_MS - 1);
    await services.jobs.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).toMatch(traces);
    app.clock.advance(1);
    await services.jobs.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("an email from before the account is erased with it, however late", async () => {
    await using app = await openApp();
    const member = await join(app, zsofia);
    // Emails about the account are deleted after ninety days; this was the last.
    app.clock.advance(60 * DAY_IN_MS);
    const mail = { subject: "Refund", text: "£60.00 goes back.", html: "" };
    await app.services.outbox.add({ key: "refund payment-9", kind: "refund", to: member.email, mail }, app.database.db);
    app.clock.advance(31 * DAY_IN_MS);
    await app.services.outbox.purge();
    expect((await app.services.personalData.gather(toPerson(member))).emails).toHaveLength(1);
    await app.services.personalData.erase(toPerson(member), "op");
    expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
  });
});

describe.each(engines)("an erasure on %s", (engine) => {
  test("an erased member is named nowhere, and the records that tax law requires remain", async () => {
    await using app = await openApp({ engine });
    const other = await join(app, bo);
    const othersRecords = { ...(await app.services.personalData.gather(toPerson(other))), exportedAt: undefined };
    const member = await joinWithEverything(app);
    const { token } = await app.services.sessions.start(member.id);
    const remainder = {
      orders: 3,
      actions: 2,
      customersAtGateway: Array.from({ length: 3 }, () => expect.any(String)),
    };
    expect(await app.services.personalData.erase(toPerson(member), "op")).toEqual({ ok: true, remainder });
    expect(await app.services.sessions.find(token)).toBeUndefined();

    const tables = await dump(app.database.db);
    for (const [table, rows] of tables) {
      // Payment providers keep their own records, in the demo too.
      if (table.startsWith("demo_")) continue;
      expect(JSON.stringify(rows), table).not.toMatch(traces);
      const hers = rows.filter((row) => row.member_id === member.id);
      expect(hers.length, table).toBe(table === "audit" ? 2 : 0);
    }
    const paid = { state: "completed", amount_in_pence: 6000, paid_at: expect.any(String), member_id: null };
    const order = { ...paid, receipt_number: expect.stringMatching(/^D-2026-/), first_name: "" };
    expect(tables.get("orders")).toContainEqual(expect.objectContaining(order));
    expect((await app.services.codes.find("PILLOW"))?.seatsTaken).toBe(0);
    expect({ ...(await app.services.personalData.gather(toPerson(other))), exportedAt: undefined }).toEqual(
      othersRecords,
    );
    expect(await app.services.audit.listFor(member.id)).toMatchObject([
      { operator: "op", action: "member erase", facts: { orders: 3 } },
      { action: "mail test" },
    ]);
    app.clock.advance(60_000);
    expect((await join(app, zsofia)).id, "the address is free").not.toBe(member.id);
  });

  test("two operators erase one member at once: one does", async () => {
    await using app = await openApp({ engine });
    const member = await joinWithEverything(app);
    const erase = () => app.services.personalData.erase(toPerson(member), "op");
    const results = await Promise.all([erase(), erase(), erase()]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.reason === "already-gone")).toHaveLength(2);
    expect((await app.services.codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });
});
