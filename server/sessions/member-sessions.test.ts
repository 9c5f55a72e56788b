import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";

describe.each(engines)("all sessions of a member on %s", (engine) => {
  test("they are listed the newest first, and end together, and nobody else's do", async () => {
    await using house = await openHouse(engine);
    const { accounts, sessions } = house.rooms;
    const details = { password: "sleep-well-tonight", lastName: "Lovell", accountType: "individual" as const };
    const ada = await accounts.register({ ...details, firstName: "Ada", email: "ada@dormouse.example" });
    const bo = await accounts.register({ ...details, firstName: "Bo", email: "bo@dormouse.example" });
    const first = await sessions.start(ada?.id ?? 0);
    house.clock.advance(60_000);
    const second = await sessions.start(ada?.id ?? 0);
    const others = await sessions.start(bo?.id ?? 0);

    expect(await sessions.listFor(ada?.id ?? 0)).toMatchObject([
      { startedAt: new Date("2026-11-20T03:01:00.000Z"), expiresAt: second.expiresAt },
      { startedAt: new Date("2026-11-20T03:00:00.000Z"), expiresAt: first.expiresAt },
    ]);
    expect(await sessions.endAll(ada?.id ?? 0)).toBe(2);
    expect(await sessions.endAll(ada?.id ?? 0)).toBe(0);
    expect(await sessions.find(first.token)).toBeUndefined();
    expect(await sessions.find(others.token)).toBeDefined();
  });
});
