import { describe, expect, test } from "vitest";

import { ada, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { closeForGood, GRACE_IN_MS } from "../../tests/helpers/closed-account.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a closed account on %s", (engine) => {
  test("until it is erased the letter's link opens it again, as it was", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, profile, favourites } = house.rooms;
    await favourites.save(house.memberId, { kind: "watch", id: 2001 });
    const token = await closeForGood(house);
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.findReopening(token)).toEqual({ email: ada.email });
    expect(await closure.reopen(token)).toBe("reopened");
    expect(await closure.reopen(token)).toBe("over");
    expect(await closure.findReopening(token)).toBeUndefined();
    expect(await profile.find(house.memberId)).toMatchObject({ firstName: "Ada", email: ada.email });
    expect(await house.canLogIn(ada.email, ada.password)).toBe(true);
    expect(JSON.stringify(await favourites.listFor(house.memberId))).toContain("2001");
    house.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue()).toBe(0);
  });

  test("it may be closed again, and only the newer letter opens it", async () => {
    await using house = await openAccountHouse(engine);
    const { closure } = house.rooms;
    await closure.reopen(await closeForGood(house));
    const second = await closeForGood(house);
    expect(await closure.reopen(second)).toBe("reopened");
    const third = await closeForGood(house);
    expect(await closure.reopen(second)).toBe("over");
    expect(await closure.reopen(third)).toBe("reopened");
  });

  test("its address is free: somebody may join with it, and then it cannot come back", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts } = house.rooms;
    const token = await closeForGood(house);
    const other = await house.register({ firstName: "Eve" });
    expect(other.id).not.toBe(house.memberId);
    expect(await closure.reopen(token)).toBe("email-taken");
    expect(await accounts.findMember(other.id)).toMatchObject({ firstName: "Eve" });

    await accounts.erase(other.id, house.database.db);
    expect(await closure.reopen(token), "free again").toBe("reopened");
  });

  test("ten people open it and the task erases it at once: it is there with its address, or gone", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts } = house.rooms;
    const token = await closeForGood(house);
    // A clock that lags: the link is good still, and the account is due by the other process's time.
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    await house.database.db.updateTable("members").set({ erase_at: "2026-12-04T02:59:59.000Z" }).execute();
    const [erased, ...opened] = await Promise.all([
      closure.eraseDue(),
      ...Array.from({ length: 10 }, () => closure.reopen(token)),
    ]);
    const reopened = opened.filter((result) => result === "reopened").length;
    expect(erased + reopened).toBe(1);
    expect((await accounts.findByEmail(ada.email)) !== undefined).toBe(reopened === 1);
    await house.rooms.outbox.deliver();
    expect(house.letters.some(({ subject }) => subject === "Your account is erased")).toBe(erased === 1);
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("it opens while somebody joins with its address: one of the two has it", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts } = house.rooms;
    const token = await closeForGood(house);
    const details = { email: ada.email, firstName: "Eve", lastName: "Marsh", accountType: "individual" as const };
    const [opened, joined] = await Promise.all([
      closure.reopen(token),
      accounts.admit({ ...details, passwordHash: "$argon2id$none" }, house.database.db),
    ]);
    expect([opened === "reopened", joined !== undefined].filter(Boolean)).toHaveLength(1);
    expect(opened === "reopened" || opened === "email-taken").toBe(true);
  });
});
