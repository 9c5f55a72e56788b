import { describe, expect, test } from "vitest";

import { openChallengeApp as openApp, whose } from "../../tests/helpers/challenge-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("links of challenges on %s", (engine) => {
  test("a link is looked at as often as one likes and claimed once", async () => {
    await using app = await openApp(engine);
    const { token } = await app.start();
    for (let count = 0; count < 3; count += 1) expect(await app.challenges.peekLink("sign-up", token)).toBe("12");
    expect(await app.challenges.claimLink("sign-up", token)).toBe("12");
    expect(await app.challenges.claimLink("sign-up", token)).toBeUndefined();
    expect(await app.challenges.peekLink("sign-up", token)).toBeUndefined();
  });

  test("of ten claims at once one gets it", async () => {
    await using app = await openApp(engine);
    const { token } = await app.start();
    const claims = Array.from({ length: 10 }, () => app.challenges.claimLink("sign-up", token));
    expect((await Promise.all(claims)).filter((subject) => subject === "12")).toHaveLength(1);
  });

  test("a link lives as long as it was given, to the millisecond", async () => {
    await using app = await openApp(engine);
    const { token } = await app.start();
    app.clock.advance(DAY_IN_MS - 1);
    expect(await app.challenges.peekLink("sign-up", token)).toBe("12");
    app.clock.advance(1);
    expect(await app.challenges.peekLink("sign-up", token)).toBeUndefined();
    expect(await app.challenges.claimLink("sign-up", token)).toBeUndefined();
  });

  test("a link still works when its code is worn out", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start();
    for (let count = 0; count < 6; count += 1) await app.answer(otherThan(code));
    expect(await app.challenges.claimLink("sign-up", token)).toBe("12");
  });

  test("a link of another purpose, altered or empty, is nobody's and stays unused", async () => {
    await using app = await openApp(engine);
    const { token } = await app.start();
    expect(await app.challenges.claimLink("password-reset", token)).toBeUndefined();
    expect(await app.challenges.claimLink("sign-up", `${token}x`)).toBeUndefined();
    expect(await app.challenges.claimLink("sign-up", "")).toBeUndefined();
    expect(await app.challenges.peekLink("sign-up", "\0")).toBeUndefined();
    expect(await app.challenges.claimLink("sign-up", token)).toBe("12");
  });

  test("claiming is undone with the transaction it was part of", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start();
    const crash = app.db.transaction().execute(async (trx) => {
      expect(await app.challenges.claimLink("sign-up", token, trx)).toBe("12");
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    const crashWithCode = app.db.transaction().execute(async (trx) => {
      expect(await app.challenges.answerCode({ ...whose, code }, trx)).toBe("right");
      throw new Error("crash");
    });
    await expect(crashWithCode).rejects.toThrow("crash");
    expect(await app.challenges.claimLink("sign-up", token)).toBe("12");
  });
});
