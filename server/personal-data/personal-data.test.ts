import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse, type House } from "../../tests/helpers/house.ts";
import type { Member } from "../accounts/accounts.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Details, PaymentInput } from "../sign-up/sign-up.ts";

const from = { address: "198.51.100.7", site: "http://dormouse.test/" };

/** Nobody else is called so, has such an address or lives there: wherever it stands, it is about her. */
const zsofia: Details = {
  ...from,
  token: undefined,
  accountType: "individual",
  code: "",
  firstName: "Zsófia",
  lastName: "Quillfeather",
  email: "Zsofia.Quill@example.org",
  password: "a-canary-sleeps-well",
  passwordConfirmation: "a-canary-sleeps-well",
};
const bo: Details = { ...zsofia, firstName: "Bo", lastName: "Marsh", email: "bo@example.org" };
const traces = /zs[óo]fia|quill|EX7 7QQ/i;

const payment: PaymentInput = { ...from, shownPlanType: 3, postcode: "EX7 7QQ", methodId: undefined };

async function startDraft({ rooms }: House, details: Details): Promise<string> {
  const saved = await rooms.signUp.saveDetails(details);
  if (!saved.ok) throw new Error(JSON.stringify(saved));
  return saved.draft.token;
}

/** Takes somebody to the payment step. */
async function begin(house: House, details: Details): Promise<string> {
  const { signUp, outbox } = house.rooms;
  const token = await startDraft(house, details);
  await outbox.deliver();
  const letter = house.letters.findLast(({ to }) => to === details.email);
  expect(await signUp.verifyByCode(token, /^\d{6}$/m.exec(letter?.text ?? "")?.[0] ?? "")).toEqual({ ok: true });
  return token;
}

async function join(house: House, details: Details, methodId?: string): Promise<Member> {
  const token = await begin(house, details);
  const { signUp, accounts } = house.rooms;
  if (details.accountType === "individual") await signUp.choosePlan(token, 3);
  const postcode = details === bo ? "SW1A 1AA" : payment.postcode;
  expect(await signUp.pay(token, { ...payment, postcode, methodId })).toEqual({ ok: true, next: "completed" });
  await signUp.claimSession(token);
  await house.rooms.outbox.deliver();
  const member = await accounts.findByEmail(details.email);
  if (!member) throw new Error("Nobody has joined");
  return member;
}

/** What members do about their own account, as its rows have it. */
async function fillAccount(db: Queries, memberId: number): Promise<void> {
  const now = "2026-11-20T03:02:00.000Z";
  const bytes = new Uint8Array(Buffer.from("a picture of Zsófia"));
  await db.insertInto("avatars").values({ member_id: memberId, hash: "abc123", bytes, saved_at: now }).execute();
  const account = { pending_email: "z.quill@example.org", closed_email: "quill@example.org", erase_at: now };
  await db.updateTable("members").set(account).where("id", "=", memberId).execute();
  await db
    .updateTable("seats")
    .set({ ends_at: "2027-11-20T03:02:00.000Z" })
    .where("member_id", "=", memberId)
    .execute();
  const paid = await db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.order_id")
    .select(["payments.id", "payments.order_id"])
    .where("orders.member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const dispute = { gateway_id: "du_1", state: "open", created_at: now, updated_at: now };
  await db
    .insertInto("disputes")
    .values({ ...dispute, order_id: paid.order_id, payment_id: paid.id })
    .execute();
  await db.updateTable("sessions").set({ device: "Firefox on Android" }).where("member_id", "=", memberId).execute();
}

async function makeMethod({ rooms }: House): Promise<string> {
  const made = await rooms.demoGateways?.makeMethod({ number: "4242 4242 4242 4242", expiry: "12/30", cvc: "123" });
  if (!made?.ok) throw new Error(JSON.stringify(made));
  return made.methodId;
}

/** A member with something in every table that can have something of a member. */
async function joinWithEverything(house: House): Promise<Member> {
  const { rooms } = house;
  const { codes, signUp, favourites, transact, audit } = rooms;
  // A sign-up that was left half-way, with a payment that was begun and given up.
  const abandoned = await begin(house, zsofia);
  await signUp.choosePlan(abandoned, 1);
  expect(await signUp.pay(abandoned, { ...payment, shownPlanType: 1 })).toMatchObject({ next: "continue" });
  await signUp.choosePlan(abandoned, 2);
  house.clock.advance(60_000);
  // And one that waits for its code to be typed.
  await startDraft(house, { ...zsofia, email: zsofia.email.toUpperCase() });
  house.clock.advance(60_000);
  const member = await join(house, zsofia, await makeMethod(house));
  await favourites.save(member.id, { kind: "watch", id: 2001 });
  await codes.create({ code: "PILLOW", seats: 5 });
  await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: member.id }, trx));
  const link = rooms.renewalLinks.make(member.id);
  await signUp.startRenewal(link, from);
  await fillAccount(house.database.db, member.id);
  await audit.record({ operator: "op", action: "member export", memberId: member.id, facts: {} });
  return member;
}

