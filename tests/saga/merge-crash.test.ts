import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import type { MergePoint } from "../../server/context.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { type App, openApp, readEmail } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { readEverything } from "../helpers/full-database.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { createDatabaseCopies, type StoredDatabase } from "./database-copies.ts";
import type { MergeErrand } from "./merge-process.ts";
import { runUntilKilled } from "./run-until-killed.ts";
import { pay, prepareDraft } from "./visitor.ts";

/**
 * A process that merges two accounts is killed (SIGKILL) at each point. The accounts are then unchanged or fully
 * merged; an operator who repeats with the same code gets the result of an undisturbed merge.
 */
const folder = await mkdtemp(joinPath(tmpdir(), "dormouse-merge-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEPT = "ada@new.example";
const GONE = "ada@old.example";

const points = Object.keys({
  "merge-begun": true,
  "merge-terms-moved": true,
  "merge-books-moved": true,
  "merge-reading-moved": true,
  "merge-told": true,
  "merge-done": true,
} satisfies Record<MergePoint, true>) as MergePoint[];

/** A person's rows. Numbers of emails and lines differ after a death: an engine never repeats one. */
async function readOwned({ database, db }: Pick<App, "database" | "db">) {
  const { members, subscriptions, orders, payments, seats, codes, favourites, positions, notes, avatars } =
    await readEverything(database);
  const emails = await db.selectFrom("emails").select(["key", "recipient", "memberId"]).orderBy("key").execute();
  const audit = await db.selectFrom("audit").select(["action", "memberId"]).orderBy("id").execute();
  return {
    members,
    subscriptions,
    orders,
    payments,
    seats,
    codes,
    favourites,
    positions,
    notes,
    avatars,
    emails,
    audit,
  };
}

describe.each(engines)("a merge that dies on %s", (engine) => {
  const databases = createDatabaseCopies(engine, folder);

  async function open(stored: StoredDatabase, now: string) {
    return openApp({ engine, database: await openDatabase(stored), clock: createTestClock(now) });
  }

  /** Two accounts with data in each module, and the code. */
  async function prepare() {
    const stored = await databases.open();
    const app = await openApp({ engine, database: await openDatabase(stored) });
    const { services } = app;
    const join = async (email: string) => {
      await pay(app, await prepareDraft(app, { email }));
      return (await services.accounts.findByEmail(email))?.id ?? 0;
    };
    const [source, targetId] = [await join(GONE), await join(KEPT)];
    await services.codes.create({ code: "PILLOW", seats: 2 });
    await services.transact((trx) => services.codes.takeSeat({ code: "PILLOW", memberId: source }, trx));
    await services.favourites.save(source, { kind: "watch", id: 2001 });
    await services.positions.noteOpened(source, { kind: "read", id: 1001 });
    const note = { about: { memberId: source }, text: "Rang us.", operator: "op" };
    await services.transact((trx) => services.notes.add(note, trx));
    await services.audit.record({ operator: "op", action: "mail test", memberId: source, facts: {} });
    await services.merging.sendCode({ targetId, other: GONE, site: services.site }, async () => undefined);
    const { code } = await readEmail(app, GONE);
    const [now, before] = [app.clock().toISOString(), await readOwned(app)];
    await services.close();
    const copy = await databases.copy(stored);
    const merge = { targetId, other: GONE, code };
    const undisturbed = await open(await databases.restore(copy), now);
    const site = services.site;
    expect(await undisturbed.services.merging.merge({ ...merge, site }, async () => undefined)).toMatchObject({
      ok: true,
    });
    const after = await readOwned(undisturbed);
    expect(after).not.toEqual(before);
    await undisturbed.services.close();
    return { copy, now, merge, before, after };
  }

  const prepared = prepare();

  test.each(points)("at %s leaves both accounts or one, and is done when it is tried again", async (death) => {
    const { copy, now, merge, before, after } = await prepared;
    const database = await databases.restore(copy);
    const errand: MergeErrand = { database, now, ...merge, death };
    await runUntilKilled("merge-process", errand);
    await using app = await open(database, now);
    expect(await readOwned(app)).toEqual(death === "merge-done" ? after : before);
    const again = await app.services.merging.merge({ ...merge, site: app.services.site }, async () => undefined);
    expect(again).toMatchObject(death === "merge-done" ? { ok: false, reason: "other-unknown" } : { ok: true });
    expect(await readOwned(app)).toEqual(after);
  });
});
