import { expect, test } from "vitest";

import type { Manner } from "../../../tests/fakes/hostile-provider.ts";
import { ADA, openStandingHouse, STATUS } from "../../../tests/helpers/standing-house.ts";

const FAVES = "media/getallfaves";
const noFaves = { videos: [], post: [], tutorials: [], withdrawn: { videos: [], post: [], tutorials: [] } };
const refused: Manner = { json: { message: "no" }, status: 401 };

/** Two devices, each with a token of its own; the desk has the newer one. */
async function openHouse() {
  const house = await openStandingHouse();
  const phone = await house.enter("phone");
  house.clock.advance(1000);
  const desk = await house.enter("desk");
  const { sessions } = house.rooms;
  return {
    ...house,
    phone,
    desk,
    find: (token: string) => sessions.find(token),
    act: <Answer>(token: string, work: () => Promise<Answer>) => sessions.act({ token, memberId: ADA }, work),
    takeOnly: (good: string) =>
      house.provider.behave(({ headers }) => (headers.authorization === good ? { json: true } : refused), STATUS),
  };
}

test("a session ends with its own token, however good a newer one of the member is", async () => {
  await using house = await openHouse();
  house.takeOnly("desk");
  expect(await house.find(house.desk)).toMatchObject({ memberId: ADA });
  expect(await house.find(house.phone)).toBeUndefined();
  expect(await house.find(house.desk)).toMatchObject({ memberId: ADA });
});

test("a token that was taken is asked about again after half a minute, though a newer one was taken since", async () => {
  await using house = await openHouse();
  expect(await house.find(house.phone)).toBeDefined();
  house.takeOnly("desk");
  house.clock.advance(20_000);
  expect(await house.find(house.desk)).toBeDefined();
  expect(await house.find(house.phone)).toBeDefined();
  house.clock.advance(10_000);
  expect(await house.find(house.phone)).toBeUndefined();
});

test("a log-in has every other session of the member show at once that its token is good", async () => {
  await using house = await openHouse();
  expect(await house.find(house.phone)).toBeDefined();
  house.clock.advance(1000);
  const tablet = await house.enter("tablet");
  house.takeOnly("tablet");
  expect(await house.find(tablet)).toBeDefined();
  expect(await house.find(house.phone)).toBeUndefined();
});

test("each session asks once in half a minute, and one alone asks for itself and its member together", async () => {
  await using house = await openHouse();
  await Promise.all(Array.from({ length: 20 }, () => house.find(house.desk)));
  expect(house.tokensOf(STATUS)).toEqual(["desk"]);
  await Promise.all(Array.from({ length: 20 }, () => house.find(house.phone)));
  expect(house.tokensOf(STATUS)).toEqual(["desk", "phone"]);
  house.clock.advance(29_000);
  await house.find(house.desk);
  await house.find(house.phone);
  await house.findAccess();
  expect(house.count(STATUS)).toBe(2);
  house.clock.advance(1000);
  for (let count = 0; count < 3; count += 1) await house.find(house.desk);
  expect(house.tokensOf(STATUS)).toEqual(["desk", "phone", "desk"]);
});

test("two sessions that come at one moment do not answer for one another", async () => {
  await using house = await openHouse();
  house.takeOnly("desk");
  const [desk, phone] = await Promise.all([house.find(house.desk), house.find(house.phone)]);
  expect(desk).toBeDefined();
  expect(phone).toBeUndefined();
});

test.each<[string, Manner]>([
  ["is away", "reset"],
  ["is asked too often", { json: { message: "slowly" }, status: 429 }],
  ["has a fault", { json: { message: "critical error" }, status: 500 }],
])("while the provider %s nobody is logged out", async (_, manner) => {
  await using house = await openHouse();
  expect(await house.find(house.phone)).toBeDefined();
  house.provider.behave(manner, STATUS);
  house.clock.advance(31_000);
  expect(await house.find(house.phone)).toBeDefined();
  expect(await house.find(house.desk)).toBeDefined();
});

test("what is done in a session is asked with its own token, and with no other once that is over", async () => {
  await using house = await openHouse();
  const { favourites } = house.rooms;
  const heart = { kind: "watch", id: 11 } as const;
  house.provider.behave({ json: noFaves }, FAVES);
  house.provider.behave({ json: { saved: true } }, "media/postfave");
  await house.act(house.phone, () => favourites.listFavourited(ADA, [heart]));
  expect(house.tokensOf(FAVES)).toEqual(["phone"]);
  house.provider.behave(({ headers }) => (headers.authorization === "desk" ? { json: noFaves } : refused), FAVES);
  const late = await house.act(house.phone, () => favourites.save(ADA, heart));
  expect(late).toEqual({ ok: false, reason: "unreachable" });
  expect(house.tokensOf(FAVES)).toEqual(["phone", "phone"]);
  expect(house.count("media/postfave")).toBe(0);
  expect(await house.find(house.phone)).toBeUndefined();
});

test("what nobody's session asks for is asked with the member's newest token", async () => {
  await using house = await openHouse();
  await house.findAccess();
  expect(house.tokensOf(STATUS)).toEqual(["desk"]);
});
