import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, openOutboxApp, receipt } from "../../tests/helpers/outbox-app.ts";

describe.each(engines)("what the outbox has of a member on %s", (engine) => {
  test("an export has what a member was written, oldest first, and no secret", async () => {
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

  test("erasing forgets a member's emails and those of their sign-up, and nobody else's", async () => {
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

  test("an address that passes on takes nobody's emails along", async () => {
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

  test("erasing is undone with the transaction it belongs to", async () => {
    await using app = await openOutboxApp(engine);
    const memberId = await app.register("ada@dormouse.example");
    await app.add({ ...receipt, memberId });
    const undone = app.db.transaction().execute(async (trx) => {
      await app.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await app.outbox.listFor({ memberId, email: "ada@dormouse.example" })).toHaveLength(1);
  });

  test("a member erased while their email is on its way hurts nothing", async () => {
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
