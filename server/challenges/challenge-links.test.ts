import { describe, expect, test } from "vitest";

import { openChallengeHouse as openHouse, whose } from "../../tests/helpers/challenge-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("links of challenges on %s", (engine) => {
  test("a link is looked at as often as one likes and claimed once", async () => {
    await using house = await openHouse(engine);
    const { token } = await house.start();
    for (let count = 0; count < 3; count += 1) expect(await house.challenges.peekLink("sign-up", token)).toBe("12");
    expect(await house.challenges.claimLink("sign-up", token)).toBe("12");
    expect(await house.challenges.claimLink("sign-up", token)).toBeUndefined();
    expect(await house.challenges.peekLink("sign-up", token)).toBeUndefined();
  });

  test("of ten claims at once one gets it", async () => {
    await using house = await openHouse(engine);
    const { token } = await house.start();
    const claims = Array.from({ length: 10 }, () => house.challenges.claimLink("sign-up", token));
    expect((await Promise.all(claims)).filter((subject) => subject === "12")).toHaveLength(1);
  });

  test("a link lives as long as it was given, to the millisecond", async () => {
    await using house = await openHouse(engine);
    const { token } = await house.start();
    house.clock.advance(DAY_IN_MS - 1);
    expect(await house.challenges.peekLink("sign-up", token)).toBe("12");
    house.clock.advance(1);
    expect(await house.challenges.peekLink("sign-up", token)).toBeUndefined();
    expect(await house.challenges.claimLink("sign-up", token)).toBeUndefined();
  });

  test("a link still works when its code is worn out", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start();
    for (let count = 0; count < 6; count += 1) await house.answer(otherThan(code));
    expect(await house.challenges.claimLink("sign-up", token)).toBe("12");
  });

  test("a link of another purpose, altered or empty, is nobody's and stays unused", async () => {
    await using house = await openHouse(engine);
    const { token } = await house.start();
    expect(await house.challenges.claimLink("password-reset", token)).toBeUndefined();
    expect(await house.challenges.claimLink("sign-up", `${token}x`)).toBeUndefined();
    expect(await house.challenges.claimLink("sign-up", "")).toBeUndefined();
    expect(await house.challenges.peekLink("sign-up", "\0")).toBeUndefined();
    expect(await house.challenges.claimLink("sign-up", token)).toBe("12");
  });

  test("claiming is undone with the transaction it was part of", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start();
    const crash = house.db.transaction().execute(async (trx) => {
      expect(await house.challenges.claimLink("sign-up", token, trx)).toBe("12");
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    const crashWithCode = house.db.transaction().execute(async (trx) => {
      expect(await house.challenges.answerCode({ ...whose, code }, trx)).toBe("right");
      throw new Error("crash");
    });
    await expect(crashWithCode).rejects.toThrow("crash");
    expect(await house.challenges.claimLink("sign-up", token)).toBe("12");
  });
});
