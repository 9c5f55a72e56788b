import { expect, test } from "vitest";

import type { Manner } from "../../../tests/fakes/hostile-provider.ts";
import { openHostileApp, STATUS } from "../../../tests/helpers/provider.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

test("the provider is asked once in half a minute, however many requests come", async () => {
  await using app = await openHostileApp();
  await app.enter();
  await Promise.all(Array.from({ length: 20 }, () => app.findAccess()));
  app.clock.advance(29_000);
  expect(await app.findAccess()).toEqual({ isActive: true });
  expect(app.count(STATUS)).toBe(1);
  app.clock.advance(1000);
  await app.findAccess();
  expect(app.count(STATUS)).toBe(2);
  // Names and the end of the term are read once an hour.
  expect(app.count("users/getcurrentuser")).toBe(1);
});

const falls: [string, Manner][] = [
  ["is away", "reset"],
  ["answers nonsense", { json: { status: [] } }],
  ["is asked too often", { json: { message: "slowly" }, status: 429 }],
  ["has a fault", { json: { message: "critical error" }, status: 500 }],
];

test.each(falls)("while the provider %s its last good answer holds, for an hour", async (_, manner) => {
  await using app = await openHostileApp();
  await app.enter();
  expect(await app.findAccess()).toEqual({ isActive: true });
  app.provider.behave(manner, STATUS);
  app.clock.advance(59 * MINUTE_IN_MS);
  expect(await app.findAccess()).toEqual({ isActive: true });
  app.clock.advance(2 * MINUTE_IN_MS);
  expect(await app.findAccess()).toEqual({ isActive: false, reason: "unavailable" });
  app.provider.behave({ json: "inactive" }, STATUS);
  app.clock.advance(MINUTE_IN_MS);
  expect(await app.findAccess()).toEqual({ isActive: false, reason: "no-term" });
});

test("a member whose subscription was never confirmed sees nothing while the provider is away", async () => {
  await using app = await openHostileApp();
  app.provider.behave("reset", STATUS);
  await app.enter();
  expect(await app.findAccess()).toEqual({ isActive: false, reason: "unavailable" });
});

test.each([
  ["2027-11-20T03:00:00.000Z", { isActive: true, endsAt: new Date("2027-11-20T03:00:00.000Z") }],
  ["2020-01-01T00:00:00.000Z", { isActive: true }],
  ["soon", { isActive: true }],
  [null, { isActive: true }],
])("no end is made up: %s", async (end, access) => {
  await using app = await openHostileApp();
  app.provider.behave({ json: [{ email: "ada@app.example", subscription_ends_at: end }] }, "users/getcurrentuser");
  await app.enter();
  expect(await app.findAccess()).toEqual(access);
});

test("names and address that changed at the provider are known here within the hour", async () => {
  await using app = await openHostileApp();
  await app.enter();
  await app.findAccess();
  app.provider.behave(
    { json: [{ first_name: "Adele &amp; Bo &amp;lt;3", email: "adele@app.example" }] },
    "users/getcurrentuser",
  );
  app.clock.advance(HOUR_IN_MS + 1);
  await app.findAccess();
  expect(await app.services.accounts.findMember(7)).toMatchObject({
    firstName: "Adele & Bo &lt;3",
    email: "adele@app.example",
  });
});

test.each([401, 403])(
  "a token that is refused with %s ends its session, and the next token is tried",
  async (status) => {
    await using app = await openHostileApp();
    const phone = await app.enter();
    app.clock.advance(1000);
    const desk = await app.enter("over");
    app.provider.behave(
      ({ headers }) => (headers.authorization === "good" ? { json: true } : { json: { message: "no" }, status }),
      STATUS,
    );
    expect(await app.findAccess()).toEqual({ isActive: true });
    expect(app.listTokens(STATUS)).toEqual(["over", "good"]);
    expect(await app.services.sessions.find(desk)).toBeUndefined();
    expect(await app.services.sessions.find(phone)).toMatchObject({ memberId: 7 });
  },
);

test("a revoked API key neither logs members out nor looks like a wrong password", async () => {
  await using app = await openHostileApp();
  const token = await app.enter();
  await app.findAccess();
  app.provider.turn({ json: { message: "The key is missing or wrong." }, status: 401 });
  app.clock.advance(MINUTE_IN_MS);
  expect(await app.services.sessions.find(token)).toMatchObject({ memberId: 7 });
  expect(await app.findAccess()).toEqual({ isActive: true });
  await expect(app.logIn()).rejects.toThrow("unavailable");
  expect(await app.services.parts.provider?.check()).toEqual({
    isWell: false,
    message: expect.stringContaining("is API_KEY right?"),
  });
});

test("wrong passwords are rate-limited here, before the provider is asked", async () => {
  await using app = await openHostileApp();
  app.provider.behave({ json: { message: "wrong" }, status: 403 }, "users/grabtoken");
  for (let count = 0; count < 10; count += 1) await expect(app.logIn()).rejects.toThrow("wrong-credentials");
  await expect(app.logIn()).rejects.toThrow("too-many-attempts");
  expect(app.count("users/grabtoken")).toBe(10);
});

test("an outage does not use up log-in attempts", async () => {
  await using app = await openHostileApp();
  app.provider.behave("reset", "users/grabtoken");
  for (let count = 0; count < 12; count += 1) await expect(app.logIn()).rejects.toThrow("unavailable");
  app.clock.advance(MINUTE_IN_MS);
  await app.enter();
});

test("accounts and subscriptions are not made here", async () => {
  await using app = await openHostileApp();
  const ada = { email: "new@app.example", firstName: "N", lastName: "N", accountType: "individual" } as const;
  await expect(app.services.accounts.register({ ...ada, password: "x" })).rejects.toThrow(/held by the provider/);
  await expect(app.services.membership.revoke(7)).rejects.toThrow(/held by the provider/);
});
