import { expect, test } from "vitest";

import { HOUR_IN_MS, DAY_IN_MS, after } from "../../server/clock.ts";
import type { ItemRef } from "../../server/favourites/favourites.ts";
import type { Rooms } from "../../server/rooms.ts";
import type { TestClock } from "../helpers/test-clock.ts";

/** A house with members, whoever keeps them. */
export type MembersHouse = AsyncDisposable & {
  rooms: Rooms;
  clock: TestClock;
  /** The rooms of whoever keeps the accounts. */
  keeper: Rooms;
};

const PASSWORD = "sleep-well-tonight";
const ADDRESS = "198.51.100.1";
const ada = { firstName: "Ada", lastName: "Lovell", email: "ada@house.example" };
const [watch, read, learn]: ItemRef[] = [
  { kind: "watch", id: 11 },
  { kind: "read", id: 12 },
  { kind: "learn", id: 13 },
] as const satisfies ItemRef[];

/** The items that a house of these tests shows. */
export const items = [
  ["videos", 11],
  ["post", 12],
  ["tutorials", 13],
].map(([type, id]) => ({
  id,
  type,
  date: "2026-11-20T07:00:00",
  date_gmt: "2026-11-20T07:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Sleep well.</p>" },
}));

/** What the rooms that know members promise, whoever keeps the accounts, subscriptions and favourites. */
export function membersContract(open: () => Promise<MembersHouse>): void {
  async function openWith(person = ada) {
    const house = await open();
    const add = async (one: typeof ada, { days = 30 } = {}) => {
      const member = await house.keeper.accounts.register({ ...one, password: PASSWORD, accountType: "individual" });
      const now = house.clock();
      const term = { startsAt: after(now, -DAY_IN_MS), endsAt: after(now, days * DAY_IN_MS) };
      if (days > 0) await house.keeper.membership.grant({ memberId: member?.id ?? 0, planType: 1, ...term });
      return member?.id ?? 0;
    };
    const id = await add(person);
    const logIn = (email = person.email, password = PASSWORD) =>
      house.rooms.logIn({ email, password, address: ADDRESS });
    const enter = async (email = person.email) => {
      const result = await logIn(email);
      if (!result.ok) throw new Error(`${email} does not get in: ${result.reason}`);
      return result.session.token;
    };
    return { ...house, id, add, logIn, enter, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  }

  test("the right password lets in, and nobody learns what was wrong with another", async () => {
    await using house = await openWith();
    expect(await house.logIn()).toMatchObject({ ok: true });
    expect(await house.logIn(" ADA@House.Example ")).toMatchObject({ ok: true });
    for (const [email, password] of [
      [ada.email, "sleep-badly"],
      ["nobody@house.example", PASSWORD],
      [ada.email, ""],
      ["", ""],
    ] as const) {
      expect(await house.logIn(email, password)).toEqual({ ok: false, reason: "wrong-credentials" });
    }
  });

  test("whoever guesses passwords is worn out", async () => {
    await using house = await openWith();
    for (let count = 0; count < 10; count += 1) {
      expect(await house.logIn(ada.email, `guess ${count}`)).toEqual({ ok: false, reason: "wrong-credentials" });
    }
    expect(await house.logIn()).toMatchObject({ ok: false, reason: "too-many-attempts" });
    house.clock.advance(HOUR_IN_MS);
    expect(await house.logIn()).toMatchObject({ ok: true });
  });

  test("a session is its member's until it ends, and nobody else's", async () => {
    await using house = await openWith();
    const [token, other] = [await house.enter(), await house.enter()];
    expect(await house.rooms.sessions.find(token)).toMatchObject({ memberId: house.id });
    expect(await house.rooms.accounts.findMember(house.id)).toEqual({
      id: house.id,
      ...ada,
      accountType: "individual",
    });
    expect(await house.rooms.sessions.list(house.id, token)).toHaveLength(2);
    await house.rooms.sessions.end(token);
    expect(await house.rooms.sessions.find(token)).toBeUndefined();
    expect(await house.rooms.sessions.find(other)).toMatchObject({ memberId: house.id });
    expect(await house.rooms.sessions.find("nobody's")).toBeUndefined();
  });

  test("a member is found by their address, and nobody by one that nobody has", async () => {
    await using house = await openWith();
    await house.enter();
    expect(await house.rooms.accounts.findByEmail(" ADA@house.example")).toMatchObject({
      id: house.id,
      firstName: "Ada",
    });
    expect(await house.rooms.accounts.findByEmail("nobody@house.example")).toBeUndefined();
    expect(await house.rooms.accounts.findByEmail("")).toBeUndefined();
  });

  test("access lasts as long as the subscription", async () => {
    await using house = await openWith();
    await house.enter();
    const access = await house.rooms.membership.findAccess(house.id);
    expect(access).toMatchObject({ isActive: true });
    const endsAt = access.isActive ? access.endsAt?.getTime() : undefined;
    expect(Math.abs((endsAt ?? 0) - after(house.clock(), 30 * DAY_IN_MS).getTime())).toBeLessThan(HOUR_IN_MS);

    expect(await house.keeper.membership.revoke(house.id)).toBe(true);
    house.clock.advance(31_000);
    expect(await house.rooms.membership.findAccess(house.id)).toMatchObject({ isActive: false });
    expect(await house.keeper.membership.restore(house.id)).toBe(true);
    house.clock.advance(31_000);
    expect(await house.rooms.membership.findAccess(house.id)).toMatchObject({ isActive: true });
  });

  test("who has no subscription gets in and sees no content", async () => {
    await using house = await openWith();
    const bob = { firstName: "Bob", lastName: "Hale", email: "bob@house.example" };
    const id = await house.add(bob, { days: 0 });
    await house.enter(bob.email);
    expect(await house.rooms.membership.findAccess(id)).toMatchObject({ isActive: false });
    expect(await house.rooms.favourites.findPage(id, "watch", { page: 1, size: 10 })).toEqual({
      itemIds: [],
      total: 0,
    });
  });

  test("what is saved stays until it is let go, and a repeat changes nothing", async () => {
    await using house = await openWith();
    const { favourites } = house.rooms;
    await house.enter();
    for (const item of [watch, read, read, learn, watch]) {
      expect(await favourites.save(house.id, item as ItemRef)).toEqual({ ok: true });
    }
    expect(await favourites.listFavourited(house.id, [read, learn, { kind: "read", id: 99 }] as ItemRef[])).toEqual(
      expect.arrayContaining(["read-12", "learn-13"]),
    );
    expect((await favourites.listFor(house.id)).map(({ kind }) => kind).toSorted()).toEqual(["learn", "read", "watch"]);
    for (let count = 0; count < 2; count += 1) {
      expect(await favourites.remove(house.id, read as ItemRef)).toEqual({ ok: true });
    }
    expect(await favourites.listFavourited(house.id, [watch, read, learn] as ItemRef[])).toHaveLength(2);
    expect(await favourites.findPage(house.id, "read", { page: 1, size: 10 })).toEqual({ itemIds: [], total: 0 });
    expect(await favourites.findPage(house.id, "watch", { page: 1, size: 10 })).toEqual({ itemIds: [11], total: 1 });
  });

  test("two windows that save at once have saved", async () => {
    await using house = await openWith();
    const { favourites } = house.rooms;
    await house.enter();
    await Promise.all([1, 2, 3].map(() => favourites.save(house.id, watch as ItemRef)));
    expect(await favourites.listFavourited(house.id, [watch as ItemRef])).toEqual(["watch-11"]);
    await Promise.all([1, 2].map(() => favourites.remove(house.id, watch as ItemRef)));
    expect(await favourites.listFavourited(house.id, [watch as ItemRef])).toEqual([]);
  });

  test("favourites are one's own", async () => {
    await using house = await openWith();
    const bob = { firstName: "Bob", lastName: "Hale", email: "bob@house.example" };
    const bobId = await house.add(bob);
    await house.enter();
    await house.enter(bob.email);
    await house.rooms.favourites.save(house.id, watch as ItemRef);
    expect(await house.rooms.favourites.listFor(bobId)).toEqual([]);
  });

  const shownAda = { firstName: "Ada", lastName: "Lovell", email: ada.email };
  const by = { address: ADDRESS, site: "https://front.example/" };

  test("names are changed at once, and what was changed elsewhere is not overwritten", async () => {
    await using house = await openWith();
    const { profile } = house.rooms;
    await house.enter();
    const wish = { ...by, memberId: house.id, shown: shownAda, password: undefined };
    expect(await profile.save({ ...wish, wanted: { ...shownAda, firstName: " Adele " } })).toMatchObject({ ok: true });
    expect(await profile.find(house.id)).toEqual({ ...shownAda, firstName: "Adele", pendingEmail: undefined });
    expect(await house.keeper.accounts.findMember(house.id)).toMatchObject({ firstName: "Adele" });
    expect(await profile.save({ ...wish, wanted: { ...shownAda, firstName: "Ida" } })).toMatchObject({
      ok: false,
      reason: "changed-elsewhere",
      now: { firstName: "Adele" },
    });
    expect(await profile.save({ ...wish, wanted: { ...shownAda, lastName: " " } })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["last-name-missing"],
    });
  });

  test("a new address asks for the password, and counts once it is proved", async () => {
    await using house = await openWith();
    const { profile } = house.rooms;
    await house.enter();
    const wanted = { ...shownAda, email: "ada@new.example" };
    const wish = { ...by, memberId: house.id, shown: shownAda, wanted };
    expect(await profile.save({ ...wish, password: undefined })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["password-wanted"],
    });
    expect(await profile.save({ ...wish, password: "not this one" })).toMatchObject({ ok: false });
    expect(await profile.save({ ...wish, password: PASSWORD })).toMatchObject({ ok: true, isEmailPending: true });
    expect(await profile.find(house.id)).toMatchObject({ email: ada.email });
    expect(await house.keeper.profile.find(house.id)).toMatchObject({ pendingEmail: "ada@new.example" });
  });
}
