import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { otherThan } from "../../../tests/helpers/mailbox.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { createChallenges, RESEND_AFTER_IN_MS, type NewChallenge } from "./challenges.ts";

const whose = { purpose: "sign-up", subject: "12" };
const input: NewChallenge = { ...whose, linkLifeInMs: DAY_IN_MS };

async function openChallenges(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const challenges = createChallenges(app.ctx);
  const start = async (challenge = input) => {
    const result = await challenges.start(challenge);
    if (!result.ok) throw new Error(result.reason);
    return result;
  };
  const answer = (code: string) => challenges.answerCode({ ...whose, code });
  const answerWrongly = async (code: string, times: number) => {
    for (let count = 0; count < times; count += 1) expect(await answer(otherThan(code))).toBe("wrong");
  };
  const peek = (token: string) => challenges.peekLink("sign-up", token);
  const claim = (token: string) => challenges.claimLink("sign-up", token);
  return { ...app, challenges, start, answer, answerWrongly, peek, claim };
}

const TOO_SOON = { ok: false, reason: "too-soon" };

describe("the code of a challenge", () => {
  test("is right once, and no code is right without a challenge", async () => {
    await using app = await openChallenges();
    expect(await app.answer("123456")).toBe("none");
    const { code } = await app.start();
    expect(await app.answer(code)).toBe("right");
    expect(await app.answer(code)).toBe("none");
  });

  test("has six digits and its token 128 bits at least, and neither is kept readable", async () => {
    await using app = await openChallenges();
    for (let subject = 1; subject <= 50; subject += 1) {
      const { code, token } = await app.start({ ...input, subject: String(subject) });
      expect(code).toMatch(/^\d{6}$/);
      expect(token).toMatch(/^[\w-]+$/);
      expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16);
      const rows = await app.db.selectFrom("challenges").selectAll().where("subject", "=", String(subject)).execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(Object.values(rows[0] ?? {}))).not.toContain(token);
      expect(Object.values(rows[0] ?? {})).not.toContain(code);
    }
  });

  test.each([
    (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
    (code: string) => `${code.slice(0, 2)}\u2011${code.slice(2, 4)}\u00a0\u2013 ${code.slice(4)}`,
  ])("may be typed with spaces and hyphens (%#)", async (spell) => {
    await using app = await openChallenges();
    expect(await app.answer(spell((await app.start()).code))).toBe("right");
  });

  test.each(["", "      ", "abcdef", "12345", "1234567", "\0", "9".repeat(10_000)])("is not %j", async (code) => {
    await using app = await openChallenges();
    await app.start();
    expect(await app.answer(code)).toBe("wrong");
  });

  test("has five tries, the last included; after that only a new code works, with tries of its own", async () => {
    await using app = await openChallenges();
    const first = await app.start();
    await app.answerWrongly(first.code, 5);
    expect(await app.answer(first.code)).toBe("worn-out");
    app.clock.advance(RESEND_AFTER_IN_MS);
    const second = await app.start();
    expect(second.token).not.toBe(first.token);
    expect(await app.claim(first.token)).toBeUndefined();
    await app.answerWrongly(second.code, 4);
    expect(await app.answer(second.code)).toBe("right");
  });

  test("can be checked without being used up", async () => {
    await using app = await openChallenges();
    await app.start({ ...input, code: "123-456" });
    const look = (code: string) => app.challenges.checkCode({ ...whose, code });
    for (let count = 0; count < 10; count += 1) expect(await look("123 456")).toBe("right");
    for (let count = 0; count < 4; count += 1) expect(await look("654321")).toBe("wrong");
    expect(await look("123456")).toBe("right");
    expect(await look("654321")).toBe("wrong");
    expect(await look("123456")).toBe("worn-out");
    expect(await app.answer("123456")).toBe("worn-out");
  });

  test("expires after ten minutes, to the millisecond, and no later than its link", async () => {
    await using app = await openChallenges();
    const { code, token } = await app.start();
    app.clock.advance(10 * MINUTE_IN_MS - 1);
    await app.answerWrongly(code, 1);
    app.clock.advance(1);
    expect(await app.answer(code)).toBe("expired");
    expect(await app.peek(token)).toBe("12");
    const brief = await app.start({ ...input, linkLifeInMs: 5 * MINUTE_IN_MS });
    app.clock.advance(5 * MINUTE_IN_MS);
    expect(await app.answer(brief.code)).toBe("expired");
    expect(await app.claim(brief.token)).toBeUndefined();
  });

  test("works only for its own subject and purpose", async () => {
    await using app = await openChallenges();
    const { code } = await app.start();
    const own = await app.db.selectFrom("challenges").select("codeHash").executeTakeFirstOrThrow();
    const others = [
      { ...input, subject: "13" },
      { ...input, purpose: "password-reset" },
    ];
    for (const other of others) await app.start(other);
    // A hash is bound to its own row.
    await app.db.updateTable("challenges").set(own).execute();
    for (const other of others) expect(await app.challenges.answerCode({ ...other, code })).toBe("wrong");
    expect(await app.challenges.answerCode({ ...whose, subject: "14", code })).toBe("none");
    expect(await app.challenges.answerCode({ ...whose, purpose: "address-change", code })).toBe("none");
    expect(await app.answer(code)).toBe("right");
  });
});

