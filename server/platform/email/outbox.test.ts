import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { busy, code, deliverUntilQuiet, openOutboxApp, receipt, refused } from "../../../tests/helpers/outbox-app.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("the outbox on %s", (engine) => {
  test("an email leaves once, as it was written, and is then sent", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    expect(await app.oneEmail()).toMatchObject({ state: "waiting", attempts: 0, dueAt: app.clock() });
    expect(await app.outbox.deliver()).toBe(1);
    expect(await app.outbox.deliver()).toBe(0);
    expect(app.mailer.emails).toEqual([
      {
        id: expect.stringMatching(/^receipt-[0-9a-f]{16}$/),
        to: "Ada@dormouse.example",
        ...receipt.mail,
        createdAt: app.clock(),
      },
    ]);
    expect(await app.oneEmail()).toMatchObject({
      key: "receipt order-12",
      kind: "receipt",
      state: "sent",
      attempts: 1,
      sentAt: app.clock(),
      dueAt: undefined,
      isSecret: false,
    });
  });

  test("one key makes one email, however often and however concurrently it is added", async () => {
    await using app = await openOutboxApp(engine);
    await Promise.all(Array.from({ length: 10 }, () => app.add(receipt)));
    await app.add({ ...receipt, to: "other@dormouse.example", mail: { subject: "no", text: "no", html: "no" } });
    expect(await app.outbox.deliver()).toBe(1);
    await app.add(receipt);
    expect(await app.outbox.deliver()).toBe(0);
    expect(app.mailer.emails.map(({ subject }) => subject)).toEqual(["Your receipt"]);
  });

  test("a secret is sealed at rest, opened for the mailer, and erased once it was sent", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    expect(await app.dump()).not.toContain("271828");
    await app.outbox.deliver();
    expect(app.mailer.emails[0]).toMatchObject(code.mail);
    expect(await app.dump()).not.toContain("271828");
    expect(await app.db.selectFrom("emails").select("body").execute()).toEqual([{ body: null }]);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", isSecret: true });
  });

  test("a secret is kept while it is tried, and erased when it is given up", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    app.mailer.answer = () => busy;
    await app.outbox.deliver();
    expect(await app.dump()).not.toContain("271828");
    app.clock.advance(MINUTE_IN_MS);
    app.mailer.answer = () => refused;
    await app.outbox.deliver();
    expect(app.mailer.emails[1]).toMatchObject(code.mail);
    expect(await app.db.selectFrom("emails").select("body").execute()).toEqual([{ body: null }]);
  });

  test("an email sealed with another secret is given up, never sent sealed", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    await app.add(receipt);
    expect(await app.openServer({ secret: "another secret" }).deliver()).toBe(1);
    expect(app.mailer.emails.map(({ subject }) => subject)).toEqual(["Your receipt"]);
    const [failed] = await app.outbox.list({ state: "failed", limit: 9 });
    expect(failed).toMatchObject({ kind: "verification", lastError: expect.stringContaining("can't read its text") });
  });

  test.each(["no email", '{"subject":', ""])("an email with the body %j is given up", async (body) => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.db.updateTable("emails").set({ body }).execute();
    expect(await app.outbox.deliver()).toBe(0);
    expect(app.mailer.emails).toEqual([]);
    expect(await app.oneEmail()).toMatchObject({ state: "failed" });
  });

  test("lists emails newest first, filtered by state and by address in any case", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.outbox.deliver();
    app.clock.advance(1);
    await app.add({ ...receipt, key: "b", to: "bo@dormouse.example" });
    app.mailer.answer = () => refused;
    await app.outbox.deliver();
    await app.add({ ...receipt, key: "c" });
    await app.add({ ...receipt, key: "d" });
    const keys = async (filter: { state?: "waiting" | "sent" | "failed"; recipient?: string; limit?: number }) =>
      (await app.outbox.list({ limit: 9, ...filter })).map(({ key }) => key);
    expect(await keys({})).toEqual(["d", "c", "b", "receipt order-12"]);
    expect(await keys({ limit: 2 })).toEqual(["d", "c"]);
    expect(await keys({ state: "waiting" })).toEqual(["d", "c"]);
    expect(await keys({ state: "sent" })).toEqual(["receipt order-12"]);
    expect(await keys({ state: "failed" })).toEqual(["b"]);
    expect(await keys({ recipient: "ADA@dormouse.EXAMPLE" })).toEqual(["d", "c", "receipt order-12"]);
    expect(await keys({ recipient: "ada@dormouse.example", state: "failed" })).toEqual([]);
    expect(await keys({ recipient: "%" })).toEqual([]);
  });

  test("purging deletes emails sent or given up ninety days ago, and never waiting ones", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.outbox.deliver();
    app.mailer.answer = () => refused;
    await app.add({ ...receipt, key: "failed" });
    await app.outbox.deliver();
    await app.add({ ...receipt, key: "waiting" });
    app.clock.advance(90 * DAY_IN_MS - 1);
    expect(await app.outbox.purge()).toBe(0);
    app.clock.advance(1);
    expect(await app.outbox.purge()).toBe(2);
    expect((await app.oneEmail()).key).toBe("waiting");
  });

  test("purging deletes a newsletter to thousands, though one statement takes five hundred", async () => {
    await using app = await openOutboxApp(engine);
    const at = app.clock();
    const letter = { kind: "newsletter", recipient: "ada@dormouse.example", isSecret: 0, attempts: 1 } as const;
    const letters = Array.from({ length: 1001 }, (_, index) => ({
      ...letter,
      key: `${index}`,
      createdAt: at,
      sentAt: at,
    }));
    await app.db.insertInto("emails").values(letters).execute();
    app.clock.advance(90 * DAY_IN_MS);
    await app.add({ ...receipt, key: "waiting" });
    expect(await app.outbox.purge()).toBe(1001);
    expect((await app.oneEmail()).key).toBe("waiting");
  });
});

