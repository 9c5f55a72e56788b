import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { engines, onPostgres } from "../../../tests/helpers/databases.ts";
import { createFixedContent } from "../../../tests/helpers/fixed-content.ts";
import { type App, openApp } from "../../../tests/helpers/app.ts";
import { createEmailList } from "../../../tests/helpers/email-list.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { demoCodes, demoMembers, fillDemo } from "../../cli/demo-data.ts";
import { readConfig } from "../../config.ts";
import { toDay } from "../../platform/format.ts";
import { toLocation } from "../../platform/database/open-database.ts";
import type { ContentSource } from "../../content/items/source.ts";
import { checkParts, findingText, serviceChecks } from "./health.ts";

const item = {
  id: 1,
  type: "post",
  date: "2026-11-20T03:00:00",
  title: { rendered: "Item" },
  content: { rendered: "<p>Text.</p>" },
};

async function examine({ services }: App): Promise<Map<string, string>> {
  const findings = [];
  for (const check of serviceChecks) findings.push(...(await check(services)));
  return new Map(findings.map((finding) => [finding.part, `${finding.state}: ${findingText(finding, "command")}`]));
}

/** Records that a server on this database has begun a job. */
async function noteRun({ database, clock }: App, name: string, everyInMs: number): Promise<void> {
  const expiresAt = after(clock(), 0.9 * everyInMs);
  const lease = { name: `run ${name}`, holder: "server", expiresAt };
  await database.db
    .insertInto("jobLeases")
    .values(lease)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(lease))
    .execute();
}

const mail = { subject: "Hello", text: "Hello.", html: "" };

