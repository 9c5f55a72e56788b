import { describe, expect, test } from "vitest";

import { asked, openChallengeApp as openApp, whose } from "../../tests/helpers/challenge-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { RESEND_AFTER_IN_MS } from "./challenges.ts";

function countOf<T>(values: T[]): Map<T, number> {
  return values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map<T, number>());
}

describe.each(engines)("challenges on %s", (engine) => {
  test("the code is right once", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    expect(await app.answer(code)).toBe("right");
    expect(await app.answer(code)).toBe("none");
  });

  test("codes are six digits, tokens at least 128 bits, and neither is kept readable", async () => {
    await using app = await openApp(engine);
    for (let subject = 1; subject <= 50; subject += 1) {
      const { code, token } = await app.start({ ...asked, subject: String(subject) });
      expect(code).toMatch(/^\d{6}$/);
      expect(token).toMatch(/^[\w-]+$/);
      expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16);
      const rows = await app.db.selectFrom("challenges").selectAll().where("subject", "=", String(subject)).execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(Object.values(rows[0] ?? {}))).not.toContain(token);
      expect(Object.values(rows[0] ?? {})).not.toContain(code);
    }
  });

  test("spaces and hyphens in what was typed do not matter", async () => {
    await using app = await openApp(engine);
    for (const spell of [
      (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
      (code: string) => `${code.slice(0, 2)}\u2011${code.slice(2, 4)}\u00a0\u2013 ${code.slice(4)}`,
    ]) {
      const { code } = await app.start();
      expect(await app.answer(spell(code))).toBe("right");
    }
  });

  test.each(["", "      ", "abcdef", "12345", "1234567", "\0", "9".repeat(10_000)])(
    "%j is a wrong code",
    async (code) => {
      await using app = await openApp(engine);
      await app.start();
      expect(await app.answer(code)).toBe("wrong");
    },
  );

  test("after five wrong codes the right one no longer helps, until there is a new one", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    for (let count = 0; count < 5; count += 1) expect(await app.answer(otherThan(code))).toBe("wrong");
    expect(await app.answer(code)).toBe("worn-out");
    app.clock.advance(RESEND_AFTER_IN_MS);
    const next = await app.start();
    expect(await app.answer(next.code)).toBe("right");
  });

  test("the fifth try may be the right one", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    for (let count = 0; count < 4; count += 1) await app.answer(otherThan(code));
    expect(await app.answer(code)).toBe("right");
  });

  test("a hundred guesses at once are five guesses", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    const guesses = Array.from({ length: 100 }, () => app.answer(otherThan(code)));
    expect(countOf(await Promise.all(guesses))).toEqual(
      new Map([
        ["wrong", 5],
        ["worn-out", 95],
      ]),
    );
  });

  test("of ten right answers at once one is right", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => app.answer(code)));
    expect(verdicts.filter((verdict) => verdict === "right")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "wrong")).toHaveLength(0);
  });

  test("a code that is known already may be the one, and stays good for who only looks", async () => {
    await using app = await openApp(engine);
    await app.start({ ...asked, code: "123-456" });
    const look = (code: string) => app.challenges.checkCode({ ...whose, code });
    for (let count = 0; count < 10; count += 1) expect(await look("123 456")).toBe("right");
    for (let count = 0; count < 4; count += 1) expect(await look("654321")).toBe("wrong");
    expect(await look("123456")).toBe("right");
    expect(await look("654321")).toBe("wrong");
    expect(await look("123456")).toBe("worn-out");
    expect(await app.answer("123456")).toBe("worn-out");
  });

  test("code and link at once prove the address once", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start();
    const [verdict, subject] = await Promise.all([app.answer(code), app.challenges.claimLink("sign-up", token)]);
    expect([verdict === "right", subject === "12"].filter(Boolean)).toHaveLength(1);
  });

  test("a code lives ten minutes, to the millisecond", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start();
    app.clock.advance(10 * MINUTE_IN_MS - 1);
    expect(await app.answer(otherThan(code))).toBe("wrong");
    app.clock.advance(1);
    expect(await app.answer(code)).toBe("expired");
    expect(await app.challenges.peekLink("sign-up", token)).toBe("12");
  });

  test("a link that lives shorter than ten minutes takes its code with it", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start({ ...asked, linkLifeInMs: 5 * MINUTE_IN_MS });
    app.clock.advance(5 * MINUTE_IN_MS);
    expect(await app.answer(code)).toBe("expired");
    expect(await app.challenges.claimLink("sign-up", token)).toBeUndefined();
  });

  test("where nothing was asked nothing is right", async () => {
    await using app = await openApp(engine);
    expect(await app.answer("123456")).toBe("none");
    expect(await app.challenges.findStart("sign-up", "12")).toBeUndefined();
  });

  test("a code is nobody else's and for nothing else", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    await app.start({ ...asked, subject: "13" });
    await app.start({ ...asked, purpose: "password-reset" });
    const own = await app.db.selectFrom("challenges").selectAll().where("purpose", "=", "sign-up").execute();
    const codeHash = own.find(({ subject }) => subject === "12")?.code_hash ?? "";
    // Even where somebody wrote this hash into another's row: it is bound to its own.
    await app.db
      .updateTable("challenges")
      .set({ code_hash: codeHash })
      .where((row) => row.or([row("subject", "=", "13"), row("purpose", "=", "password-reset")]))
      .execute();
    expect(await app.challenges.answerCode({ ...whose, subject: "13", code })).toBe("wrong");
    expect(await app.challenges.answerCode({ ...whose, purpose: "password-reset", code })).toBe("wrong");
    expect(await app.challenges.answerCode({ ...whose, subject: "14", code })).toBe("none");
    expect(await app.challenges.answerCode({ ...whose, purpose: "address-change", code })).toBe("none");
    expect(await app.answer(code)).toBe("right");
  });
});

test("codes are spread evenly, those with zeros in front among them", async () => {
  await using app = await openApp("sqlite");
  const firstDigits = new Map<string, number>();
  for (let subject = 0; subject < 2000; subject += 1) {
    const { code } = await app.start({ ...asked, subject: String(subject) });
    const digit = code.charAt(0);
    firstDigits.set(digit, (firstDigits.get(digit) ?? 0) + 1);
  }
  // 200 each are expected with a deviation of 13: eight deviations do not happen.
  expect(firstDigits.size).toBe(10);
  for (const [digit, count] of firstDigits) expect(Math.abs(count - 200), `codes with ${digit}`).toBeLessThan(110);
});