const toPerson = ({ id, email }: Member) => ({ memberId: id, email });

async function dump(db: Queries): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await db.introspection.getTables();
  const rows = tables.map(async ({ name }) => {
    const { rows: all } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    return [name, all] as const;
  });
  return new Map(await Promise.all(rows));
}

/** What of a table's rows about a member stands where in the export, and which columns are withheld on purpose. */
const exported: Record<string, { as: string; withheld: string[] }> = {
  members: { as: "member", withheld: ["email_key", "password_hash"] },
  // Its bytes are written in another way: see the test of the picture.
  avatars: { as: "picture", withheld: ["bytes"] },
  subscriptions: { as: "subscriptions", withheld: ["reminded_at", "end_told_at"] },
  sessions: { as: "sessions", withheld: ["token_hash"] },
  favourites: { as: "favourites", withheld: [] },
  seats: { as: "seats", withheld: ["code_id"] },
  drafts: { as: "drafts", withheld: ["token_hash", "password_hash", "verified_at", "session_claimed_at"] },
  orders: { as: "orders", withheld: ["updated_at"] },
  payments: { as: "orders", withheld: ["updated_at"] },
  disputes: { as: "orders", withheld: [] },
  letters: { as: "letters", withheld: ["id", "key", "body", "is_secret", "attempts", "due_at", "last_error"] },
  audit: { as: "operatorActions", withheld: ["operator", "id", "facts"] },
};

/** Tables in which nobody is named, and why. */
const withoutMembers: Record<string, string> = {
  migrations: "names of versions",
  throttles: "keyed hashes that run out",
  challenges: "keyed hashes, and a draft's address for a day",
  companies: "companies and their own contacts",
  codes: "what companies give out",
  collections: "what companies pay",
  notices: "ids at the payment providers, for a month",
  notice_cursors: "names of payment providers",
  task_leases: "names of tasks",
  provider_tokens: "a provider's tokens, which go with their sessions",
  admissions: "keyed hashes and a provider's tokens, for a draft's day",
  provider_payments: "what a provider calls its payments",
  demo_objects: "what the demo's payment providers remember by themselves",
  demo_notices: "what they tell us of it",
};

