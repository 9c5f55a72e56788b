import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse, type House } from "../../tests/helpers/house.ts";
import { listFaults, readLedger } from "../../tests/saga/ledger.ts";
import { ada, from, pay, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";

const CODE = "NIGHT-SHIFT";
const YEAR_IN_MS = 365 * DAY_IN_MS;

describe.each(engines)("the seat of who leaves a company on %s", (engine) => {
  /** Who joins by the company's code, today. */
  async function admit(house: House, email = ada.email): Promise<number> {
    const token = await prepareDraft(house, { email, accountType: "corporate", code: CODE });
    await pay(house, token, { card: "hosted", shownPlanType: undefined });
    return (await house.rooms.accounts.findByEmail(email))?.id ?? 0;
  }

  /** A renewal that has only to be paid for; by the member's own card once the company has gone. */
  async function startRenewal(house: House, memberId: number, { hasCompany }: { hasCompany: boolean }) {
    const { rooms } = house;
    if (!hasCompany) await rooms.codes.revoke(CODE);
    const draft = await rooms.signUp.startRenewal(rooms.renewalLinks.make(memberId), from);
    const token = draft?.token ?? "";
    expect(await rooms.signUp.findDraft(token)).toMatchObject({ accountType: hasCompany ? "corporate" : "individual" });
    if (!hasCompany) await rooms.signUp.choosePlan(token, 3);
    return () => pay(house, token, hasCompany ? { card: "hosted", shownPlanType: undefined } : {});
  }

  async function renew(...renewal: Parameters<typeof startRenewal>) {
    const finish = await startRenewal(...renewal);
    return finish();
  }

  const bringBack = (house: House) => house.database.db.updateTable("codes").set({ revoked_at: null }).execute();
  const countTaken = async ({ rooms }: House) => (await rooms.codes.find(CODE))?.seatsTaken;

  async function expectNoFaults(house: House): Promise<void> {
    await house.comeToRest();
    expect(listFaults(await readLedger(house.database.db))).toEqual([]);
  }

  test("is free for a colleague when the company's term ends, not when their own does", async () => {
    await using house = await openHouse(engine);
    const { codes, membership, tasks } = house.rooms;
    await codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(house);
    house.clock.advance(300 * DAY_IN_MS);
    expect(await renew(house, memberId, { hasCompany: false })).toEqual({ ok: true, next: "completed" });
    await bringBack(house);
    expect(await countTaken(house)).toBe(1);

    house.clock.advance(65 * DAY_IN_MS - 1);
    await tasks.run("write-ending-letters");
    expect(await codes.check(CODE)).toMatchObject({ isValid: false, reason: "full" });
    house.clock.advance(1);
    await tasks.run("write-ending-letters");
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    const colleague = await admit(house, "bea@example.org");
    expect(await codes.find(CODE)).toMatchObject({ seatsTaken: 1, holders: [{ memberId: colleague }] });
    await expectNoFaults(house);
  });

  test("is free at once where nothing of the company's term is left", async () => {
    await using house = await openHouse(engine);
    await house.rooms.codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(house);
    await house.rooms.membership.revoke(memberId);
    await renew(house, memberId, { hasCompany: false });
    expect(await countTaken(house)).toBe(0);
    await expectNoFaults(house);
  });

  test("is theirs again when they come back to the company before it ends", async () => {
    await using house = await openHouse(engine);
    const { codes, tasks } = house.rooms;
    await codes.create({ code: CODE, seats: 1 });
    const memberId = await admit(house);
    await renew(house, memberId, { hasCompany: false });
    await bringBack(house);
    await house.database.db.updateTable("members").set({ account_type: "corporate" }).execute();
    await renew(house, memberId, { hasCompany: true });
    house.clock.advance(YEAR_IN_MS);
    await tasks.run("write-ending-letters");
    expect(await codes.find(CODE)).toMatchObject({ seatsTaken: 1, holders: [{ memberId }] });
  });

  test.each([
    ["as an individual", false, 0],
    ["with the company", true, 4],
  ])("is counted right when four renew %s in the moment in which their terms end", async (_how, hasCompany, taken) => {
    await using house = await openHouse(engine);
    const { codes, tasks } = house.rooms;
    await codes.create({ code: CODE, seats: 4 });
    const members: number[] = [];
    for (let count = 0; count < 4; count += 1) members.push(await admit(house, `member-${count}@example.org`));
    house.clock.advance(YEAR_IN_MS);
    const renewals = [];
    for (const memberId of members) renewals.push(await startRenewal(house, memberId, { hasCompany }));
    const [first, ...others] = renewals;
    await Promise.all([
      first?.(),
      tasks.run("write-ending-letters"),
      ...others.map((finish) => finish()),
      tasks.run("write-ending-letters"),
    ]);
    expect(await countTaken(house)).toBe(taken);
    await expectNoFaults(house);
  });
});