describe.each(engines)("the doctor on %s", (engine) => {
  test("reports a healthy app as healthy, and changes nothing", async () => {
    const env = {
      PRIVACY_URL: "https://nest.example/privacy",
      TERMS_URL: "https://nest.example/terms",
      INVOICE_SENDER: "Nest Ltd, 1 Burrow Lane",
    };
    await using app = await openApp({ engine, content: createFixedContent([item]), env });
    await noteRun(app, "reconcile-payments", MINUTE_IN_MS);
    const findings = await examine(app);
    findings.delete("clock");
    expect([...findings].filter(([, message]) => !message.startsWith("ok: "))).toEqual([]);
    expect([...findings.keys()]).toEqual(["database", "catalogue", "jobs", "emails", "refunds"]);
    expect(await app.database.db.selectFrom("jobLeases").select("name").execute()).toHaveLength(1);
  });

  test("names what a demo left that did not mark its database yet, until it is ended", async () => {
    await using app = await openApp({ engine });
    const { accounts, codes } = app.services;
    await fillDemo(app.services);
    const found = (await examine(app)).get("database");
    expect(found).toContain("wrong: An older version's demo made it");
    for (const { email } of demoMembers) {
      expect(found).toContain(`member close ${email}`);
      const member = await accounts.findByEmail(email);
      await app.db.deleteFrom("seats").execute();
      await app.db
        .deleteFrom("members")
        .where("id", "=", member?.id ?? 0)
        .execute();
    }
    for (const { code } of demoCodes) await codes.revoke(code);
    expect((await examine(app)).get("database")).toMatch(/^ok: /);
  });

  test("reports a catalogue that is empty, broken or lacks an item", async () => {
    await using empty = await openApp({ engine });
    expect((await examine(empty)).get("privacy and terms")).toMatch(/^note: Visitors see our sample in place of your/);
    await using bare = await openApp({ engine, env: { INVOICE_SENDER: "Nest Ltd" } });
    expect((await examine(bare)).get("receipts and invoices")).toMatch(/^note: They don't show your address/);
    expect((await examine(empty)).get("catalogue")).toBe(
      "wrong: The content source is empty. Members would find nothing.",
    );
    const down: ContentSource = {
      ...createFixedContent([]),
      listItems: () => Promise.reject(new Error("The line is down")),
    };
    await using broken = await openApp({ engine, content: down });
    expect((await examine(broken)).get("catalogue")).toContain("wrong: We can't read the content source");
    await using short = await openApp({ engine, content: createFixedContent([item, { id: 2 }]) });
    expect((await examine(short)).get("catalogue")).toBe("note: 1 items; 1 were left out: see catalogue refresh.");
  });

  test("notes the age of content that could not be read again", async () => {
    let answer: unknown[] | Error | undefined = [item];
    const listItems = async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const content = { ...createFixedContent([]), listItems };
    await using app = await openApp({ engine, content });
    expect((await examine(app)).get("catalogue")).toBe("ok: 1 items.");
    answer = new Error("The line is down");
    expect((await examine(app)).get("catalogue")).toContain("wrong: ");
    answer = undefined;
    app.clock.advance(20 * MINUTE_IN_MS);
    const message =
      "note: 1 items, last read: 20/11/2026 03:00. No subscriber has logged in since, so we couldn't read them again.";
    expect((await examine(app)).get("catalogue")).toBe(message);
    await using fresh = await openApp({ engine, content });
    expect((await examine(fresh)).get("catalogue")).toContain("note: 0 items, last read: never.");
  });

  test("reports whether a server is running, and which of its jobs has stopped", async () => {
    await using app = await openApp({ engine });
    const message = async () => (await examine(app)).get("jobs");
    expect(await message()).toBe("note: No server has run on this database yet. Start one.");
    // The jobs that a server begins in its first second, long before its first shared job.
    await noteRun(app, "send-mail", SECOND_IN_MS);
    expect(await message()).toBe("ok: They're running.");
    await noteRun(app, "reconcile-payments", MINUTE_IN_MS);
    await noteRun(app, "purge-expired", HOUR_IN_MS);
    expect(await message()).toBe("ok: They're running.");
    app.clock.advance(11 * MINUTE_IN_MS);
    expect(await message()).toBe("note: No server has run on this database since 20/11/2026 03:00. Start one.");
    await noteRun(app, "look-after-companies", MINUTE_IN_MS);
    expect(await message()).toBe(
      "wrong: These haven't run for too long: send-mail, reconcile-payments. Restart the server.",
    );
  });

  test("an email that was given up is wrong for a day and then a note; one that does not leave is wrong", async () => {
    const refusing = createEmailList();
    refusing.answer = () => ({ ok: false, isPermanent: true, reason: "No such address" });
    await using app = await openApp({ engine, mailer: refusing });
    const { outbox } = app.services;
    const { db } = app.database;
    const message = async () => (await examine(app)).get("emails");
    await outbox.add({ key: "a", kind: "welcome", to: "a@b.example", mail }, db);
    expect(await message()).toBe("ok: None has failed, and none is late.");
    app.clock.advance(11 * MINUTE_IN_MS);
    expect(await message()).toBe("wrong: Waiting for more than ten minutes: 1. Is a server running?");
    await outbox.deliver();
    expect(await message()).toBe(
      "wrong: 1 couldn't be delivered: see mail list --state failed, then mail resend or mail acknowledge.",
    );
    app.clock.advance(DAY_IN_MS);
    expect(await message()).toContain("note: 1 couldn't be delivered");
  });

  test("a refusal at an address that was never proved is a note, and an acknowledged failure is not named", async () => {
    const mailer = createEmailList();
    mailer.answer = () => ({ ok: false, isPermanent: true, reason: "550 No such user" });
    await using app = await openApp({ engine, mailer });
    const { outbox } = app.services;
    const { db } = app.database;
    const message = async () => (await examine(app)).get("emails");
    await outbox.add({ key: "a", kind: "verification", to: "a@b.example", mail, isSecret: true }, db);
    await outbox.add({ key: "b", kind: "confirm-new-address", to: "a@b.example", mail, isSecret: true }, db);
    await outbox.deliver();
    expect(await message()).toBe("note: 2 bounced from unconfirmed addresses, which may be mistyped.");
    expect(await outbox.acknowledge({})).toBe(2);
    expect(await message()).toBe("ok: None has failed, and none is late.");

    // A mail server that was away for a day is a fault, whatever the email was about.
    mailer.answer = () => ({ ok: false, isPermanent: false, reason: "The mail server is away" });
    await outbox.add({ key: "c", kind: "verification", to: "c@b.example", mail, isSecret: true }, db);
    app.clock.advance(DAY_IN_MS);
    await outbox.deliver();
    expect(await message()).toContain("wrong: 1 couldn't be delivered");
    expect(await outbox.acknowledge({ id: 3 })).toBe(1);
    expect(await message()).toBe("ok: None has failed, and none is late.");
  });

  test("an order that could not be paid back is named with its sum", async () => {
    await using app = await openApp({ engine });
    const now = app.clock();
    const { db } = app.database;
    const at = { createdAt: now, updatedAt: now };
    const nobody = { email: "", firstName: "", lastName: "", postcode: "", country: "GB", site: "" };
    const sold = { accountType: "individual" as const, planType: 3, amountInPence: 6000, currency: "GBP" };
    const order = { id: 12, state: "refund-pending", ...nobody, ...sold, ...at };
    await db.insertInto("orders").values(order).execute();
    const payment = {
      orderId: 12,
      attempt: 1,
      page: "fields" as const,
      state: "refund-failed",
      amountInPence: 6000,
    };
    await db
      .insertInto("payments")
      .values({ ...payment, ...at })
      .execute();
    expect((await examine(app)).get("refunds")).toContain("wrong: Refund stuck: order 12 (£60.00)");
  });
});

test("a database on a server is known by its host, without user and password", () => {
  const config = readConfig({ DEMO: "true", DATABASE_URL: "postgres://operator:secret@db.example/app" });
  expect(toLocation(config.database)).toBe("PostgreSQL at db.example");
});

test("a database that can only be read is wrong", async () => {
  await using app = await openApp();
  await sql`pragma query_only = on`.execute(app.database.db);
  expect((await examine(app)).get("database")).toMatch(/^wrong: It can be read but not written to: .*readonly/);
});

test.each(onPostgres)("a clock that is off the database's is wrong, and one that agrees is not", async () => {
  await using off = await openApp({ engine: "postgres" });
  expect((await examine(off)).get("clock")).toMatch(/^wrong: It is \d+ seconds off the database's/);
  await using right = await openApp({ engine: "postgres", clock: createTestClock(new Date().toISOString()) });
  expect((await examine(right)).get("clock")).toBe("ok: It matches the database's clock.");
});

test("each part reports its state: unconfigured is a note, throwing is a fault", async () => {
  const findings = await checkParts({
    content: { isOpen: true, check: async () => ({ isWell: true, message: "It answers." }) },
    cards: { isOpen: true, check: async () => ({ isWell: false, message: "The key is refused: make a new one." }) },
    "Direct Debits": { isOpen: false, check: async () => ({ isWell: true, message: "None." }) },
    mail: { isOpen: true, check: () => Promise.reject(new Error("The line\nis down")) },
  });
  expect(findings).toEqual([
    { part: "content", state: "ok", message: "It answers." },
    { part: "cards", state: "wrong", message: "The key is refused: make a new one." },
    { part: "Direct Debits", state: "note", message: "None." },
    { part: "mail", state: "wrong", message: "The line is down." },
  ]);
});

test("numbers of help that nobody has compared with their sources for a year are noted", async () => {
  await using app = await openApp();
  const { urgentHelp } = app.services;
  const examineWith = (reviewed: string) => {
    const services = { ...app.services, urgentHelp: { ...urgentHelp, reviewed } };
    return examine({ ...app, services });
  };
  const today = toDay(app.clock());
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  expect((await examineWith(lastYear)).has("urgent help")).toBe(false);
  expect((await examineWith("2020-01-31")).get("urgent help")).toMatch(
    /^note: The phone numbers in .*urgent-help\.yaml/,
  );
});