describe("emails that do not go", () => {
  test("an email that does not go is tried after 1, 5, 15 and 60 minutes, then hourly for a day, then given up", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add(receipt);
    app.mailer.answer = () => busy;
    const minutes = await deliverUntilQuiet(app);
    const hourly = Array.from({ length: 23 }, (_, hour) => 81 + 60 * (hour + 1));
    expect(minutes).toEqual([0, 1, 6, 21, 81, ...hourly]);
    expect(new Set(app.mailer.emails.map(({ id }) => id)).size).toBe(1);
    expect(await app.oneEmail()).toMatchObject({ state: "failed", failedAt: app.clock(), lastError: busy.reason });
    expect(app.log.lines).toEqual([
      {
        level: "warn",
        event: "an email was given up",
        facts: { mail: (await app.oneEmail()).id, kind: "receipt" },
      },
    ]);
  });

  test("a failing email, or a mailer that throws, does not stop the others", async () => {
    await using app = await openOutboxApp("sqlite");
    for (const order of [1, 2, 3, 4]) await app.add({ ...receipt, key: `receipt ${order}`, to: `m${order}@x.example` });
    app.mailer.answer = ({ to }) => {
      if (to === "m1@x.example") throw new Error("the mailer broke over ada@dormouse.example");
      if (to === "m2@x.example") return refused;
      if (to === "m3@x.example") return busy;
      return { ok: true };
    };
    expect(await app.outbox.deliver()).toBe(1);
    const states = (await app.outbox.list({ limit: 9 })).map(({ key, state }) => [key, state]);
    expect(Object.fromEntries(states)).toEqual({
      "receipt 1": "waiting",
      "receipt 2": "failed",
      "receipt 3": "waiting",
      "receipt 4": "sent",
    });
    const given = await app.outbox.list({ state: "failed", limit: 9 });
    expect(given).toMatchObject([{ attempts: 1, lastError: "550 no such box <ada@dormouse.example>" }]);
  });

  test("what a mail server quotes of a secret email is noted without its codes and links", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add({ ...receipt, isSecret: true });
    const token = "a1b2C3d4-e5f6_a1b2C3d4e5f6";
    app.mailer.answer = () => ({ ok: false, isPermanent: true, reason: `554 5.7.1 spam: "123456" ${token}` });
    await app.outbox.deliver();
    expect((await app.oneEmail()).lastError).toBe('554 5.7.1 spam: "…" …');
  });

  test("an email whose outcome cannot be recorded is tried again after the lease, and the others go meanwhile", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add(receipt);
    await app.add({ ...receipt, key: "receipt order-13", to: "bo@dormouse.example" });
    let unreadable: unknown = Symbol("no reason at all");
    app.mailer.answer = () => {
      if (!unreadable) return { ok: true };
      const delivery = { ok: false, isPermanent: false, reason: unreadable as string } as const;
      unreadable = undefined;
      return delivery;
    };
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.log.lines).toMatchObject([{ level: "error", facts: { kind: "receipt" } }]);
    expect(await app.outbox.deliver()).toBe(0);
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.outbox.deliver()).toBe(1);
  });

  test("a run ends even if every email fails, and leaves emails that became due meanwhile to the next", async () => {
    await using app = await openOutboxApp("sqlite");
    for (let order = 1; order <= 60; order += 1) await app.add({ ...receipt, key: `receipt order-${order}` });
    app.mailer.answer = () => {
      app.clock.advance(MINUTE_IN_MS);
      return busy;
    };
    await app.outbox.deliver();
    expect(app.mailer.emails).toHaveLength(60);
  });

  test("an email that was sent or given up can be sent again, with a day of tries of its own", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add(receipt);
    await app.outbox.deliver();
    app.clock.advance(30 * DAY_IN_MS);
    const { id } = await app.oneEmail();
    expect(await app.outbox.resend(id)).toBe("queued");
    expect(await app.oneEmail()).toMatchObject({ state: "waiting", attempts: 0, sentAt: undefined });
    app.mailer.answer = () => busy;
    expect((await deliverUntilQuiet(app)).length).toBeGreaterThan(20);
    expect(await app.oneEmail()).toMatchObject({ state: "failed" });
    app.mailer.answer = () => ({ ok: true });
    expect(await app.outbox.resend(id)).toBe("queued");
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails.at(-1)).toMatchObject({ ...receipt.mail, createdAt: app.clock() });
    expect(app.mailer.emails.at(-1)?.id).not.toBe(app.mailer.emails[0]?.id);
    expect(await app.oneEmail()).toMatchObject({ state: "sent", failedAt: undefined });
  });

  test("resending an email that waits for its next try makes it due now, and changes nothing else", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add(code);
    app.mailer.answer = () => busy;
    await app.outbox.deliver();
    app.mailer.answer = () => ({ ok: true });
    app.clock.advance(1000);
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.outbox.resend((await app.oneEmail()).id)).toBe("queued");
    expect(await app.outbox.deliver()).toBe(1);
    expect(app.mailer.emails[1]).toEqual(app.mailer.emails[0]);
  });

  test("an erased secret email and an unknown one cannot be sent again", async () => {
    await using app = await openOutboxApp("sqlite");
    await app.add(code);
    const { id } = await app.oneEmail();
    expect(await app.outbox.resend(id)).toBe("queued");
    await app.outbox.deliver();
    expect(await app.outbox.resend(id)).toBe("gone");
    expect(await app.outbox.resend(id + 1)).toBe("unknown");
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.oneEmail()).toMatchObject({ state: "sent" });
  });
});

