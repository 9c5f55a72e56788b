import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createKeyedHash } from "../keyed-hash.ts";
import { createChallenges, RESEND_AFTER_IN_MS, type NewChallenge } from "./challenges.ts";

const whose = { purpose: "sign-up", subject: "12" };
const asked: NewChallenge = { ...whose, linkLifeInMs: DAY_IN_MS };

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const hash = createKeyedHash("secret", "challenge");
  const challenges = createChallenges({ db: database.db, clock, hash });
  const start = async (challenge = asked) => {
    const result = await challenges.start(challenge);
    if (!result.ok) throw new Error(result.reason);
    return result;
  };
  const answer = (code: string) => challenges.answerCode({ ...whose, code });
  return { ...database, clock, challenges, start, answer };
}

/** A code that is not this one. */
function wrongFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

function countOf<T>(values: T[]): Map<T, number> {
  return values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map<T, number>());
}

describe.each(engines)("challenges on %s", (engine) => {
  test("the code is right once", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    expect(await house.answer(code)).toBe("right");
    expect(await house.answer(code)).toBe("none");
  });

  test("codes are six digits, tokens at least 128 bits, and neither is kept readable", async () => {
    await using house = await openHouse(engine);
    for (let subject = 1; subject <= 50; subject += 1) {
      const { code, token } = await house.start({ ...asked, subject: String(subject) });
      expect(code).toMatch(/^\d{6}$/);
      expect(token).toMatch(/^[\w-]+$/);
      expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16);
      const rows = await house.db.selectFrom("challenges").selectAll().where("subject", "=", String(subject)).execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(Object.values(rows[0] ?? {}))).not.toContain(token);
      expect(Object.values(rows[0] ?? {})).not.toContain(code);
    }
  });

  test("spaces and hyphens in what was typed do not matter", async () => {
    await using house = await openHouse(engine);
    for (const spell of [
      (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
      (code: string) => `${code.slice(0, 2)}\u2011${code.slice(2, 4)}\u00a0\u2013 ${code.slice(4)}`,
    ]) {
      const { code } = await house.start();
      expect(await house.answer(spell(code))).toBe("right");
    }
  });

  test.each(["", "      ", "abcdef", "12345", "1234567", "\0", "9".repeat(10_000)])(
    "%j is a wrong code",
    async (code) => {
      await using house = await openHouse(engine);
      await house.start();
      expect(await house.answer(code)).toBe("wrong");
    },
  );

  test("after five wrong codes the right one no longer helps, until there is a new one", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    for (let count = 0; count < 5; count += 1) expect(await house.answer(wrongFor(code))).toBe("wrong");
    expect(await house.answer(code)).toBe("worn-out");
    house.clock.advance(RESEND_AFTER_IN_MS);
    const next = await house.start();
    expect(await house.answer(next.code)).toBe("right");
  });

  test("the fifth try may be the right one", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    for (let count = 0; count < 4; count += 1) await house.answer(wrongFor(code));
    expect(await house.answer(code)).toBe("right");
  });

  test("a hundred guesses at once are five guesses", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    const guesses = Array.from({ length: 100 }, () => house.answer(wrongFor(code)));
    expect(countOf(await Promise.all(guesses))).toEqual(
      new Map([
        ["wrong", 5],
        ["worn-out", 95],
      ]),
    );
  });

  test("of ten right answers at once one is right", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => house.answer(code)));
    expect(verdicts.filter((verdict) => verdict === "right")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "wrong")).toHaveLength(0);
  });

  test("code and link at once prove the address once", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start();
    const [verdict, subject] = await Promise.all([house.answer(code), house.challenges.claimLink("sign-up", token)]);
    expect([verdict === "right", subject === "12"].filter(Boolean)).toHaveLength(1);
  });

  test("a code lives ten minutes, to the millisecond", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start();
    house.clock.advance(10 * MINUTE_IN_MS - 1);
    expect(await house.answer(wrongFor(code))).toBe("wrong");
    house.clock.advance(1);
    expect(await house.answer(code)).toBe("expired");
    expect(await house.challenges.peekLink("sign-up", token)).toBe("12");
  });

  test("a link that lives shorter than ten minutes takes its code with it", async () => {
    await using house = await openHouse(engine);
    const { code, token } = await house.start({ ...asked, linkLifeInMs: 5 * MINUTE_IN_MS });
    house.clock.advance(5 * MINUTE_IN_MS);
    expect(await house.answer(code)).toBe("expired");
    expect(await house.challenges.claimLink("sign-up", token)).toBeUndefined();
  });

  test("where nothing was asked nothing is right", async () => {
    await using house = await openHouse(engine);
    expect(await house.answer("123456")).toBe("none");
    expect(await house.challenges.findStart("sign-up", "12")).toBeUndefined();
  });

  test("a code is nobody else's and for nothing else", async () => {
    await using house = await openHouse(engine);
    const { code } = await house.start();
    await house.start({ ...asked, subject: "13" });
    await house.start({ ...asked, purpose: "password-reset" });
    const own = await house.db.selectFrom("challenges").selectAll().where("purpose", "=", "sign-up").execute();
    const codeHash = own.find(({ subject }) => subject === "12")?.code_hash ?? "";
    // Even where somebody wrote this hash into another's row: it is bound to its own.
    await house.db
      .updateTable("challenges")
      .set({ code_hash: codeHash })
      .where((row) => row.or([row("subject", "=", "13"), row("purpose", "=", "password-reset")]))
      .execute();
    expect(await house.challenges.answerCode({ ...whose, subject: "13", code })).toBe("wrong");
    expect(await house.challenges.answerCode({ ...whose, purpose: "password-reset", code })).toBe("wrong");
    expect(await house.challenges.answerCode({ ...whose, subject: "14", code })).toBe("none");
    expect(await house.challenges.answerCode({ ...whose, purpose: "address-change", code })).toBe("none");
    expect(await house.answer(code)).toBe("right");
  });
});

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
    for (let count = 0; count < 6; count += 1) await house.answer(wrongFor(code));
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

describe.each(engines)("new challenges on %s", (engine) => {
  test("a new one voids the one before and has tries of its own", async () => {
    await using house = await openHouse(engine);
    const first = await house.start();
    for (let count = 0; count < 4; count += 1) await house.answer(wrongFor(first.code));
    house.clock.advance(RESEND_AFTER_IN_MS);
    const second = await house.start();
    expect(second.token).not.toBe(first.token);
    expect(await house.challenges.claimLink("sign-up", first.token)).toBeUndefined();
    for (let count = 0; count < 4; count += 1) expect(await house.answer(wrongFor(second.code))).toBe("wrong");
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

test("codes are spread evenly, those with zeros in front among them", async () => {
  await using house = await openHouse("sqlite");
  const firstDigits = new Map<string, number>();
  for (let subject = 0; subject < 2000; subject += 1) {
    const { code } = await house.start({ ...asked, subject: String(subject) });
    const digit = code.charAt(0);
    firstDigits.set(digit, (firstDigits.get(digit) ?? 0) + 1);
  }
  // 200 each are expected with a deviation of 13: eight deviations do not happen.
  expect(firstDigits.size).toBe(10);
  for (const [digit, count] of firstDigits) expect(Math.abs(count - 200), `codes with ${digit}`).toBeLessThan(110);
});
