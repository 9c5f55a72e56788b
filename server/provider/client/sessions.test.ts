import { expect, test } from "vitest";

import type { Manner } from "../../../tests/fakes/hostile-provider.ts";
import { ADA, openHostileApp, STATUS } from "../../../tests/helpers/provider.ts";

const FAVES = "media/getallfaves";
const noFaves = { videos: [], post: [], tutorials: [], withdrawn: { videos: [], post: [], tutorials: [] } };
const refused: Manner = { json: { message: "no" }, status: 401 };

/** Two devices, each with its own token; the desk has the newer one. */
async function openDevices() {
  const app = await openHostileApp();
  const phone = await app.enter("phone");
  app.clock.advance(1000);
  const desk = await app.enter("desk");
  const { sessions } = app.services;
  return {
    ...app,
    phone,
    desk,
    find: (token: string) => sessions.find(token),
    act: <Answer>(token: string, work: () => Promise<Answer>) => sessions.act({ token, memberId: ADA }, work),
    takeOnly: (good: string) =>
      app.provider.behave(({ headers }) => (headers.authorization === good ? { json: true } : refused), STATUS),
  };
}

test("a session ends with its own token, even if the member has a newer valid one", async () => {
  await using app = await openDevices();
  app.takeOnly("desk");
  expect(await app.find(app.desk)).toMatchObject({ memberId: ADA });
  expect(await app.find(app.phone)).toBeUndefined();
  expect(await app.find(app.desk)).toMatchObject({ memberId: ADA });
});

test("an accepted token is checked again after half a minute, though a newer one was accepted since", async () => {
  await using app = await openDevices();
  expect(await app.find(app.phone)).toBeDefined();
  app.takeOnly("desk");
  app.clock.advance(20_000);
  expect(await app.find(app.desk)).toBeDefined();
  expect(await app.find(app.phone)).toBeDefined();
  app.clock.advance(10_000);
  expect(await app.find(app.phone)).toBeUndefined();
});

test("a log-in makes every other session of the member check its token at once", async () => {
  await using app = await openDevices();
  expect(await app.find(app.phone)).toBeDefined();
  app.clock.advance(1000);
  const tablet = await app.enter("tablet");
  app.takeOnly("tablet");
  expect(await app.find(tablet)).toBeDefined();
  expect(await app.find(app.phone)).toBeUndefined();
});

test("each session asks once in half a minute, and a single session asks once for itself and its member", async () => {
  await using app = await openDevices();
  await Promise.all(Array.from({ length: 20 }, () => app.find(app.desk)));
  expect(app.listTokens(STATUS)).toEqual(["desk"]);
  await Promise.all(Array.from({ length: 20 }, () => app.find(app.phone)));
  expect(app.listTokens(STATUS)).toEqual(["desk", "phone"]);
  app.clock.advance(29_000);
  await app.find(app.desk);
  await app.find(app.phone);
  await app.findAccess();
  expect(app.count(STATUS)).toBe(2);
  app.clock.advance(1000);
  for (let count = 0; count < 3; count += 1) await app.find(app.desk);
  expect(app.listTokens(STATUS)).toEqual(["desk", "phone", "desk"]);
});

test("two concurrent sessions are checked separately", async () => {
  await using app = await openDevices();
  app.takeOnly("desk");
  const [desk, phone] = await Promise.all([app.find(app.desk), app.find(app.phone)]);
  expect(desk).toBeDefined();
  expect(phone).toBeUndefined();
});

test.each<[string, Manner]>([
  ["is away", "reset"],
  ["is asked too often", { json: { message: "slowly" }, status: 429 }],
  ["has a fault", { json: { message: "critical error" }, status: 500 }],
])("while the provider %s no member is logged out", async (_, manner) => {
  await using app = await openDevices();
  expect(await app.find(app.phone)).toBeDefined();
  app.provider.behave(manner, STATUS);
  app.clock.advance(31_000);
  expect(await app.find(app.phone)).toBeDefined();
  expect(await app.find(app.desk)).toBeDefined();
});

test("an action in a session uses its own token, and no other once that has expired", async () => {
  await using app = await openDevices();
  const { favourites } = app.services;
  const favourite = { kind: "watch", id: 11 } as const;
  app.provider.behave({ json: noFaves }, FAVES);
  app.provider.behave({ json: { saved: true } }, "media/postfave");
  await app.act(app.phone, () => favourites.listFavourited(ADA, [favourite]));
  expect(app.listTokens(FAVES)).toEqual(["phone"]);
  app.provider.behave(({ headers }) => (headers.authorization === "desk" ? { json: noFaves } : refused), FAVES);
  const late = await app.act(app.phone, () => favourites.save(ADA, favourite));
  expect(late).toEqual({ ok: false, reason: "unavailable" });
  expect(app.listTokens(FAVES)).toEqual(["phone", "phone"]);
  expect(app.count("media/postfave")).toBe(0);
  expect(await app.find(app.phone)).toBeUndefined();
});

test("a call outside a session uses the member's newest token", async () => {
  await using app = await openDevices();
  await app.findAccess();
  expect(app.listTokens(STATUS)).toEqual(["desk"]);
});
