import { describe, expect, test } from "vitest";

import { asked, openChallengeHouse as openHouse } from "../../tests/helpers/challenge-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { after, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { RESEND_AFTER_IN_MS } from "./challenges.ts";

describe.each(engines)("new challenges on %s", (engine) => {
  test("a new one voids the one before and has tries of its own", async () => {
    await using house = await openHouse(engine);
    const first = await house.start();
    for (let count = 0; count < 4; count += 1) await house.answer(otherThan(first.code));
    house.clock.advance(RESEND_AFTER_IN_MS);
    const second = await house.start();
    expect(second.token).not.toBe(first.token);
    expect(await house.challenges.claimLink("sign-up", first.token)).toBeUndefined();
    for (let count = 0; count < 4; count += 1) expect(await house.answer(otherThan(second.code))).toBe("wrong");
    expect(await house.answer(second.code)).toBe("right");
  });

  test("within a minute a new one is refused, and the one before stays good", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    house.clock.advance(20 * SECOND_IN_MS);
    expect(await house.challenges.start(asked)).toEqual({
      ok: false,
      reason: "too-soon",
      waitInMs: 40 * SECOND_IN_MS,
    });
    expect(await house.answer(code)).toBe("right");
  });

  test("a new one may come a minute later, to the millisecond, even when the one before has expired", async () => {
    await using house = await openHouse(engine);
    await house.start({ ...asked, linkLifeInMs: SECOND_IN_MS });
    house.clock.advance(RESEND_AFTER_IN_MS - 1);
    expect(await house.challenges.start(asked)).toEqual({ ok: false, reason: "too-soon", waitInMs: 1 });
    house.clock.advance(1);
    expect(await house.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test.each([0, RESEND_AFTER_IN_MS, HOUR_IN_MS])(
    "of ten started at once one wins, %i ms after the last",
    async (ms) => {
      await using house = await openHouse(engine);
      if (ms > 0) await house.start();
      house.clock.advance(ms);
      const results = await Promise.all(Array.from({ length: 10 }, () => house.challenges.start(asked)));
      const won = results.filter((result) => result.ok);
      expect(won).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.waitInMs === RESEND_AFTER_IN_MS)).toHaveLength(9);
      expect(await house.answer(won[0]?.code ?? "")).toBe("right");
    },
  );

  test("one that its transaction undoes was never started", async () => {
    await using house = await openHouse(engine);
    const crash = house.db.transaction().execute(async (trx) => {
      await house.challenges.start(asked, trx);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await house.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test("voiding makes code and link worthless and lets a new one start at once", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start();
    await house.challenges.void("sign-up", "12");
    expect(await house.answer(code)).toBe("none");
    expect(await house.challenges.peekLink("sign-up", token)).toBeUndefined();
    expect(await house.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test("all that one owner has can be voided at once, or what was started since an instant", async () => {
    await using house = await openHouse(engine);
    const early = await house.start({ ...asked, subject: "12 first" });
    house.clock.advance(SECOND_IN_MS);
    const since = house.clock();
    const late = await house.start({ ...asked, subject: "12 second" });
    const strangers = [
      { ...asked, subject: "123 first" },
      { ...asked, subject: "1 12 first" },
      { ...asked, subject: "12 first", purpose: "other" },
    ];
    const others = await Promise.all(strangers.map((challenge) => house.start(challenge)));
    const owned = { owner: 12, purposes: ["sign-up", "none"] };
    const isThere = async (token: string) => (await house.challenges.peekLink("sign-up", token)) !== undefined;

    await house.challenges.voidAll({ ...owned, since });
    expect([await isThere(early.token), await isThere(late.token)]).toEqual([true, false]);
    await house.challenges.voidAll(owned);
    expect(await isThere(early.token)).toBe(false);
    for (const [index, { purpose }] of strangers.entries()) {
      expect(await house.challenges.peekLink(purpose, others[index]?.token ?? "")).toBe(strangers[index]?.subject);
    }
  });

  test("when it was started is known while it is there", async () => {
    await using house = await openHouse(engine);
    const startedAt = house.clock();
    const { code } = await house.start();
    house.clock.advance(30 * SECOND_IN_MS);
    expect(await house.challenges.findStart("sign-up", "12")).toEqual(startedAt);
    expect(await house.challenges.findStart("sign-up", "13")).toBeUndefined();
    await house.answer(code);
    expect(await house.challenges.findStart("sign-up", "12")).toBeUndefined();
  });

  test("purging forgets those whose link has expired and keeps the others", async () => {
    await using house = await openHouse(engine);
    await house.start({ ...asked, linkLifeInMs: HOUR_IN_MS });
    const other = await house.start({ ...asked, subject: "13" });
    house.clock.advance(HOUR_IN_MS);
    expect(await house.challenges.purge()).toBe(1);
    expect(await house.answer("123456")).toBe("none");
    expect(await house.challenges.peekLink("sign-up", other.token)).toBe("13");
    expect(await house.challenges.findStart("sign-up", "13")).toEqual(after(house.clock(), -HOUR_IN_MS));
  });
});
