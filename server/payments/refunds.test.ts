import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";
import { ada, pay, prepareDraft } from "../../tests/saga/visitor.ts";
import type { Engine } from "../database/database.ts";
import type { GatewayDispute } from "./card-gateway.ts";

describe.each(engines)("a disputed charge on %s", (engine) => {
  /** Ada, a member whose bank may want its money back. */
  async function openDisputed(on: Engine) {
    const bank = { disputes: [] as GatewayDispute[] };
    const house = await openHouse(on, {
      wrapCards: (cards) => ({
        ...cards,
        findDispute: async (id) => bank.disputes.find((each) => each.id === id),
      }),
    });
    const { rooms, database } = house;
    await pay(house, await prepareDraft(house));
    const member = await rooms.accounts.findByEmail(ada.email);
    const memberId = member?.id ?? 0;
    const paid = await database.db.selectFrom("payments").select("gateway_id").executeTakeFirstOrThrow();
    const tell = (subject = "du_1") => rooms.payments.noticeGateway.handle({ id: "evt_1", kind: "dispute", subject });
    const say = (state: GatewayDispute["state"], id = "du_1") => {
      bank.disputes = [
        ...bank.disputes.filter((each) => each.id !== id),
        { id, paymentId: paid.gateway_id ?? "", state },
      ];
      return tell(id);
    };
    const actions = async () => (await rooms.audit.listFor(memberId)).map(({ action }) => action).toReversed();
    const hasAccess = async () => (await rooms.membership.findAccess(memberId)).isActive;
    return { ...house, bank, memberId, say, tell, actions, hasAccess };
  }

  test("is told to the operators once, and takes no access away while nothing is decided", async () => {
    await using house = await openDisputed(engine);
    for (let time = 1; time <= 3; time += 1) await house.say("open");
    expect(await house.hasAccess()).toBe(true);
    const [entry, ...others] = await house.rooms.audit.listFor(house.memberId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      operator: "handle-notices",
      action: "dispute open",
      facts: { order: 1, dispute: "du_1", amountInPence: 6000, isEnded: false },
    });
    expect(house.log.lines.filter(({ event }) => event === "a charge is disputed")).toHaveLength(1);
  });

  test("ends what it paid for when it is lost, once, however often that is told", async () => {
    await using house = await openDisputed(engine);
    await house.say("open");
    await house.say("lost");
    expect(await house.hasAccess()).toBe(false);
    // An operator lets her in again all the same; a repeat must not throw her out.
    await house.rooms.membership.restore(house.memberId);
    await house.say("lost");
    expect(await house.hasAccess()).toBe(true);
    expect(await house.actions()).toEqual(["dispute open", "dispute lost"]);
  });

  test("that is heard of only when it is over has ended what it paid for; its beginning comes too late", async () => {
    await using house = await openDisputed(engine);
    await house.say("lost");
    await house.say("open");
    await house.say("won");
    expect(await house.hasAccess()).toBe(false);
    expect(await house.actions()).toEqual(["dispute lost"]);
    const rows = await house.database.db.selectFrom("disputes").select(["gateway_id", "state"]).execute();
    expect(rows).toEqual([{ gateway_id: "du_1", state: "lost" }]);
  });

  test("changes nothing when it is won, unless it is lost after all", async () => {
    await using house = await openDisputed(engine);
    await house.say("open");
    await house.say("won");
    await house.say("open");
    expect(await house.hasAccess()).toBe(true);
    await house.say("lost");
    expect(await house.hasAccess()).toBe(false);
    expect(await house.actions()).toEqual(["dispute open", "dispute won", "dispute lost"]);
  });

  test("told of ten times at once it is recorded once", async () => {
    await using house = await openDisputed(engine);
    await Promise.all(Array.from({ length: 10 }, () => house.say("lost")));
    expect(await house.actions()).toEqual(["dispute lost"]);
  });

  test("leaves what another order gave", async () => {
    await using house = await openDisputed(engine);
    const { membership } = house.rooms;
    const [paid] = await membership.listFor(house.memberId);
    const startsAt = paid?.endsAt ?? house.clock();
    await membership.grant({
      memberId: house.memberId,
      planType: 3,
      startsAt,
      endsAt: new Date("2028-11-20T03:00:00Z"),
    });
    await house.say("lost");
    const held = await membership.listFor(house.memberId);
    expect(held.map(({ revokedAt }) => revokedAt)).toEqual([undefined, house.clock()]);
    expect(await house.hasAccess()).toBe(false);
  });

  test("of somebody else's charge, and an inquiry that takes no money, are none of ours", async () => {
    await using house = await openDisputed(engine);
    house.bank.disputes = [{ id: "du_2", paymentId: "pay_of_nobody", state: "lost" }];
    await house.tell("du_2");
    await house.tell("du_unknown");
    expect(await house.hasAccess()).toBe(true);
    expect(await house.database.db.selectFrom("disputes").selectAll().execute()).toEqual([]);
    expect(await house.actions()).toEqual([]);
  });
});
