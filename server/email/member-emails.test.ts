import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { busy, code, openOutboxHouse, receipt } from "../../tests/helpers/outbox-house.ts";

describe.each(engines)("what the outbox has of a member on %s", (engine) => {
  test("an export has what a member was written, oldest first, and no secret", async () => {
    await using house = await openOutboxHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    const other = await house.register("bo@dormouse.example");
    await house.add({ ...code, memberId });
    house.clock.advance(1);
    await house.add({ ...receipt, memberId });
    await house.add({ ...receipt, key: "other", memberId: other });
    const records = await house.outbox.listFor({ memberId, email: "ada@dormouse.example" });
    expect(records).toMatchObject([
      { kind: "verification", subject: undefined, text: undefined, sentAt: undefined },
      { kind: "receipt", to: "Ada@dormouse.example", subject: "Your receipt", text: "£60.00 was paid." },
    ]);
    expect(JSON.stringify(records)).not.toContain("271828");
    await house.outbox.deliver();
    expect(
      (await house.outbox.listFor({ memberId, email: "ada@dormouse.example" })).map(({ sentAt }) => sentAt),
    ).toEqual([house.clock(), house.clock()]);
  });

  test("erasing forgets a member's letters and those of their sign-up, and nobody else's", async () => {
    await using house = await openOutboxHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    const other = await house.register("bo@dormouse.example");
    await house.add(code);
    await house.add({ ...receipt, memberId });
    await house.add({ ...receipt, key: "other member", to: "bo@dormouse.example", memberId: other });
    await house.add({ ...code, key: "other sign-up", to: "cy@dormouse.example" });
    await house.add({ ...receipt, key: "company", kind: "company-mandate" });
    await house.add({ ...code, key: "same address", memberId: other });
    await house.db.transaction().execute((trx) => house.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx));
    const left = (await house.outbox.list({ limit: 9 })).map(({ key }) => key);
    expect(left.toSorted()).toEqual(["company", "other member", "other sign-up", "same address"]);
  });

  test("an address that passes on takes nobody's letters along", async () => {
    await using house = await openOutboxHouse(engine);
    const memberId = await house.register("ada@new.example");
    const other = await house.register("ada@dormouse.example");
    const add = (key: string, of?: number) =>
      house.add({ ...receipt, key, kind: of ? "receipt" : "refund", memberId: of });
    await add("hers before she was a member");
    await add("hers", memberId);
    await add("his before he was a member");
    await add("his", other);
    await add("his, of a second payment");
    const listKeys = async () => (await house.outbox.list({ limit: 9 })).map(({ key }) => key);
    expect(await house.outbox.listFor({ memberId, email: "ada@new.example" })).toHaveLength(2);
    expect(await house.outbox.listFor({ memberId: other, email: "ada@dormouse.example" })).toHaveLength(3);
    await house.db.transaction().execute((trx) => house.outbox.erase({ memberId, email: "ada@new.example" }, trx));
    expect((await listKeys()).filter((key) => key.startsWith("hers"))).toEqual([]);
    expect(await listKeys()).toHaveLength(3);
  });

  test("erasing is undone with the transaction it belongs to", async () => {
    await using house = await openOutboxHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    await house.add({ ...receipt, memberId });
    const undone = house.db.transaction().execute(async (trx) => {
      await house.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await house.outbox.listFor({ memberId, email: "ada@dormouse.example" })).toHaveLength(1);
  });

  test("a member erased while their letter is on its way hurts nothing", async () => {
    await using house = await openOutboxHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    await house.add({ ...receipt, memberId });
    house.mailer.answer = async () => {
      await house.db.deleteFrom("members").where("id", "=", memberId).execute();
      return busy;
    };
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.outbox.list({ limit: 9 })).toEqual([]);
    expect(house.log.lines).toEqual([]);
  });
});
