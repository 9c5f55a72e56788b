import { describe, expect, test } from "vitest";

import { addMember, openApp } from "../../../tests/helpers/app.ts";
import { createAuthenticator, type Lie } from "../../../tests/helpers/authenticator.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { addOperator } from "../../../tests/helpers/desk.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { createRateLimiter } from "../rate-limit/rate-limit.ts";
import { createPasskeys, type PasskeyOwner } from "./passkeys.ts";

const site = { host: "dormouse.test", origin: "https://dormouse.test" };
const PRESENT_AND_VERIFIED = 0x05;
const MAY_BE_SYNCED = 0x08;
const IS_BACKED_UP = 0x10;

/** A member and an operator, each with the number 1. */
async function openPasskeys(engine: (typeof engines)[number] = "sqlite") {
  const app = await openApp({ engine });
  await addMember(app);
  await addOperator(app, { email: "olive@example.org", name: "Olive", role: "owner" });
  const passkeys = createPasskeys({ ...app.ctx, rateLimiter: createRateLimiter(app.ctx) });
  const member: PasskeyOwner = { kind: "member", id: 1 };
  const challengeFor = async () => (await passkeys.beginProof(site)).options.challenge;
  const openKey = (owner = member) => {
    const key = createAuthenticator({ ...site, user: `${owner.kind} ${owner.id}` });
    return {
      async add(lie?: Lie) {
        const named = { ...owner, rpName: "Dormouse", email: "ada@dormouse.example", name: "Ada" };
        const { challenge } = (await passkeys.beginAdding(named, site)).options;
        const made = await passkeys.verifyNew({ ...site, challenge, response: key.register(challenge, lie) });
        return made && passkeys.add(owner, { ...made, name: "A phone" }, app.db);
      },
      async prove(lie?: Lie) {
        const challenge = await challengeFor();
        return passkeys.prove(owner.kind, { ...site, challenge, response: key.sign(challenge, lie) });
      },
      sign: (challenge: string) => key.sign(challenge),
    };
  };
  return { ...app, passkeys, member, openKey, challengeFor };
}

describe.each(engines)("passkeys on %s", (engine) => {
  test("proves who its owner is, and remembers its name and its last use", async () => {
    await using app = await openPasskeys(engine);
    const key = app.openKey();
    expect(await key.add()).toBe(true);
    const createdAt = app.clock();
    expect(await key.prove()).toMatchObject({ ownerId: 1 });
    app.clock.advance(MINUTE_IN_MS);
    await key.prove();
    const view = { name: "A phone", createdAt, usedAt: app.clock(), isSynced: false };
    expect(await app.passkeys.list(app.member)).toEqual([expect.objectContaining(view)]);
    expect(await app.passkeys.list({ kind: "operator", id: 1 })).toEqual([]);
  });

  test("of two uses of a copied key at once, one is refused", async () => {
    await using app = await openPasskeys(engine);
    const key = app.openKey();
    await key.add();
    const proofs = await Promise.all([key.prove({ counter: 9 }), key.prove({ counter: 9 })]);
    expect(proofs.filter((proof) => proof !== undefined)).toHaveLength(1);
    // A device may count to four thousand million.
    expect(await key.prove({ counter: 4_000_000_000 })).toBeDefined();
    expect(await key.prove({ counter: 10 })).toBeUndefined();
  });

  test("belongs to one owner, who alone removes it", async () => {
    await using app = await openPasskeys(engine);
    const key = app.openKey();
    await key.add();
    expect(await key.add(), "a second time").toBe(false);
    const [{ id } = { id: "" }] = await app.passkeys.list(app.member);
    expect(await app.passkeys.remove({ kind: "operator", id: 1 }, id, app.db)).toBe(false);
    expect(await app.passkeys.remove(app.member, id, app.db)).toBe(true);
    expect(await key.prove()).toBeUndefined();
  });
});

const refused: [what: string, lie: Lie][] = [
  ["on another site's page", { origin: "https://evil.example" }],
  ["for another host", { host: "evil.example" }],
  ["without a finger, a face or a PIN", { flags: 0x01 }],
  ["in another owner's name", { user: "member 2" }],
  ["in an operator's name", { user: "operator 1" }],
  ["in no name", { user: "" }],
  ["by a key that may suddenly be copied", { flags: PRESENT_AND_VERIFIED | MAY_BE_SYNCED }],
  ["by a key that is copied although it may not be", { flags: PRESENT_AND_VERIFIED | IS_BACKED_UP }],
];

test.each(refused)("an answer made %s is refused", async (_, lie) => {
  await using app = await openPasskeys();
  const key = app.openKey();
  await key.add();
  expect(await key.prove(lie)).toBeUndefined();
  expect(await key.prove()).toBeDefined();
});

test("a challenge works once, for the answer that was made for it", async () => {
  await using app = await openPasskeys();
  const key = app.openKey();
  await key.add();
  const [challenge, other] = [await app.challengeFor(), await app.challengeFor()];
  const response = key.sign(challenge);
  expect(await app.passkeys.prove("member", { ...site, challenge: other, response })).toBeUndefined();
  expect(await app.passkeys.prove("member", { ...site, challenge, response })).toBeDefined();
  expect(await app.passkeys.prove("member", { ...site, challenge, response })).toBeUndefined();
});

test("an operator's passkey is no member's, though their numbers are equal", async () => {
  await using app = await openPasskeys();
  const key = app.openKey({ kind: "operator", id: 1 });
  await key.add();
  const challenge = await app.challengeFor();
  const response = key.sign(challenge);
  expect(await app.passkeys.prove("member", { ...site, challenge, response })).toBeUndefined();
  expect(await key.prove()).toMatchObject({ ownerId: 1 });
});

test("a key that may be copied to other devices says so, and whether it has been", async () => {
  await using app = await openPasskeys();
  const key = app.openKey();
  await key.add({ flags: PRESENT_AND_VERIFIED | MAY_BE_SYNCED });
  expect(await app.passkeys.list(app.member)).toMatchObject([{ isSynced: true }]);
  const readFlag = async () => (await app.db.selectFrom("passkeys").select("isBackedUp").execute())[0]?.isBackedUp;
  expect(await readFlag()).toBe(0);
  await key.prove({ flags: PRESENT_AND_VERIFIED | MAY_BE_SYNCED | IS_BACKED_UP });
  expect(await readFlag()).toBe(1);
});

test("text that is no answer of a browser is refused", async () => {
  await using app = await openPasskeys();
  for (const response of ["", "[]", "null", '{"id":"x"}', "{", '{"id":7,"response":{}}']) {
    const answer = { ...site, challenge: `c${response}`, response };
    expect(await app.passkeys.verifyNew(answer)).toBeUndefined();
    expect(await app.passkeys.prove("member", { ...answer, challenge: `d${response}` })).toBeUndefined();
  }
});
