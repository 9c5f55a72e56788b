import { expect, test } from "vitest";

import type { Manner } from "../../../tests/fakes/hostile-provider.ts";
import { openStandingHouse as openHouse, STATUS } from "../../../tests/helpers/standing-house.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../clock.ts";

test("the provider is asked once in half a minute, however many ask us", async () => {
  await using house = await openHouse();
  await house.enter();
  await Promise.all(Array.from({ length: 20 }, () => house.findAccess()));
  house.clock.advance(29_000);
  expect(await house.findAccess()).toEqual({ isActive: true });
  expect(house.count(STATUS)).toBe(1);
  house.clock.advance(1000);
  await house.findAccess();
  expect(house.count(STATUS)).toBe(2);
  // Names and the end of the term are asked for once an hour.
  expect(house.count("users/getcurrentuser")).toBe(1);
});

const falls: [string, Manner][] = [
  ["is away", "reset"],
  ["says what nobody understands", { json: { status: [] } }],
  ["is asked too often", { json: { message: "slowly" }, status: 429 }],
  ["has a fault", { json: { message: "critical error" }, status: 500 }],
];

test.each(falls)("while the provider %s its last good answer holds, for an hour", async (_, manner) => {
  await using house = await openHouse();
  await house.enter();
  expect(await house.findAccess()).toEqual({ isActive: true });
  house.provider.behave(manner, STATUS);
  house.clock.advance(59 * MINUTE_IN_MS);
  expect(await house.findAccess()).toEqual({ isActive: true });
  house.clock.advance(2 * MINUTE_IN_MS);
  expect(await house.findAccess()).toEqual({ isActive: false, isUnknown: true });
  house.provider.behave({ json: "inactive" }, STATUS);
  house.clock.advance(MINUTE_IN_MS);
  expect(await house.findAccess()).toEqual({ isActive: false });
});

test("who was never known to have a subscription sees nothing while the provider is away", async () => {
  await using house = await openHouse();
  house.provider.behave("reset", STATUS);
  await house.enter();
  expect(await house.findAccess()).toEqual({ isActive: false, isUnknown: true });
});

test.each([
  ["2027-11-20T03:00:00.000Z", { isActive: true, endsAt: new Date("2027-11-20T03:00:00.000Z") }],
  ["2020-01-01T00:00:00.000Z", { isActive: true }],
  ["soon", { isActive: true }],
  [null, { isActive: true }],
])("no end is made up: %s", async (end, access) => {
  await using house = await openHouse();
  house.provider.behave({ json: [{ email: "ada@house.example", subscription_ends_at: end }] }, "users/getcurrentuser");
  await house.enter();
  expect(await house.findAccess()).toEqual(access);
});

test("names and address that changed at the provider are known here within the hour", async () => {
  await using house = await openHouse();
  await house.enter();
  await house.findAccess();
  house.provider.behave({ json: [{ first_name: "Adele", email: "adele@house.example" }] }, "users/getcurrentuser");
  house.clock.advance(HOUR_IN_MS + 1);
  await house.findAccess();
  expect(await house.rooms.accounts.findMember(7)).toMatchObject({ firstName: "Adele", email: "adele@house.example" });
});

test.each([401, 403])(
  "a token that is refused with %s ends its session, and the next token is tried",
  async (status) => {
    await using house = await openHouse();
    const phone = await house.enter();
    house.clock.advance(1000);
    const desk = await house.enter("over");
    house.provider.behave(
      ({ headers }) => (headers.authorization === "good" ? { json: true } : { json: { message: "no" }, status }),
      STATUS,
    );
    expect(await house.findAccess()).toEqual({ isActive: true });
    expect(house.tokensOf(STATUS)).toEqual(["over", "good"]);
    expect(await house.rooms.sessions.find(desk)).toBeUndefined();
    expect(await house.rooms.sessions.find(phone)).toMatchObject({ memberId: 7 });
  },
);

test("a key that the provider no longer takes logs nobody out, and is no wrong password", async () => {
  await using house = await openHouse();
  const token = await house.enter();
  await house.findAccess();
  house.provider.turn({ json: { message: "The key is missing or wrong." }, status: 401 });
  house.clock.advance(MINUTE_IN_MS);
  expect(await house.rooms.sessions.find(token)).toMatchObject({ memberId: 7 });
  expect(await house.findAccess()).toEqual({ isActive: true });
  await expect(house.enterAsToldTo()).rejects.toThrow("unreachable");
  expect(await house.rooms.parts.provider?.check()).toEqual({
    isWell: false,
    says: expect.stringContaining("is API_KEY right?"),
  });
});

test("wrong passwords wear out a guesser here, before the provider is troubled", async () => {
  await using house = await openHouse();
  house.provider.behave({ json: { message: "wrong" }, status: 403 }, "users/grabtoken");
  for (let count = 0; count < 10; count += 1) await expect(house.enterAsToldTo()).rejects.toThrow("wrong-credentials");
  await expect(house.enterAsToldTo()).rejects.toThrow("too-many-attempts");
  expect(house.count("users/grabtoken")).toBe(10);
});

test("an outage uses up nobody's attempts", async () => {
  await using house = await openHouse();
  house.provider.behave("reset", "users/grabtoken");
  for (let count = 0; count < 12; count += 1) await expect(house.enterAsToldTo()).rejects.toThrow("unreachable");
  house.clock.advance(MINUTE_IN_MS);
  await house.enter();
});

test("accounts and subscriptions are not made here", async () => {
  await using house = await openHouse();
  const ada = { email: "new@house.example", firstName: "N", lastName: "N", accountType: "individual" } as const;
  await expect(house.rooms.accounts.register({ ...ada, password: "x" })).rejects.toThrow(/kept by the provider/);
  await expect(house.rooms.membership.revoke(7)).rejects.toThrow(/kept by the provider/);
});
