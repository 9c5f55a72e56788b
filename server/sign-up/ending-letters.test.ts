import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse, type House } from "../../tests/helpers/house.ts";
import { ada, pay, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("the end of a membership on %s", (engine) => {
  async function admit(house: House, email: string, { isCorporate = false } = {}): Promise<number> {
    const company = { accountType: "corporate" as const, code: "NIGHT-SHIFT" };
    const token = await prepareDraft(house, { email, planType: 1, ...(isCorporate && company) });
    await pay(house, token, { card: isCorporate ? "hosted" : "paid", shownPlanType: isCorporate ? undefined : 1 });
    return (await house.rooms.accounts.findByEmail(email))?.id ?? 0;
  }

  /** What is written when the task has run twice, as two processes might. */
  async function listWritten(house: House): Promise<[string, string][]> {
    const sent = house.letters.length;
    await Promise.all([house.rooms.tasks.run("write-ending-letters"), house.rooms.outbox.deliver()]);
    await house.rooms.tasks.run("write-ending-letters");
    await house.rooms.outbox.deliver();
    return house.letters.slice(sent).map(({ to, subject }) => [to, subject]);
  }

  test("is announced a week before and told when it comes, once each, with a link that renews", async () => {
    await using house = await openHouse(engine);
    await admit(house, ada.email);
    await house.rooms.outbox.deliver();
    house.clock.advance(23 * DAY_IN_MS - 1);
    expect(await listWritten(house)).toEqual([]);
    house.clock.advance(1);
    expect(await listWritten(house)).toEqual([[ada.email, "Your membership ends on 20/12/2026"]]);
    const [, link = ""] = /[?&]renew=([\w.-]+)/.exec(house.letters.at(-1)?.text ?? "") ?? [];
    expect(await house.rooms.signUp.findRenewal(link)).toMatchObject({ firstName: "Ada" });
    house.clock.advance(7 * DAY_IN_MS - 1);
    expect(await listWritten(house)).toEqual([]);
    house.clock.advance(1);
    expect(await listWritten(house)).toEqual([[ada.email, "Your membership has ended"]]);
    house.clock.advance(DAY_IN_MS);
    expect(await listWritten(house)).toEqual([]);
  });

  test("is nothing to write about to who has renewed, or was shut out by an operator", async () => {
    await using house = await openHouse(engine);
    const { membership, renewalLinks, signUp } = house.rooms;
    const renewed = await admit(house, "renewed@example.org");
    const revoked = await admit(house, "revoked@example.org");
    await admit(house, "other@example.org");
    const from = { address: "198.51.100.7", site: "http://dormouse.test/" };
    const draft = await signUp.startRenewal(renewalLinks.make(renewed), from);
    await signUp.choosePlan(draft?.token ?? "", 1);
    await pay(house, draft?.token ?? "", { shownPlanType: 1 });
    await membership.revoke(revoked);
    await house.rooms.outbox.deliver();
    house.clock.advance(24 * DAY_IN_MS);
    expect((await listWritten(house)).map(([to]) => to)).toEqual(["other@example.org"]);
    house.clock.advance(7 * DAY_IN_MS);
    expect((await listWritten(house)).map(([to]) => to)).toEqual(["other@example.org"]);
  });

  test("frees the seat at a company's code, which somebody else may take then", async () => {
    await using house = await openHouse(engine);
    const { codes, membership } = house.rooms;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const memberId = await admit(house, ada.email, { isCorporate: true });
    expect(await codes.check("NIGHT-SHIFT")).toMatchObject({ isValid: false, reason: "full" });
    house.clock.advance(365 * DAY_IN_MS);
    await listWritten(house);
    expect(await membership.findAccess(memberId)).toEqual({ isActive: false });
    expect(await codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 0, holders: [] });
    const other = await admit(house, "bea@example.org", { isCorporate: true });
    expect(await codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 1, holders: [{ memberId: other }] });
  });

  test("is old news after a month: a house that was closed for long frees the seats and writes to nobody", async () => {
    await using house = await openHouse(engine);
    await house.rooms.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    await admit(house, ada.email, { isCorporate: true });
    await house.rooms.outbox.deliver();
    house.clock.advance((365 + 31) * DAY_IN_MS);
    expect(await listWritten(house)).toEqual([]);
    expect(await house.rooms.codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 0 });
  });
});
