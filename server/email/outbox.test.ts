import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, openOutboxApp, receipt, refused } from "../../tests/helpers/outbox-app.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { createSeal } from "../seal.ts";
import { createOutbox } from "./outbox.ts";

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

  test("one cause writes one email, however often and however many at once", async () => {
    await using app = await openOutboxApp(engine);
    await Promise.all(Array.from({ length: 10 }, () => app.add(receipt)));
    await app.add({ ...receipt, to: "other@dormouse.example", mail: { subject: "no", text: "no", html: "no" } });
    expect(await app.outbox.deliver()).toBe(1);
    await app.add(receipt);
    expect(await app.outbox.deliver()).toBe(0);
    expect(app.mailer.emails.map(({ subject }) => subject)).toEqual(["Your receipt"]);
  });

  test("an email whose cause was undone was never written", async () => {
    await using app = await openOutboxApp(engine);
    const undone = app.db.transaction().execute(async (trx) => {
      await app.outbox.add(receipt, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await app.outbox.deliver()).toBe(0);
    await app.add(receipt);
    expect(await app.outbox.deliver()).toBe(1);
  });

  test("an email keeps its place in a long queue while the clock goes on", async () => {
    await using app = await openOutboxApp(engine);
    for (const key of ["first", "second", "third"]) {
      await app.add({ ...receipt, key, mail: { ...receipt.mail, subject: key } });
      app.clock.advance(HOUR_IN_MS);
    }
    await app.outbox.deliver();
    expect(app.mailer.emails.map(({ subject }) => subject)).toEqual(["first", "second", "third"]);
  });

  test("a secret is sealed at rest, opened for the mailer, and erased once it was sent", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    expect(await app.dump()).not.toContain("271828");
    await app.outbox.deliver();
    expect(app.mailer.emails[0]).toMatchObject(code.mail);
    expect(await app.dump()).not.toContain("271828");
    expect(await app.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
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
    expect(await app.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
  });

  test("what was sealed with another secret is given up, never sent as it lies there", async () => {
    await using app = await openOutboxApp(engine);
    await app.add(code);
    await app.add(receipt);
    const seal = createSeal("another secret", "letters");
    expect(await createOutbox({ ...app.setting, seal }).deliver()).toBe(1);
    expect(app.mailer.emails.map(({ subject }) => subject)).toEqual(["Your receipt"]);
    const [failed] = await app.outbox.list({ state: "failed", limit: 9 });
    expect(failed).toMatchObject({ kind: "verification", lastError: expect.stringContaining("cannot be read") });
  });

  test.each([
    ["altered", "no email"],
    ["cut short", '{"subject":'],
    ["empty", ""],
  ])("words that are %s are given up", async (_, body) => {
    await using app = await openOutboxApp(engine);
    await app.add(receipt);
    await app.db.updateTable("letters").set({ body }).execute();
    expect(await app.outbox.deliver()).toBe(0);
    expect(app.mailer.emails).toEqual([]);
    expect(await app.oneEmail()).toMatchObject({ state: "failed" });
  });

  test("the list is newest first, by state and by address whatever its capitals", async () => {
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

  test("purging forgets what was sent or given up ninety days ago, and never what waits", async () => {
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
});