describe("the link of a challenge", () => {
  test("can be looked up any number of times and claimed once, also when the code has no tries left", async () => {
    await using app = await openChallenges();
    const { code, token } = await app.start();
    await app.answerWrongly(code, 5);
    for (let count = 0; count < 3; count += 1) expect(await app.peek(token)).toBe("12");
    expect(await app.claim(token)).toBe("12");
    expect(await app.claim(token)).toBeUndefined();
    expect(await app.peek(token)).toBeUndefined();
  });

  test("expires when its life is over, to the millisecond", async () => {
    await using app = await openChallenges();
    const { token } = await app.start();
    app.clock.advance(DAY_IN_MS - 1);
    expect(await app.peek(token)).toBe("12");
    app.clock.advance(1);
    expect(await app.peek(token)).toBeUndefined();
    expect(await app.claim(token)).toBeUndefined();
  });

  test("is not found for another purpose, altered or empty, and is not used up by that", async () => {
    await using app = await openChallenges();
    const { token } = await app.start();
    expect(await app.challenges.claimLink("password-reset", token)).toBeUndefined();
    for (const other of [`${token}x`, "", "\0"]) expect(await app.peek(other)).toBeUndefined();
    for (const other of [`${token}x`, ""]) expect(await app.claim(other)).toBeUndefined();
    expect(await app.claim(token)).toBe("12");
  });
});

