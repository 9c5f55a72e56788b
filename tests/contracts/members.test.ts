import { describe, expect, test } from "vitest";

import { HOUR_IN_MS, DAY_IN_MS, after } from "../../server/platform/clock.ts";
import type { ItemRef } from "../../server/content/items/kinds.ts";
import type { Services } from "../../server/services.ts";
import { mapProfile } from "../../server/members/accounts/profile-fields.ts";
import { openApp } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { openRemoteApp } from "../helpers/provider.ts";
import type { TestClock } from "../helpers/test-clock.ts";

type MembersApp = AsyncDisposable & {
  services: Services;
  clock: TestClock;
  /** The services with the accounts: the app's own or the provider's. */
  keeper: Services;
};

const PASSWORD = "sleep-well-tonight";
const ADDRESS = "198.51.100.1";
const ada = { firstName: "Ada", lastName: "Lovell", email: "ada@app.example" };
const [watch, read, learn]: ItemRef[] = [
  { kind: "watch", id: 11 },
  { kind: "read", id: 12 },
  { kind: "learn", id: 13 },
] as const satisfies ItemRef[];

const items = [
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

/** For accounts, subscriptions and favourites of our own and of a provider. */
function membersContract(open: () => Promise<MembersApp>): void {
  async function openWith(person = ada) {
    const app = await open();
    const add = async (one: typeof ada, { days = 30 } = {}) => {
      const member = await app.keeper.accounts.register({ ...one, password: PASSWORD, accountType: "individual" });
      const now = app.clock();
      const term = { startsAt: after(now, -DAY_IN_MS), endsAt: after(now, days * DAY_IN_MS) };
      if (days > 0) await app.keeper.membership.grant({ memberId: member?.id ?? 0, planType: 1, ...term });
      return member?.id ?? 0;
    };
    const id = await add(person);
    const logIn = (email = person.email, password = PASSWORD) =>
      app.services.logIn({ email, password, address: ADDRESS });
    const enter = async (email = person.email) => {
      const result = await logIn(email);
      if (!result.ok) throw new Error(`${email} does not get in: ${result.reason}`);
      return result.session.token;
    };
    return { ...app, id, add, logIn, enter, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  }

  test("the right password lets in, and a refusal does not say what was wrong", async () => {
    await using app = await openWith();
    expect(await app.logIn()).toMatchObject({ ok: true });
    expect(await app.logIn(" ADA@App.Example ")).toMatchObject({ ok: true });
    for (const [email, password] of [
      [ada.email, "sleep-badly"],
      ["nobody@app.example", PASSWORD],
      [ada.email, ""],
      ["", ""],
    ] as const) {
      expect(await app.logIn(email, password)).toEqual({ ok: false, reason: "wrong-credentials" });
    }
  });

  test("guessing passwords is limited", async () => {
    await using app = await openWith();
    for (let count = 0; count < 10; count += 1) {
      expect(await app.logIn(ada.email, `guess ${count}`)).toEqual({ ok: false, reason: "wrong-credentials" });
    }
    expect(await app.logIn()).toMatchObject({ ok: false, reason: "too-many-attempts" });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.logIn()).toMatchObject({ ok: true });
  });

  test("a session belongs to its member until it ends", async () => {
    await using app = await openWith();
    const [token, other] = [await app.enter(), await app.enter()];
    expect(await app.services.sessions.find(token)).toMatchObject({ memberId: app.id });
    expect(await app.services.accounts.findMember(app.id)).toEqual({
      id: app.id,
      ...ada,
      accountType: "individual",
    });
    expect(await app.services.sessions.list(app.id, token)).toHaveLength(2);
    await app.services.sessions.end(token);
    expect(await app.services.sessions.find(token)).toBeUndefined();
    expect(await app.services.sessions.find(other)).toMatchObject({ memberId: app.id });
    expect(await app.services.sessions.find("nobody's")).toBeUndefined();
  });

  test("a member is found by their address, and none by an unknown one", async () => {
    await using app = await openWith();
    await app.enter();
    expect(await app.services.accounts.findByEmail(" ADA@app.example")).toMatchObject({
      id: app.id,
      firstName: "Ada",
    });
    expect(await app.services.accounts.findByEmail("nobody@app.example")).toBeUndefined();
    expect(await app.services.accounts.findByEmail("")).toBeUndefined();
  });

  test("access lasts as long as the subscription", async () => {
    await using app = await openWith();
    await app.enter();
    const access = await app.services.membership.findAccess(app.id);
    expect(access).toMatchObject({ isActive: true });
    const endsAt = access.isActive ? access.endsAt?.getTime() : undefined;
    expect(Math.abs((endsAt ?? 0) - after(app.clock(), 30 * DAY_IN_MS).getTime())).toBeLessThan(HOUR_IN_MS);

    expect(await app.keeper.membership.revoke(app.id)).toBe(true);
    app.clock.advance(31_000);
    expect(await app.services.membership.findAccess(app.id)).toMatchObject({ isActive: false });
    expect(await app.keeper.membership.restore(app.id)).toBe(true);
    app.clock.advance(31_000);
    expect(await app.services.membership.findAccess(app.id)).toMatchObject({ isActive: true });
  });

  test("a member without a subscription gets in and sees no content", async () => {
    await using app = await openWith();
    const bob = { firstName: "Bob", lastName: "Hale", email: "bob@app.example" };
    const id = await app.add(bob, { days: 0 });
    await app.enter(bob.email);
    expect(await app.services.membership.findAccess(id)).toMatchObject({ isActive: false });
    expect(await app.services.favourites.findPages(id, [{ kind: "watch", page: 1, size: 10 }])).toEqual([
      { items: [], total: 0 },
    ]);
  });

  test("a favourite stays until it is removed, and a repeat changes nothing", async () => {
    await using app = await openWith();
    const { favourites } = app.services;
    await app.enter();
    for (const item of [watch, read, read, learn, watch]) {
      expect(await favourites.save(app.id, item as ItemRef)).toEqual({ ok: true });
    }
    expect(await favourites.listFavourited(app.id, [read, learn, { kind: "read", id: 99 }] as ItemRef[])).toEqual(
      expect.arrayContaining(["read-12", "learn-13"]),
    );
    expect((await favourites.listFor(app.id)).map(({ kind }) => kind).toSorted()).toEqual(["learn", "read", "watch"]);
    for (let count = 0; count < 2; count += 1) {
      expect(await favourites.remove(app.id, read as ItemRef)).toEqual({ ok: true });
    }
    expect(await favourites.listFavourited(app.id, [watch, read, learn] as ItemRef[])).toHaveLength(2);
    const page = { page: 1, size: 10 };
    const pages = await favourites.findPages(app.id, [
      { kind: "read", ...page },
      { kind: "watch", ...page },
      { among: [read, learn] as ItemRef[], ...page },
    ]);
    expect(pages.map((found) => [found.items.map(({ kind, id }) => `${kind}-${id}`), found.total])).toEqual([
      [[], 0],
      [["watch-11"], 1],
      [["learn-13"], 1],
    ]);
  });

  test("two windows that save at once both succeed", async () => {
    await using app = await openWith();
    const { favourites } = app.services;
    await app.enter();
    await Promise.all([1, 2, 3].map(() => favourites.save(app.id, watch as ItemRef)));
    expect(await favourites.listFavourited(app.id, [watch as ItemRef])).toEqual(["watch-11"]);
    await Promise.all([1, 2].map(() => favourites.remove(app.id, watch as ItemRef)));
    expect(await favourites.listFavourited(app.id, [watch as ItemRef])).toEqual([]);
  });

  test("each member has their own favourites", async () => {
    await using app = await openWith();
    const bob = { firstName: "Bob", lastName: "Hale", email: "bob@app.example" };
    const bobId = await app.add(bob);
    await app.enter();
    await app.enter(bob.email);
    await app.services.favourites.save(app.id, watch as ItemRef);
    expect(await app.services.favourites.listFor(bobId)).toEqual([]);
  });

  const shownAda = { ...mapProfile(() => ""), firstName: "Ada", lastName: "Lovell", email: ada.email };
  const by = { address: ADDRESS, site: "https://front.example/" };

  test("names change at once, and a change made elsewhere is not overwritten", async () => {
    await using app = await openWith();
    const { profile } = app.services;
    await app.enter();
    const input = { ...by, memberId: app.id, shown: shownAda, password: undefined };
    expect(await profile.save({ ...input, wanted: { ...shownAda, firstName: " Adele " } })).toMatchObject({ ok: true });
    expect(await profile.find(app.id)).toEqual({ ...shownAda, firstName: "Adele", pendingEmail: undefined });
    expect(await app.keeper.accounts.findMember(app.id)).toMatchObject({ firstName: "Adele" });
    expect(await profile.save({ ...input, wanted: { ...shownAda, firstName: "Ida" } })).toMatchObject({
      ok: false,
      reason: "changed-elsewhere",
      now: { firstName: "Adele" },
    });
    expect(await profile.save({ ...input, wanted: { ...shownAda, lastName: " " } })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["last-name-missing"],
    });
  });

  test("a new address asks for the password, and counts once it is proved", async () => {
    await using app = await openWith();
    const { profile } = app.services;
    await app.enter();
    const wanted = { ...shownAda, email: "ada@new.example" };
    const input = { ...by, memberId: app.id, shown: shownAda, wanted };
    expect(await profile.save({ ...input, password: undefined })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["password-wanted"],
    });
    expect(await profile.save({ ...input, password: "not this one" })).toMatchObject({ ok: false });
    expect(await profile.save({ ...input, password: PASSWORD })).toMatchObject({ ok: true, isEmailPending: true });
    expect(await profile.find(app.id)).toMatchObject({ email: ada.email });
    expect(await app.keeper.profile.find(app.id)).toMatchObject({ pendingEmail: "ada@new.example" });
  });
}

describe("members of our own", () => {
  membersContract(async () => {
    const app = await openApp();
    return { ...app, keeper: app.services };
  });
});

describe.each(engines)("members of a provider, sessions on %s", (engine) => {
  membersContract(async () => {
    const content = createFixedContent(items);
    const app = await openRemoteApp({ engine, content });
    const keeper = app.provider.site.services;
    return { ...app, keeper, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