describe.each(engines)("a member's emails in the outbox on %s", (engine) => {
  test("an export has a member's emails, oldest first, without secrets", async () => {
    await using app = await openOutboxApp(engine);
    const memberId = await app.register("ada@dormouse.example");
    const other = await app.register("bo@dormouse.example");
    await app.add({ ...code, memberId });
    app.clock.advance(1);
    await app.add({ ...receipt, memberId });
    await app.add({ ...receipt, key: "other", memberId: other });
    const records = await app.outbox.listFor({ memberId, email: "ada@dormouse.example" });
    expect(records).toMatchObject([
      { kind: "verification", subject: undefined, text: undefined, sentAt: undefined },
      { kind: "receipt", to: "Ada@dormouse.example", subject: "Your receipt", text: "£60.00 was paid." },
    ]);
    expect(JSON.stringify(records)).not.toContain("271828");
    await app.outbox.deliver();
    expect((await app.outbox.listFor({ memberId, email: "ada@dormouse.example" })).map(({ sentAt }) => sentAt)).toEqual(
      [app.clock(), app.clock()],
    );
  });

  test("erasing deletes the emails of a member and of their sign-up, and no one else's", async () => {
    await using app = await openOutboxApp(engine);
    const memberId = await app.register("ada@dormouse.example");
    const other = await app.register("bo@dormouse.example");
    await app.add(code);
    await app.add({ ...receipt, memberId });
    await app.add({ ...receipt, key: "other member", to: "bo@dormouse.example", memberId: other });
    await app.add({ ...code, key: "other sign-up", to: "cy@dormouse.example" });
    await app.add({ ...receipt, key: "company", kind: "company-mandate" });
    await app.add({ ...code, key: "same address", memberId: other });
    await app.db.transaction().execute((trx) => app.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx));
    const left = (await app.outbox.list({ limit: 9 })).map(({ key }) => key);
    expect(left.toSorted()).toEqual(["company", "other member", "other sign-up", "same address"]);
  });

  test("an address that changes hands does not take the former member's emails along", async () => {
    await using app = await openOutboxApp(engine);
    const memberId = await app.register("ada@new.example");
    const other = await app.register("ada@dormouse.example");
    const add = (key: string, of?: number) =>
      app.add({ ...receipt, key, kind: of ? "receipt" : "refund", memberId: of });
    await add("hers before she was a member");
    await add("hers", memberId);
    await add("his before he was a member");
    await add("his", other);
    await add("his, of a second payment");
    const listKeys = async () => (await app.outbox.list({ limit: 9 })).map(({ key }) => key);
    expect(await app.outbox.listFor({ memberId, email: "ada@new.example" })).toHaveLength(2);
    expect(await app.outbox.listFor({ memberId: other, email: "ada@dormouse.example" })).toHaveLength(3);
    await app.db.transaction().execute((trx) => app.outbox.erase({ memberId, email: "ada@new.example" }, trx));
    expect((await listKeys()).filter((key) => key.startsWith("hers"))).toEqual([]);
    expect(await listKeys()).toHaveLength(3);
  });

  test("erasing a member while their email is being sent causes no fault", async () => {
    await using app = await openOutboxApp(engine);
    const memberId = await app.register("ada@dormouse.example");
    await app.add({ ...receipt, memberId });
    app.mailer.answer = async () => {
      await app.db.deleteFrom("members").where("id", "=", memberId).execute();
      return busy;
    };
    expect(await app.outbox.deliver()).toBe(0);
    expect(await app.outbox.list({ limit: 9 })).toEqual([]);
    expect(app.log.lines).toEqual([]);
  });
});
