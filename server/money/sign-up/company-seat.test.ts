import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { settleAll, openApp, type App } from "../../../tests/helpers/app.ts";
import { listFaults, readLedger } from "../../../tests/saga/ledger.ts";
import { ada, from, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";

const CODE = "NIGHT-SHIFT";
const YEAR_IN_MS = 365 * DAY_IN_MS;

describe.each(engines)("the seat of a member who leaves a company on %s", (engine) => {
  async function admit(app: App, email = ada.email): Promise<number> {
    const token = await prepareDraft(app, { email, accountType: "corporate", code: CODE });
    await pay(app, token, { card: "hosted", shownPlanType: undefined });
    return (await app.services.accounts.findByEmail(email))?.id ?? 0;
  }

  /** A renewal that only lacks the payment; by the member's own card once the company is gone. */
  async function startRenewal(app: App, memberId: number, { hasCompany }: { hasCompany: boolean }) {
    const { services } = app;
    if (!hasCompany) await services.codes.revoke(CODE);
    const draft = await services.signUp.startRenewal(services.renewalLinks.make(memberId), from);
    const token = draft?.token ?? "";
    expect(await services.signUp.findDraft(token)).toMatchObject({
      accountType: hasCompany ? "corporate" : "individual",
    });
    if (!hasCompany) await services.signUp.choosePlan(token, 3);
    return () => pay(app, token, hasCompany ? { card: "hosted", shownPlanType: undefined } : {});
  }

  async function renew(...renewal: Parameters<typeof startRenewal>) {
    const finish = await startRenewal(...renewal);
    return finish();
  }

  const bringBack = (app: App) => app.database.db.updateTable("codes").set({ revokedAt: null }).execute();
  const countTaken = async ({ services }: App) => (await services.codes.find(CODE))?.seatsTaken;

  async function expectNoFaults(app: App): Promise<void> {
    await settleAll(app);
    expect(listFaults(await readLedger(app.database.db))).toEqual([]);
  }

  test("is free for a colleague when the company's term ends, not when the member's own does", async () => {
    await using app = await openApp({ engine });
    const { codes, membership, jobs } = app.services;
    await codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(app);
    app.clock.advance(300 * DAY_IN_MS);
    expect(await renew(app, memberId, { hasCompany: false })).toEqual({ ok: true, next: "completed" });
    await bringBack(app);
    expect(await countTaken(app)).toBe(1);

    app.clock.advance(65 * DAY_IN_MS - 1);
    await jobs.run("send-ending-emails");
    expect(await codes.check(CODE)).toMatchObject({ isValid: false, reason: "full" });
    app.clock.advance(1);
    await jobs.run("send-ending-emails");
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    const colleague = await admit(app, "bea@example.org");
    expect(await codes.find(CODE)).toMatchObject({ seatsTaken: 1, holders: [{ memberId: colleague }] });
    await expectNoFaults(app);
  });

  test("is free at once where nothing of the company's term is left", async () => {
    await using app = await openApp({ engine });
    await app.services.codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(app);
    await app.services.membership.revoke(memberId);
    await renew(app, memberId, { hasCompany: false });
    expect(await countTaken(app)).toBe(0);
    await expectNoFaults(app);
  });

  test("stays theirs when they rejoin the company before it ends", async () => {
    await using app = await openApp({ engine });
    const { codes, jobs } = app.services;
    await codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(app);
    await renew(app, memberId, { hasCompany: false });
    await bringBack(app);
    await app.database.db.updateTable("members").set({ accountType: "corporate" }).execute();
    await renew(app, memberId, { hasCompany: true });
    app.clock.advance(YEAR_IN_MS);
    await jobs.run("send-ending-emails");
    expect(await codes.find(CODE)).toMatchObject({ seatsTaken: 1, holders: [{ memberId }] });
  });

  test.each([
    ["as an individual", false, 0],
    ["with the company", true, 4],
  ])("is counted right when four renew %s in the moment in which their terms end", async (_how, hasCompany, taken) => {
    await using app = await openApp({ engine });
    const { codes, jobs } = app.services;
    await codes.create({ code: CODE, seats: 4 });
    const members: number[] = [];
    for (let count = 0; count < 4; count += 1) members.push(await admit(app, `member-${count}@example.org`));
    app.clock.advance(YEAR_IN_MS);
    const renewals = [];
    for (const memberId of members) renewals.push(await startRenewal(app, memberId, { hasCompany }));
    const [first, ...others] = renewals;
    await Promise.all([
      first?.(),
      jobs.run("send-ending-emails"),
      ...others.map((finish) => finish()),
      jobs.run("send-ending-emails"),
    ]);
    expect(await countTaken(app)).toBe(taken);
    await expectNoFaults(app);
  });
});
