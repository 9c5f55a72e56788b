import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createLetterBox } from "../../tests/helpers/letter-box.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { createAccounts } from "../accounts/accounts.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createSeal } from "../seal.ts";
import type { Delivery } from "./mailer.ts";
import { createOutbox, type OutgoingLetter } from "./outbox.ts";

const busy: Delivery = { ok: false, isPermanent: false, reason: "421 try later, ada@dormouse.example" };
const refused: Delivery = { ok: false, isPermanent: true, reason: "550 no such box\r\n<ada@dormouse.example>\0" };

const receipt: OutgoingLetter = {
  key: "receipt order-12",
  kind: "receipt",
  to: "Ada@dormouse.example",
  letter: { subject: "Your receipt", text: "£60.00 was paid.", html: "<p>£60.00 was paid.</p>" },
};
const code: OutgoingLetter = {
  key: "verification draft-1",
  kind: "verification",
  to: "ada@dormouse.example",
  letter: { subject: "Confirm", text: "The code is 271828.", html: "<p>271828</p>" },
  isSecret: true,
};

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const clock = createTestClock();
  const log = createQuietLog();
  const mailer = createLetterBox();
  const setting = { db, clock, mailer, seal: createSeal("secret", "letters"), log };
  const outbox = createOutbox(setting);
  return {
    ...database,
    clock,
    log,
    mailer,
    setting,
    outbox,
    add: (letter: OutgoingLetter) => db.transaction().execute((trx) => outbox.add(letter, trx)),
    oneLetter: async () => {
      const entries = await outbox.list({ limit: 10 });
      expect(entries).toHaveLength(1);
      const [entry] = entries;
      if (!entry) throw new Error("There is no letter");
      return entry;
    },
    dump: async () => JSON.stringify(await db.selectFrom("letters").selectAll().execute()),
    register: async (email: string) => {
      const details = { firstName: "Ada", lastName: "L", accountType: "individual", password: "sleep-well" } as const;
      const member = await createAccounts({ db, clock }).register({ ...details, email });
      return member?.id ?? 0;
    },
  };
}

/** Runs the worker whenever something is due, until nothing is; answers the minutes at which the mailer was tried. */
async function deliverUntilQuiet(house: Awaited<ReturnType<typeof openHouse>>): Promise<number[]> {
  const start = house.clock().getTime();
  const minutes: number[] = [];
  for (;;) {
    const before = house.mailer.letters.length;
    await house.outbox.deliver();
    if (house.mailer.letters.length > before) minutes.push((house.clock().getTime() - start) / MINUTE_IN_MS);
    const [next] = await house.outbox.list({ state: "waiting", limit: 1 });
    if (!next?.dueAt) return minutes;
    house.clock.advance(next.dueAt.getTime() - house.clock().getTime());
  }
}

/** A house that checks at its end that no line of its log named anybody or gave a code away. */
async function openWatchedHouse(engine: Engine) {
  const house = await openHouse(engine);
  return {
    ...house,
    async [Symbol.asyncDispose]() {
      await house.close();
      const said = JSON.stringify(house.log.lines);
      if (/dormouse\.example|271828|£60/i.test(said)) throw new Error(`The log said too much: ${said}`);
    },
  };
}

