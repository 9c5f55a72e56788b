import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import type { GiftPoint } from "../../server/context.ts";
import type { GiftState } from "../../server/money/gifts/states.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { addNamed, type App, settleAll, openApp } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { findGiftCode, giveGift, startGift } from "../helpers/gifts.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { createDatabaseCopies, type DatabaseCopy, type StoredDatabase } from "./database-copies.ts";
import type { GiftErrand } from "./gift-process.ts";
import { runUntilKilled } from "./run-until-killed.ts";
import { type GiftStep, type GiftStepInput, giftSteps, stepsAfterInMs, takeGiftStep } from "./gift-steps.ts";
import { listFaults, readLedger } from "./ledger.ts";
import { startDraft } from "./visitor.ts";

/**
 * A process that takes a step of a gift is killed (SIGKILL) at each point. Another takes the same step again, or only
 * the jobs run; either way nothing is lost or doubled, and the gift is in the state of an undisturbed step or of none.
 */
const folder = await mkdtemp(joinPath(tmpdir(), "dormouse-gift-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Of the gift, before the step and after it. */
const states: Record<GiftStep, [before: GiftState, after: GiftState]> = {
  buy: ["draft", "sent"],
  deliver: ["waiting", "sent"],
  move: ["sent", "sent"],
  "take up": ["sent", "taken-up"],
  join: ["sent", "taken-up"],
  cancel: ["sent", "cancelled"],
  expire: ["sent", "expired"],
  end: ["taken-up", "ended"],
};

const deaths = (Object.keys(giftSteps) as GiftStep[]).flatMap((step) =>
  giftSteps[step].map((death) => ({ step, death })),
);

describe.each(engines)("a gift's process that dies on %s", (engine) => {
  const databases = createDatabaseCopies(engine, folder);

  async function open(stored: StoredDatabase, now: string) {
    return openApp({ engine, database: await openDatabase(stored), clock: createTestClock(now) });
  }

  /** A gift for which only the step is missing. */
  async function prepare(step: GiftStep): Promise<{ copy: DatabaseCopy; now: string; input: GiftStepInput }> {
    const stored = await databases.open();
    const app = await openApp({ engine, database: await openDatabase(stored) });
    const { services } = app;
    const memberId = await addNamed(app, "Wren");
    if (step === "buy") app.clock.advance(6 * HOUR_IN_MS);
    const given = step === "buy" ? { token: await startGift(app), id: 1 } : await giveGift(app);
    if (step !== "buy" && step !== "deliver") {
      app.clock.advance(6 * HOUR_IN_MS);
      await services.gifts.lookAfter();
    }
    const code = await findGiftCode(app, given.id);
    const token = step === "join" ? await startDraft(app, { giftCode: code }) : given.token;
    if (step === "join") await app.db.updateTable("drafts").set({ verifiedAt: app.clock() }).execute();
    if (step === "end") await services.gifts.takeUp({ code, memberId, address: "198.51.100.7" });
    app.clock.advance(stepsAfterInMs[step] ?? 0);
    await services.outbox.deliver();
    await services.close();
    const input = { step, token, giftId: given.id, code, memberId };
    return { copy: await databases.copy(stored), now: app.clock().toISOString(), input };
  }

  const prepared = new Map<GiftStep, ReturnType<typeof prepare>>();

  async function die(step: GiftStep, death: GiftErrand["death"]) {
    const preparing = prepared.get(step) ?? prepare(step);
    prepared.set(step, preparing);
    const { copy, now, input } = await preparing;
    const database = await databases.restore(copy);
    const errand: GiftErrand = { ...input, database, now, death };
    await runUntilKilled("gift-process", errand);
    return { left: await databases.copy(database), now, input };
  }

  async function audit(app: App) {
    await settleAll(app);
    const ledger = await readLedger(app.db);
    expect(listFaults(ledger)).toEqual([]);
    expect(ledger.charges.length).toBeLessThanOrEqual(1);
    return ledger;
  }

  test.each(deaths)("at $death of $step: nothing is lost or doubled, tried again or not", async ({ step, death }) => {
    const { left, now, input } = await die(step, death);
    const [before, after] = states[step];
    {
      await using app = await open(await databases.restore(left), now);
      await audit(app);
      expect([before, after]).toContain((await app.services.gifts.find(input.giftId))?.state);
    }
    await using app = await open(await databases.restore(left), now);
    await takeGiftStep(app.services, input);
    app.clock.advance(MINUTE_IN_MS);
    if (step === "buy") {
      await app.services.gifts.settle(input.token);
      await app.services.jobs.run("reconcile-payments");
      await takeGiftStep(app.services, input);
    }
    const { subscriptions, emails, members } = await audit(app);
    expect(await app.services.gifts.find(input.giftId)).toMatchObject({ state: after });
    expect(subscriptions).toHaveLength(step === "take up" || step === "join" || step === "end" ? 1 : 0);
    expect(members).toHaveLength(step === "join" ? 2 : 1);
    const sent = emails.filter(({ kind }) => kind === "gift").map(({ recipient }) => recipient);
    expect(new Set(sent).size).toBe(step === "move" ? 2 : 1);
    for (const kind of ["gift-receipt", "gift-taken-up", "gift-ended", "welcome"]) {
      expect(emails.filter((email) => email.kind === kind).length, kind).toBeLessThanOrEqual(1);
    }
  });
});

test("the steps die at every point of a gift", () => {
  const points: Record<GiftPoint, true> = {
    "gift-buying": true,
    "gift-sending": true,
    "gift-sent": true,
    "gift-moving": true,
    "gift-claiming": true,
    "gift-taking": true,
    "gift-taken": true,
    "gift-cancelling": true,
    "gift-expiring": true,
    "gift-ending": true,
    "gift-ended": true,
  };
  const died = new Set<string>(deaths.map(({ death }) => death));
  expect(Object.keys(points).filter((point) => !died.has(point))).toEqual([]);
});
