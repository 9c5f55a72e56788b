import { describe, expect, test } from "vitest";

import { ada, home, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { closeForGood, GRACE_IN_MS } from "../../tests/helpers/closed-account.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a closed account on %s", (engine) => {
  test("after fourteen days the link is over and the task erases it, with one last letter", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts, outbox, tasks, audit } = house.rooms;
    const token = await closeForGood(house);
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.eraseDue()).toBe(0);
    house.clock.advance(SECOND_IN_MS);
    expect(await closure.reopen(token)).toBe("over");
    await tasks.run("erase-closed-accounts");
    expect(await accounts.findRecord(house.memberId)).toBeUndefined();
    expect((await house.findLetter(ada.email))?.subject).toBe("Your account is erased");
    expect(await audit.listFor(house.memberId)).toMatchObject([{ action: "member erase" }]);
    expect(await closure.eraseDue()).toBe(0);

    await outbox.purge();
    for (const table of ["members", "letters", "challenges", "sessions", "drafts", "audit"] as const) {
      const rows = await house.database.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toMatch(/ada|lovell/i);
    }
  });

  test("the last letter is kept until it has left", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, outbox } = house.rooms;
    await closeForGood(house);
    house.clock.advance(GRACE_IN_MS);
    await closure.eraseDue();
    await outbox.purge();
    expect((await house.findLetter(ada.email))?.subject).toBe("Your account is erased");
  });

  test("erasing it leaves whoever has the address now alone", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, outbox, accounts } = house.rooms;
    await closeForGood(house);
    const other = await house.register();
    const letter = { subject: "Refund", text: "£60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: ada.email, letter };
    house.clock.advance(GRACE_IN_MS);
    await outbox.add(refund, house.database.db);
    const wrote = async (memberId: number) =>
      (await outbox.listFor({ memberId, email: ada.email })).map(({ subject }) => subject);
    expect(await wrote(other.id)).toContain(letter.subject);
    expect(await closure.eraseDue()).toBe(1);
    expect(await accounts.findMember(other.id)).toBeDefined();
    expect((await outbox.list({ limit: 9 })).map(({ key }) => key)).toContain(refund.key);
  });

  test("a seat at a company's code is kept for the two weeks and free afterwards", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, codes, transact } = house.rooms;
    await codes.create({ code: "PILLOW", seats: 5 });
    await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: house.memberId }, trx));
    await closeForGood(house);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
    house.clock.advance(GRACE_IN_MS);
    await closure.eraseDue();
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("one that cannot be erased yet keeps nobody else waiting, and is tried again", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, sessions } = house.rooms;
    const bo = await house.register({ email: "bo@dormouse.example" });
    await closeForGood(house);
    house.clock.advance(HOUR_IN_MS);
    await closure.close({ ...home, memberId: bo.id, password: ada.password });
    const { db } = house.database;
    const order = {
      member_id: house.memberId,
      state: "refund-pending",
      email: ada.email,
      updated_at: "",
      created_at: "",
    };
    const person = { first_name: "Ada", last_name: "Lovell", postcode: "", country: "GB", site: home.site };
    const paid = { account_type: "individual" as const, plan_type: 1, amount_in_pence: 1500, currency: "GBP" };
    await db
      .insertInto("orders")
      .values({ ...order, ...person, ...paid })
      .execute();
    house.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue()).toBe(1);
    expect(house.log.lines).toContainEqual(
      expect.objectContaining({ level: "warn", facts: { member: house.memberId } }),
    );
    await db.updateTable("orders").set({ state: "refunded" }).execute();
    expect(await closure.eraseDue()).toBe(1);
    expect(await sessions.listFor(house.memberId)).toEqual([]);
  });
});