describe.each(engines)("challenges on %s", (engine) => {
  test("a new one is refused within a minute, to the millisecond, even when the one before has expired", async () => {
    await using app = await openChallenges(engine);
    const startedAt = app.clock();
    const { code } = await app.start();
    app.clock.advance(20 * SECOND_IN_MS);
    expect(await app.challenges.start(input)).toEqual({ ...TOO_SOON, waitInMs: 40 * SECOND_IN_MS });
    expect(await app.challenges.findStart("sign-up", "12")).toEqual(startedAt);
    expect(await app.challenges.findStart("sign-up", "13")).toBeUndefined();
    expect(await app.answer(code)).toBe("right");
    expect(await app.challenges.findStart("sign-up", "12")).toBeUndefined();

    await app.start({ ...input, linkLifeInMs: SECOND_IN_MS });
    app.clock.advance(RESEND_AFTER_IN_MS - 1);
    expect(await app.challenges.start(input)).toEqual({ ...TOO_SOON, waitInMs: 1 });
    app.clock.advance(1);
    expect(await app.challenges.start(input)).toMatchObject({ ok: true });
  });

  test.each([0, RESEND_AFTER_IN_MS, HOUR_IN_MS])(
    "of ten started at once one wins, %i ms after the last",
    async (ms) => {
      await using app = await openChallenges(engine);
      if (ms > 0) await app.start();
      app.clock.advance(ms);
      const results = await Promise.all(Array.from({ length: 10 }, () => app.challenges.start(input)));
      const won = results.filter((result) => result.ok);
      expect(won).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.waitInMs === RESEND_AFTER_IN_MS)).toHaveLength(9);
      expect(await app.answer(won[0]?.code ?? "")).toBe("right");
    },
  );

  test("a hundred guesses at once are five guesses", async () => {
    await using app = await openChallenges(engine);
    const { code } = await app.start();
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => app.answer(otherThan(code))));
    expect(verdicts.filter((verdict) => verdict === "wrong")).toHaveLength(5);
    expect(verdicts.filter((verdict) => verdict === "worn-out")).toHaveLength(95);
  });

  test("of ten right answers, ten claims of a link or both at once one succeeds", async () => {
    await using app = await openChallenges(engine);
    const begin = async () => {
      app.clock.advance(HOUR_IN_MS);
      return app.start();
    };
    const started = await begin();
    const both = await Promise.all([app.answer(started.code), app.claim(started.token)]);
    expect(both.filter((each) => each === "right" || each === "12")).toHaveLength(1);
    const { code } = await begin();
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => app.answer(code)));
    expect(verdicts.filter((verdict) => verdict === "right")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "wrong")).toHaveLength(0);
    const { token } = await begin();
    const claims = await Promise.all(Array.from({ length: 10 }, () => app.claim(token)));
    expect(claims.filter((subject) => subject === "12")).toHaveLength(1);
  });

  test("starting, answering and claiming are undone with the transaction they were part of", async () => {
    await using app = await openChallenges(engine);
    await rollBack(app.db, (trx) => app.challenges.start(input, trx));
    const { code, token } = await app.start();
    await rollBack(app.db, async (trx) => expect(await app.challenges.claimLink("sign-up", token, trx)).toBe("12"));
    await rollBack(app.db, async (trx) =>
      expect(await app.challenges.answerCode({ ...whose, code }, trx)).toBe("right"),
    );
    expect(await app.claim(token)).toBe("12");
  });

  test("voiding invalidates code and link, and a new challenge may start at once", async () => {
    await using app = await openChallenges(engine);
    const { code, token } = await app.start();
    await app.challenges.void("sign-up", "12");
    expect(await app.answer(code)).toBe("none");
    expect(await app.peek(token)).toBeUndefined();
    expect(await app.challenges.start(input)).toMatchObject({ ok: true });
  });

  test("all challenges of an owner, or those started since an instant, can be voided together", async () => {
    await using app = await openChallenges(engine);
    const early = await app.start({ ...input, subject: "12 first" });
    app.clock.advance(SECOND_IN_MS);
    const since = app.clock();
    const late = await app.start({ ...input, subject: "12 second" });
    const strangers = [
      { ...input, subject: "123 first" },
      { ...input, subject: "1 12 first" },
      { ...input, subject: "12 first", purpose: "other" },
    ];
    const others = await Promise.all(strangers.map((challenge) => app.start(challenge)));
    const owned = { owner: 12, purposes: ["sign-up", "none"] };
    const listLeft = async () => [await app.peek(early.token), await app.peek(late.token)];

    await app.challenges.voidAll({ ...owned, since });
    expect(await listLeft()).toEqual(["12 first", undefined]);
    await app.challenges.voidAll(owned);
    expect(await listLeft()).toEqual([undefined, undefined]);
    for (const [index, { purpose, subject }] of strangers.entries()) {
      expect(await app.challenges.peekLink(purpose, others[index]?.token ?? "")).toBe(subject);
    }
  });

  test("purging forgets those whose link has expired and keeps the others", async () => {
    await using app = await openChallenges(engine);
    await app.start({ ...input, linkLifeInMs: HOUR_IN_MS });
    const other = await app.start({ ...input, subject: "13" });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.challenges.purge()).toBe(1);
    expect(await app.answer("123456")).toBe("none");
    expect(await app.peek(other.token)).toBe("13");
    expect(await app.challenges.findStart("sign-up", "13")).toEqual(after(app.clock(), -HOUR_IN_MS));
  });
});
