import { describe, expect, test } from "vitest";

import { asked, openChallengeApp as openApp } from "../../tests/helpers/challenge-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { after, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { RESEND_AFTER_IN_MS } from "./challenges.ts";

describe.each(engines)("new challenges on %s", (engine) => {
  test("a new one voids the one before and has tries of its own", async () => {
    await using app = await openApp(engine);
    const first = await app.start();
    for (let count = 0; count < 4; count += 1) await app.answer(otherThan(first.code));
    app.clock.advance(RESEND_AFTER_IN_MS);
    const second = await app.start();
    expect(second.token).not.toBe(first.token);
    expect(await app.challenges.claimLink("sign-up", first.token)).toBeUndefined();
    for (let count = 0; count < 4; count += 1) expect(await app.answer(otherThan(second.code))).toBe("wrong");
    expect(await app.answer(second.code)).toBe("right");
  });

  test("within a minute a new one is refused, and the one before stays good", async () => {
    await using app = await openApp(engine);
    const { code } = await app.start();
    app.clock.advance(20 * SECOND_IN_MS);
    expect(await app.challenges.start(asked)).toEqual({
      ok: false,
      reason: "too-soon",
      waitInMs: 40 * SECOND_IN_MS,
    });
    expect(await app.answer(code)).toBe("right");
  });

  test("a new one may come a minute later, to the millisecond, even when the one before has expired", async () => {
    await using app = await openApp(engine);
    await app.start({ ...asked, linkLifeInMs: SECOND_IN_MS });
    app.clock.advance(RESEND_AFTER_IN_MS - 1);
    expect(await app.challenges.start(asked)).toEqual({ ok: false, reason: "too-soon", waitInMs: 1 });
    app.clock.advance(1);
    expect(await app.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test.each([0, RESEND_AFTER_IN_MS, HOUR_IN_MS])(
    "of ten started at once one wins, %i ms after the last",
    async (ms) => {
      await using app = await openApp(engine);
      if (ms > 0) await app.start();
      app.clock.advance(ms);
      const results = await Promise.all(Array.from({ length: 10 }, () => app.challenges.start(asked)));
      const won = results.filter((result) => result.ok);
      expect(won).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.waitInMs === RESEND_AFTER_IN_MS)).toHaveLength(9);
      expect(await app.answer(won[0]?.code ?? "")).toBe("right");
    },
  );

  test("one that its transaction undoes was never started", async () => {
    await using app = await openApp(engine);
    const crash = app.db.transaction().execute(async (trx) => {
      await app.challenges.start(asked, trx);
      throw new Error("crash");
    });
    await expect(crash).rejects.toThrow("crash");
    expect(await app.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test("voiding makes code and link worthless and lets a new one start at once", async () => {
    await using app = await openApp(engine);
    const { code, token } = await app.start();
    await app.challenges.void("sign-up", "12");
    expect(await app.answer(code)).toBe("none");
    expect(await app.challenges.peekLink("sign-up", token)).toBeUndefined();
    expect(await app.challenges.start(asked)).toMatchObject({ ok: true });
  });

  test("all that one owner has can be voided at once, or what was started since an instant", async () => {
    await using app = await openApp(engine);
    const early = await app.start({ ...asked, subject: "12 first" });
    app.clock.advance(SECOND_IN_MS);
    const since = app.clock();
    const late = await app.start({ ...asked, subject: "12 second" });
    const strangers = [
      { ...asked, subject: "123 first" },
      { ...asked, subject: "1 12 first" },
      { ...asked, subject: "12 first", purpose: "other" },
    ];
    const others = await Promise.all(strangers.map((challenge) => app.start(challenge)));
    const owned = { owner: 12, purposes: ["sign-up", "none"] };
    const isThere = async (token: string) => (await app.challenges.peekLink("sign-up", token)) !== undefined;

    await app.challenges.voidAll({ ...owned, since });
    expect([await isThere(early.token), await isThere(late.token)]).toEqual([true, false]);
    await app.challenges.voidAll(owned);
    expect(await isThere(early.token)).toBe(false);
    for (const [index, { purpose }] of strangers.entries()) {
      expect(await app.challenges.peekLink(purpose, others[index]?.token ?? "")).toBe(strangers[index]?.subject);
    }
  });

  test("when it was started is known while it is there", async () => {
    await using app = await openApp(engine);
    const startedAt = app.clock();
    const { code } = await app.start();
    app.clock.advance(30 * SECOND_IN_MS);
    expect(await app.challenges.findStart("sign-up", "12")).toEqual(startedAt);
    expect(await app.challenges.findStart("sign-up", "13")).toBeUndefined();
    await app.answer(code);
    expect(await app.challenges.findStart("sign-up", "12")).toBeUndefined();
  });

  test("purging forgets those whose link has expired and keeps the others", async () => {
    await using app = await openApp(engine);
    await app.start({ ...asked, linkLifeInMs: HOUR_IN_MS });
    const other = await app.start({ ...asked, subject: "13" });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.challenges.purge()).toBe(1);
    expect(await app.answer("123456")).toBe("none");
    expect(await app.challenges.peekLink("sign-up", other.token)).toBe("13");
    expect(await app.challenges.findStart("sign-up", "13")).toEqual(after(app.clock(), -HOUR_IN_MS));
  });
});
