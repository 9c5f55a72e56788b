import { describe, expect, test } from "vitest";

import { openAccountHouse } from "../../tests/helpers/account-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { changeHeld, emailColumns, holdMember, unlessTaken } from "./held-member.ts";

describe.each(engines)("an account in hand on %s", (engine) => {
  test("an address that another takes at the same moment is taken, and nothing is kept", async () => {
    await using house = await openAccountHouse(engine);
    await house.register({ email: "bo@dormouse.example" });
    const { db } = house.database;
    // As it goes for two who both found the address free.
    const work = db.transaction().execute(async (trx) => {
      const held = await holdMember(house.memberId, trx);
      if (!held) throw new Error("Ada has gone");
      await changeHeld(held, { columns: { first_name: "Adela" }, trx });
      await changeHeld(held, { columns: emailColumns("Bo@dormouse.example"), trx });
      return "moved";
    });
    expect(await unlessTaken(work, "taken")).toBe("taken");
    expect(await house.rooms.profile.find(house.memberId)).toMatchObject({ firstName: "Ada" });
  });

  test("any other fault stays one", async () => {
    const work = Promise.reject(new Error("The line is down"));
    await expect(unlessTaken(work, "taken")).rejects.toThrow("The line is down");
  });

  test("there is nothing to hold of an account that is not there", async () => {
    await using house = await openAccountHouse(engine);
    expect(await holdMember(999, house.database.db)).toBeUndefined();
  });
});