describe.each(engines)("the outbox on %s", (engine) => {
  test("a letter leaves once, as it was written, and is then sent", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 0, dueAt: house.clock() });
    expect(await house.outbox.deliver()).toBe(1);
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters).toEqual([
      {
        id: expect.stringMatching(/^receipt-[0-9a-f]{16}$/),
        to: "Ada@dormouse.example",
        ...receipt.letter,
        createdAt: house.clock(),
      },
    ]);
    expect(await house.oneLetter()).toMatchObject({
      key: "receipt order-12",
      kind: "receipt",
      state: "sent",
      attempts: 1,
      sentAt: house.clock(),
      dueAt: undefined,
      isSecret: false,
    });
  });

  test("one cause writes one letter, however often and however many at once", async () => {
    await using house = await openWatchedHouse(engine);
    await Promise.all(Array.from({ length: 10 }, () => house.add(receipt)));
    await house.add({ ...receipt, to: "other@dormouse.example", letter: { subject: "no", text: "no", html: "no" } });
    expect(await house.outbox.deliver()).toBe(1);
    await house.add(receipt);
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["Your receipt"]);
  });

  test("a letter whose cause was undone was never written", async () => {
    await using house = await openWatchedHouse(engine);
    const undone = house.db.transaction().execute(async (trx) => {
      await house.outbox.add(receipt, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await house.outbox.deliver()).toBe(0);
    await house.add(receipt);
    expect(await house.outbox.deliver()).toBe(1);
  });

  test("four workers at once send each of 120 letters once", async () => {
    await using house = await openWatchedHouse(engine);
    for (let order = 1; order <= 120; order += 1) await house.add({ ...receipt, key: `receipt order-${order}` });
    const workers = Array.from({ length: 4 }, () => createOutbox(house.setting));
    const counts = await Promise.all(workers.map((worker) => worker.deliver()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(house.mailer.letters).toHaveLength(120);
    expect(new Set(house.mailer.letters.map(({ id }) => id)).size).toBe(120);
    expect(await house.outbox.list({ state: "sent", limit: 200 })).toHaveLength(120);
  });

  test("nobody takes a letter out of the hands of a worker that is sending it", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    const answer = Promise.withResolvers<Delivery>();
    const asked = Promise.withResolvers<void>();
    house.mailer.answer = () => {
      asked.resolve();
      return answer.promise;
    };
    const first = house.outbox.deliver();
    await asked.promise;
    house.clock.advance(MINUTE_IN_MS);
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    answer.resolve({ ok: true });
    expect(await first).toBe(1);
    expect(house.mailer.letters).toHaveLength(1);
  });

  test("resending a letter that is being tried again does not send it beside that try", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    house.clock.advance(MINUTE_IN_MS);
    house.mailer.answer = async () => {
      expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
      house.mailer.answer = () => ({ ok: true });
      expect(await createOutbox(house.setting).deliver()).toBe(0);
      return { ok: true };
    };
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters).toHaveLength(2);
  });

  test("a worker that dies after sending leaves the letter to the next, which sends the same message again", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    const asked = Promise.withResolvers<void>();
    house.mailer.answer = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    void house.outbox.deliver();
    await asked.promise;
    house.mailer.answer = () => ({ ok: true });
    expect(await createOutbox(house.setting).deliver()).toBe(0);
    house.clock.advance(2 * MINUTE_IN_MS);
    expect(await createOutbox(house.setting).deliver()).toBe(1);
    expect(house.mailer.letters[1]).toEqual(house.mailer.letters[0]);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("a worker that comes back late with a failure does not undo that another sent the letter", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    const late = Promise.withResolvers<Delivery>();
    const asked = Promise.withResolvers<void>();
    house.mailer.answer = () => {
      asked.resolve();
      return late.promise;
    };
    const slow = house.outbox.deliver();
    await asked.promise;
    house.clock.advance(3 * MINUTE_IN_MS);
    house.mailer.answer = () => ({ ok: true });
    expect(await createOutbox(house.setting).deliver()).toBe(1);
    late.resolve(refused);
    expect(await slow).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", lastError: undefined });
    expect(house.log.lines).toEqual([]);
  });

  test("a worker that comes back late with a success ends the tries of the others", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    const late = Promise.withResolvers<Delivery>();
    const asked = Promise.withResolvers<void>();
    house.mailer.answer = () => {
      asked.resolve();
      return late.promise;
    };
    const slow = house.outbox.deliver();
    await asked.promise;
    house.clock.advance(3 * MINUTE_IN_MS);
    house.mailer.answer = () => busy;
    await createOutbox(house.setting).deliver();
    late.resolve({ ok: true });
    expect(await slow).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", dueAt: undefined });
    expect(await deliverUntilQuiet(house)).toEqual([]);
  });

  test("a letter that does not go is tried after 1, 5, 15 and 60 minutes, then hourly for a day, then given up", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    const minutes = await deliverUntilQuiet(house);
    const hourly = Array.from({ length: 23 }, (_, hour) => 81 + 60 * (hour + 1));
    expect(minutes).toEqual([0, 1, 6, 21, 81, ...hourly]);
    expect(new Set(house.mailer.letters.map(({ id }) => id)).size).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "failed", failedAt: house.clock(), lastError: busy.reason });
    expect(house.log.lines).toEqual([
      {
        level: "warn",
        event: "a letter was given up",
        facts: { letter: (await house.oneLetter()).id, kind: "receipt" },
      },
    ]);
  });

  test("a letter that fails waits its time and keeps the reason for operators", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => busy;
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 1, lastError: busy.reason });
    house.clock.advance(MINUTE_IN_MS - 1);
    house.mailer.answer = () => ({ ok: true });
    expect(await house.outbox.deliver()).toBe(0);
    house.clock.advance(1);
    expect(await house.outbox.deliver()).toBe(1);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", attempts: 2, lastError: undefined });
  });

  test("a refusal for good is not tried again, and the log names the letter but nobody", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    house.mailer.answer = () => refused;
    expect(await deliverUntilQuiet(house)).toEqual([0]);
    const entry = await house.oneLetter();
    expect(entry).toMatchObject({ state: "failed", attempts: 1, lastError: "550 no such box <ada@dormouse.example>" });
    expect(house.log.lines).toEqual([
      { level: "warn", event: "a letter was given up", facts: { letter: entry.id, kind: "receipt" } },
    ]);
  });

  test("letters that fail, and a mailer that throws, stop no other letter", async () => {
    await using house = await openWatchedHouse(engine);
    for (const order of [1, 2, 3, 4])
      await house.add({ ...receipt, key: `receipt ${order}`, to: `m${order}@x.example` });
    house.mailer.answer = ({ to }) => {
      if (to === "m1@x.example") throw new Error("the mailer broke over ada@dormouse.example");
      if (to === "m2@x.example") return refused;
      if (to === "m3@x.example") return busy;
      return { ok: true };
    };
    expect(await house.outbox.deliver()).toBe(1);
    const states = (await house.outbox.list({ limit: 9 })).map(({ key, state }) => [key, state]);
    expect(Object.fromEntries(states)).toEqual({
      "receipt 1": "waiting",
      "receipt 2": "failed",
      "receipt 3": "waiting",
      "receipt 4": "sent",
    });
  });

  test("a letter whose outcome cannot be noted is tried again after the lease, and the others go meanwhile", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.add({ ...receipt, key: "receipt order-13" });
    let unreadable: unknown = Symbol("no reason at all");
    house.mailer.answer = () => {
      if (!unreadable) return { ok: true };
      const delivery = { ok: false, isPermanent: false, reason: unreadable as string } as const;
      unreadable = undefined;
      return delivery;
    };
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.log.lines).toMatchObject([{ level: "error", facts: { kind: "receipt" } }]);
    expect(await house.outbox.deliver()).toBe(0);
    house.clock.advance(2 * MINUTE_IN_MS);
    expect(await house.outbox.deliver()).toBe(1);
  });

  test("a run ends although every letter fails, and takes nothing that became due meanwhile", async () => {
    await using house = await openWatchedHouse(engine);
    for (let order = 1; order <= 60; order += 1) await house.add({ ...receipt, key: `receipt order-${order}` });
    house.mailer.answer = () => {
      house.clock.advance(MINUTE_IN_MS);
      return busy;
    };
    await house.outbox.deliver();
    expect(house.mailer.letters).toHaveLength(60);
  });

  test("a secret is sealed at rest, opened for the mailer, and erased once it was sent", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    expect(await house.dump()).not.toContain("271828");
    await house.outbox.deliver();
    expect(house.mailer.letters[0]).toMatchObject(code.letter);
    expect(await house.dump()).not.toContain("271828");
    expect(await house.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", isSecret: true });
  });

  test("a secret is kept while it is tried, and erased when it is given up", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    expect(await house.dump()).not.toContain("271828");
    house.clock.advance(MINUTE_IN_MS);
    house.mailer.answer = () => refused;
    await house.outbox.deliver();
    expect(house.mailer.letters[1]).toMatchObject(code.letter);
    expect(await house.db.selectFrom("letters").select("body").execute()).toEqual([{ body: null }]);
  });

  test("what was sealed with another secret is given up, never sent as it lies there", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    await house.add(receipt);
    const seal = createSeal("another secret", "letters");
    expect(await createOutbox({ ...house.setting, seal }).deliver()).toBe(1);
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["Your receipt"]);
    const [failed] = await house.outbox.list({ state: "failed", limit: 9 });
    expect(failed).toMatchObject({ kind: "verification", lastError: expect.stringContaining("cannot be read") });
  });

  test.each([
    ["altered", "no letter"],
    ["cut short", '{"subject":'],
    ["empty", ""],
  ])("words that are %s are given up", async (_, body) => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.db.updateTable("letters").set({ body }).execute();
    expect(await house.outbox.deliver()).toBe(0);
    expect(house.mailer.letters).toEqual([]);
    expect(await house.oneLetter()).toMatchObject({ state: "failed" });
  });

  test("the list is newest first, by state and by address whatever its capitals", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.clock.advance(1);
    await house.add({ ...receipt, key: "b", to: "bo@dormouse.example" });
    house.mailer.answer = () => refused;
    await house.outbox.deliver();
    await house.add({ ...receipt, key: "c" });
    await house.add({ ...receipt, key: "d" });
    const keys = async (filter: { state?: "waiting" | "sent" | "failed"; recipient?: string; limit?: number }) =>
      (await house.outbox.list({ limit: 9, ...filter })).map(({ key }) => key);
    expect(await keys({})).toEqual(["d", "c", "b", "receipt order-12"]);
    expect(await keys({ limit: 2 })).toEqual(["d", "c"]);
    expect(await keys({ state: "waiting" })).toEqual(["d", "c"]);
    expect(await keys({ state: "sent" })).toEqual(["receipt order-12"]);
    expect(await keys({ state: "failed" })).toEqual(["b"]);
    expect(await keys({ recipient: "ADA@dormouse.EXAMPLE" })).toEqual(["d", "c", "receipt order-12"]);
    expect(await keys({ recipient: "ada@dormouse.example", state: "failed" })).toEqual([]);
    expect(await keys({ recipient: "%" })).toEqual([]);
  });

  test("a letter that was sent or given up can be sent anew, with a day of tries of its own", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.clock.advance(30 * DAY_IN_MS);
    const { id } = await house.oneLetter();
    expect(await house.outbox.resend(id)).toBe("queued");
    expect(await house.oneLetter()).toMatchObject({ state: "waiting", attempts: 0, sentAt: undefined });
    house.mailer.answer = () => busy;
    expect((await deliverUntilQuiet(house)).length).toBeGreaterThan(20);
    expect(await house.oneLetter()).toMatchObject({ state: "failed" });
    house.mailer.answer = () => ({ ok: true });
    expect(await house.outbox.resend(id)).toBe("queued");
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters.at(-1)).toMatchObject({ ...receipt.letter, createdAt: house.clock() });
    expect(house.mailer.letters.at(-1)?.id).not.toBe(house.mailer.letters[0]?.id);
    expect(await house.oneLetter()).toMatchObject({ state: "sent", failedAt: undefined });
  });

  test("resending a letter that waits for its next try makes it due now, and changes nothing else", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    house.mailer.answer = () => busy;
    await house.outbox.deliver();
    house.mailer.answer = () => ({ ok: true });
    house.clock.advance(1000);
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.outbox.resend((await house.oneLetter()).id)).toBe("queued");
    expect(await house.outbox.deliver()).toBe(1);
    expect(house.mailer.letters[1]).toEqual(house.mailer.letters[0]);
  });

  test("a secret letter that is gone cannot be sent again, and neither can one that never was", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(code);
    const { id } = await house.oneLetter();
    expect(await house.outbox.resend(id)).toBe("queued");
    await house.outbox.deliver();
    expect(await house.outbox.resend(id)).toBe("gone");
    expect(await house.outbox.resend(id + 1)).toBe("unknown");
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.oneLetter()).toMatchObject({ state: "sent" });
  });

  test("ten operators resend a letter at once: it goes once", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    const { id } = await house.oneLetter();
    const answers = await Promise.all(Array.from({ length: 10 }, () => house.outbox.resend(id)));
    expect(new Set(answers)).toEqual(new Set(["queued"]));
    await Promise.all([house.outbox.deliver(), house.outbox.deliver()]);
    expect(house.mailer.letters).toHaveLength(2);
  });

  test("purging forgets what was sent or given up ninety days ago, and never what waits", async () => {
    await using house = await openWatchedHouse(engine);
    await house.add(receipt);
    await house.outbox.deliver();
    house.mailer.answer = () => refused;
    await house.add({ ...receipt, key: "failed" });
    await house.outbox.deliver();
    await house.add({ ...receipt, key: "waiting" });
    house.clock.advance(90 * DAY_IN_MS - 1);
    expect(await house.outbox.purge()).toBe(0);
    house.clock.advance(1);
    expect(await house.outbox.purge()).toBe(2);
    expect((await house.oneLetter()).key).toBe("waiting");
  });

  test("an export has what a member was written, oldest first, and no secret", async () => {
    await using house = await openWatchedHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    const other = await house.register("bo@dormouse.example");
    await house.add({ ...code, memberId });
    house.clock.advance(1);
    await house.add({ ...receipt, memberId });
    await house.add({ ...receipt, key: "other", memberId: other });
    const records = await house.outbox.listFor({ memberId, email: "ada@dormouse.example" });
    expect(records).toMatchObject([
      { kind: "verification", subject: undefined, text: undefined, sentAt: undefined },
      { kind: "receipt", to: "Ada@dormouse.example", subject: "Your receipt", text: "£60.00 was paid." },
    ]);
    expect(JSON.stringify(records)).not.toContain("271828");
    await house.outbox.deliver();
    expect(
      (await house.outbox.listFor({ memberId, email: "ada@dormouse.example" })).map(({ sentAt }) => sentAt),
    ).toEqual([house.clock(), house.clock()]);
  });

  test("erasing forgets a member's letters and those of their sign-up, and nobody else's", async () => {
    await using house = await openWatchedHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    const other = await house.register("bo@dormouse.example");
    await house.add(code);
    await house.add({ ...receipt, memberId });
    await house.add({ ...receipt, key: "other member", to: "bo@dormouse.example", memberId: other });
    await house.add({ ...code, key: "other sign-up", to: "cy@dormouse.example" });
    await house.add({ ...receipt, key: "company", kind: "company-mandate" });
    await house.add({ ...code, key: "same address", memberId: other });
    await house.db.transaction().execute((trx) => house.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx));
    const left = (await house.outbox.list({ limit: 9 })).map(({ key }) => key);
    expect(left.toSorted()).toEqual(["company", "other member", "other sign-up", "same address"]);
  });

  test("erasing is undone with the transaction it belongs to", async () => {
    await using house = await openWatchedHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    await house.add({ ...receipt, memberId });
    const undone = house.db.transaction().execute(async (trx) => {
      await house.outbox.erase({ memberId, email: "ada@dormouse.example" }, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await house.outbox.listFor({ memberId, email: "ada@dormouse.example" })).toHaveLength(1);
  });

  test("a member erased while their letter is on its way hurts nothing", async () => {
    await using house = await openWatchedHouse(engine);
    const memberId = await house.register("ada@dormouse.example");
    await house.add({ ...receipt, memberId });
    house.mailer.answer = async () => {
      await house.db.deleteFrom("members").where("id", "=", memberId).execute();
      return busy;
    };
    expect(await house.outbox.deliver()).toBe(0);
    expect(await house.outbox.list({ limit: 9 })).toEqual([]);
    expect(house.log.lines).toEqual([]);
  });

  test("a letter keeps its place in a long queue while the clock goes on", async () => {
    await using house = await openWatchedHouse(engine);
    for (const key of ["first", "second", "third"]) {
      await house.add({ ...receipt, key, letter: { ...receipt.letter, subject: key } });
      house.clock.advance(HOUR_IN_MS);
    }
    await house.outbox.deliver();
    expect(house.mailer.letters.map(({ subject }) => subject)).toEqual(["first", "second", "third"]);
  });
});