describe.each(engines)("a member's data on %s", (engine) => {
  test("the export has every table in which a member is named", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const tables = await dump(house.database.db);
    expect([...tables.keys()].filter((name) => !exported[name] && !withoutMembers[name])).toEqual([]);

    const records: Record<string, unknown> = await house.rooms.personalData.gather(toPerson(member));
    const missing: string[] = [];
    const orderIds = new Set((tables.get("orders") ?? []).map(({ id }) => id));
    for (const [table, { as, withheld }] of Object.entries(exported)) {
      const isHers = (row: Record<string, unknown>) =>
        table === "members" ||
        row.member_id === member.id ||
        traces.test(JSON.stringify(row)) ||
        orderIds.has(row.order_id);
      const rows = (tables.get(table) ?? []).filter(isHers);
      expect(rows.length, `${table} has nothing of hers, so this proves nothing`).toBeGreaterThan(0);
      const text = JSON.stringify({ there: records[as] });
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        if (value === null || withheld.includes(column) || column === "member_id") continue;
        if (!text.includes(JSON.stringify(value).slice(1, -1))) missing.push(`${table}.${column}`);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
  });

  test("the export has the picture itself", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const { picture } = await house.rooms.personalData.gather(toPerson(member));
    expect(Buffer.from(picture?.bytes ?? "", "base64").toString()).toBe("a picture of Zsófia");
  });

  test("the export holds no secret and nobody else", async () => {
    await using house = await openHouse(engine);
    const other = await join(house, bo, await makeMethod(house));
    const member = await joinWithEverything(house);
    const text = JSON.stringify(await house.rooms.personalData.gather(toPerson(member)));
    expect(text).not.toMatch(/argon2|Marsh|bo@example/);
    const secrets = [...(await dump(house.database.db)).values()]
      .flat()
      .flatMap((row) => [row.token_hash, row.code_hash]);
    for (const secret of secrets.filter((each) => typeof each === "string")) expect(text).not.toContain(secret);
    expect(JSON.stringify(await house.rooms.personalData.gather(toPerson(other)))).not.toMatch(traces);
  });

  test("an erased member is named nowhere, and what tax law wants kept is there", async () => {
    await using house = await openHouse(engine);
    const other = await join(house, bo, await makeMethod(house));
    const othersRecords = { ...(await house.rooms.personalData.gather(toPerson(other))), exportedAt: undefined };
    const member = await joinWithEverything(house);
    const erased = await house.rooms.personalData.erase(toPerson(member), "op");
    expect(erased).toEqual({
      ok: true,
      kept: { orders: 2, actions: 2, customersAtGateway: [expect.any(String), expect.any(String)] },
    });

    const tables = await dump(house.database.db);
    for (const [table, rows] of tables) {
      // What payment providers keep is theirs, in the demo as anywhere.
      if (table.startsWith("demo_")) continue;
      expect(JSON.stringify(rows), table).not.toMatch(traces);
      const hers = rows.filter((row) => row.member_id === member.id);
      expect(hers.length, table).toBe(table === "audit" ? 2 : 0);
    }
    const orders = tables.get("orders") ?? [];
    expect(orders).toContainEqual(
      expect.objectContaining({
        state: "completed",
        amount_in_pence: 6000,
        receipt_number: expect.stringMatching(/^D-2026-/),
        paid_at: expect.any(String),
        member_id: null,
        first_name: "",
      }),
    );
    expect((await house.rooms.codes.find("PILLOW"))?.seatsTaken).toBe(0);
    expect({ ...(await house.rooms.personalData.gather(toPerson(other))), exportedAt: undefined }).toEqual(
      othersRecords,
    );
    expect(await house.rooms.audit.listFor(member.id)).toMatchObject([
      { operator: "op", action: "member erase", facts: { orders: 2 } },
      { action: "member export" },
    ]);
  });

  test("whoever is erased is logged out, and may join anew with the same address", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const { token } = await house.rooms.sessions.start(member.id);
    await house.rooms.personalData.erase(toPerson(member), "op");
    expect(await house.rooms.sessions.find(token)).toBeUndefined();
    house.clock.advance(60_000);
    expect((await join(house, zsofia, await makeMethod(house))).id).not.toBe(member.id);
  });

  test("nobody is erased while money of theirs is on its way, and nothing is forgotten by halves", async () => {
    let isCut = false;
    const down = () => Promise.reject(new Error("The line is down"));
    await using house = await openHouse(engine, {
      wrapCards: (cards) => ({
        ...cards,
        findPayment: (id) => (isCut ? down() : cards.findPayment(id)),
        cancelPayment: (id) => (isCut ? down() : cards.cancelPayment(id)),
      }),
    });
    const { rooms } = house;
    const member = await join(house, zsofia, await makeMethod(house));
    const renewal = await rooms.signUp.startRenewal(rooms.renewalLinks.make(member.id), from);
    await rooms.signUp.choosePlan(renewal?.token ?? "", 3);
    expect(await rooms.signUp.pay(renewal?.token ?? "", payment)).toMatchObject({ next: "continue" });
    const before = await dump(house.database.db);

    isCut = true;
    expect(await rooms.personalData.erase(toPerson(member), "op")).toEqual({ ok: false, reason: "payment-under-way" });
    expect(await dump(house.database.db)).toEqual(before);
    isCut = false;
    expect(await rooms.personalData.erase(toPerson(member), "op")).toMatchObject({ ok: true, kept: { orders: 2 } });
  });

  test("two operators erase one member at once: one does", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const erase = () => house.rooms.personalData.erase(toPerson(member), "op");
    const results = await Promise.all([erase(), erase(), erase()]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.reason === "already-gone")).toHaveLength(2);
    expect((await house.rooms.codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("a letter from before there was an account goes with the account, however late", async () => {
    await using house = await openHouse(engine);
    const member = await join(house, zsofia, await makeMethod(house));
    // Letters about the account itself are forgotten after ninety days; this one came last.
    house.clock.advance(60 * DAY_IN_MS);
    const letter = { subject: "Refund", text: "£60.00 goes back.", html: "" };
    await house.rooms.outbox.add(
      { key: "refund payment-9", kind: "refund", to: member.email, letter },
      house.database.db,
    );
    house.clock.advance(31 * DAY_IN_MS);
    await house.rooms.outbox.purge();
    expect((await house.rooms.personalData.gather(toPerson(member))).letters).toHaveLength(1);
    await house.rooms.personalData.erase(toPerson(member), "op");
    expect(await house.rooms.outbox.list({ limit: 9 })).toEqual([]);
  });
});
