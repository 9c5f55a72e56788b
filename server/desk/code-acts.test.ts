import { describe, expect, test } from "vitest";

import { type App, findEmail, home, openApp } from "../../tests/helpers/app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { pay, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";
import { addMonths } from "../membership/plans.ts";
import { endCode, extendCode, freeSeat, makeCode } from "./code-acts.ts";

const by = { operator: "olive@desk.example", reason: "They left" };

/** Joins by a code, as a person would. */
async function join(app: App, email: string, code = "pillow-27"): Promise<number> {
  const token = await prepareDraft(app, { email, accountType: "corporate", code });
  const paid = await pay(app, token);
  if (!paid.ok) throw new Error(JSON.stringify(paid));
  const member = await app.services.accounts.findByEmail(email);
  if (!member) throw new Error(`${email} did not join`);
  return member.id;
}

async function openWithCode(engine: (typeof engines)[number]) {
  const app = await openApp({ engine });
  await makeCode(app.services, by, { code: "PILLOW-27", seats: 2 });
  await makeCode(app.services, by, { code: "QUILT-27", seats: 2 });
  const free = (memberId: number, code = "PILLOW-27") =>
    freeSeat(app.services, by, { code, memberId, site: home.site });
  const seatsTaken = async (code = "PILLOW-27") => (await app.services.codes.findView(code))?.seatsTaken;
  const isActive = async (memberId: number) => (await app.services.membership.findAccess(memberId)).isActive;
  return { ...app, free, seatsTaken, isActive };
}

describe.each(engines)("freeing a seat on %s", (engine) => {
  test("ends the term that the code paid for, and tells the member how to go on alone", async () => {
    await using app = await openWithCode(engine);
    const [bo, cy] = [await join(app, "bo@example.org"), await join(app, "cy@example.org")];
    expect(await app.free(bo)).toEqual({ ok: true, terms: 1, isTold: true });
    expect([await app.seatsTaken(), await app.isActive(bo), await app.isActive(cy)]).toEqual([1, false, true]);
    const mail = await findEmail(app, "bo@example.org", "Your membership has ended");
    const link = /signup\?renew=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const draft = await app.services.signUp.startRenewal(link, home);
    expect(await app.services.signUp.findDraft(draft?.token ?? "")).toMatchObject({ accountType: "individual" });
    expect(await app.services.audit.listFor(bo)).toMatchObject([
      { ...by, action: "code seat freed", facts: { code: "PILLOW-27", terms: 1 } },
    ]);
    // The email at the end of the term would say it twice.
    app.clock.advance(400 * DAY_IN_MS);
    await app.services.jobs.run("send-ending-emails");
    await app.services.outbox.deliver();
    const told = app.emails.filter(({ to, subject }) => to === "bo@example.org" && subject.endsWith("has ended"));
    expect(told).toHaveLength(1);
  });

  test("ends nothing else: a term of their own stays, and then they are told nothing", async () => {
    await using app = await openWithCode(engine);
    const bo = await join(app, "bo@example.org");
    const now = app.clock();
    await app.services.membership.grant({ memberId: bo, planType: 1, startsAt: now, endsAt: addMonths(now, 1) });
    expect(await app.free(bo)).toEqual({ ok: true, terms: 1, isTold: false });
    expect(await app.isActive(bo)).toBe(true);
    expect(await findEmail(app, "bo@example.org", "Your membership has ended")).toBeUndefined();
    const terms = await app.services.membership.listFor(bo);
    expect(terms.map(({ orderId, revokedAt }) => [orderId !== undefined, revokedAt !== undefined])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test("is refused for a seat at another code, of another member, or freed before, and changes nothing", async () => {
    await using app = await openWithCode(engine);
    const bo = await join(app, "bo@example.org");
    expect(await app.free(bo, "QUILT-27")).toEqual({ ok: false, reason: "no-seat" });
    expect(await app.free(bo + 1)).toEqual({ ok: false, reason: "no-seat" });
    expect([await app.seatsTaken(), await app.isActive(bo)]).toEqual([1, true]);
    const twice = await Promise.all([app.free(bo), app.free(bo)]);
    expect(twice.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await app.seatsTaken()).toBe(0);
    expect(await app.services.audit.listFor(bo)).toHaveLength(1);
  });

  test("of a seat that no order paid for leaves every term alone", async () => {
    await using app = await openWithCode(engine);
    const bo = await join(app, "bo@example.org");
    await app.services.transact((trx) => app.services.codes.takeSeat({ code: "QUILT-27", memberId: bo }, trx));
    expect(await app.free(bo, "QUILT-27")).toEqual({ ok: true, terms: 0, isTold: false });
    expect(await app.isActive(bo)).toBe(true);
  });
});

describe.each(engines)("extending a code on %s", (engine) => {
  test("gives it a later last day or none, and more seats", async () => {
    await using app = await openApp({ engine });
    const endsAt = new Date("2026-12-31T23:59:59.999Z");
    await makeCode(app.services, by, { code: "PILLOW-27", seats: 1, endsAt });
    await join(app, "bo@example.org");
    const later = new Date("2027-12-31T23:59:59.999Z");
    expect(await extendCode(app.services, by, { code: "pillow-27", endsAt: later, seats: 2 })).toMatchObject({
      ok: true,
      code: { code: "PILLOW-27", endsAt: later, seats: 2, seatsTaken: 1, fault: undefined },
    });
    app.clock.advance(100 * DAY_IN_MS);
    await join(app, "cy@example.org");
    const forGood = await extendCode(app.services, by, { code: "PILLOW-27", endsAt: "for-good" });
    expect(forGood).toMatchObject({ ok: true, code: { endsAt: undefined, seats: 2 } });
    expect((await app.services.audit.list(9)).map(({ action, facts }) => [action, facts.endsAt])).toEqual([
      ["code extend", "for good"],
      ["code extend", later.toISOString()],
      ["code create", undefined],
    ]);
  });

  test("is refused where nothing would be more, or the company's contract decides", async () => {
    await using app = await openApp({ engine });
    const { services } = app;
    const links = { returnUrl: home.site, exitUrl: home.site };
    await services.companies.create(
      { name: "Acme", contactEmail: "a@acme.example", accounts: 5, priceInPence: 100, code: "ACME-27" },
      links,
    );
    const endsAt = new Date("2026-12-31T23:59:59.999Z");
    await makeCode(services, by, { code: "PILLOW-27", seats: 5, endsAt });
    await makeCode(services, by, { code: "QUILT-27", seats: 5 });
    const reasonFor = async (extension: Parameters<typeof extendCode>[2]) => {
      const result = await extendCode(services, by, extension);
      return result.ok ? "ok" : result.reason;
    };
    const code = "PILLOW-27";
    expect(await reasonFor({ code: "NOBODYS", seats: 9 })).toBe("unknown");
    expect(await reasonFor({ code })).toBe("no-change");
    expect(await reasonFor({ code, seats: 5 })).toBe("seats-fewer");
    expect(await reasonFor({ code, seats: 1_000_001 })).toBe("seats-fewer");
    expect(await reasonFor({ code, endsAt })).toBe("end-earlier");
    expect(await reasonFor({ code: "QUILT-27", endsAt: "for-good" })).toBe("end-earlier");
    expect(await reasonFor({ code: "ACME-27", seats: 9 })).toBe("company-seats");
    app.clock.advance(400 * DAY_IN_MS);
    expect(await reasonFor({ code, endsAt: new Date("2027-01-31T23:59:59.999Z") }), "past").toBe("end-earlier");
    expect((await endCode(services, by, code)).ok).toBe(true);
    expect(await reasonFor({ code, seats: 9 })).toBe("revoked");
    const raced = await Promise.all([6, 7].map((seats) => extendCode(services, by, { code: "QUILT-27", seats })));
    expect(raced.some(({ ok }) => ok)).toBe(true);
    expect((await services.codes.findView("QUILT-27"))?.seats).toBe(7);
  });
});

test("codes and the holders of their seats are listed in pages, the latest first", async () => {
  await using app = await openApp();
  for (const code of ["AAAA-1", "BBBB-2", "CCCC-3"]) await makeCode(app.services, by, { code, seats: 9 });
  const first = await app.services.codes.listPage({ limit: 2 });
  const second = await app.services.codes.listPage({ limit: 2, before: first.at(-1)?.id });
  expect([first, second].map((page) => page.map(({ code }) => code))).toEqual([["CCCC-3", "BBBB-2"], ["AAAA-1"]]);
  const members = [await join(app, "bo@example.org", "AAAA-1"), await join(app, "cy@example.org", "AAAA-1")];
  const listHolders = async (before?: number) =>
    (await app.services.codes.listHoldersPage({ code: "aaaa-1", limit: 1, before })).map(({ memberId }) => memberId);
  expect(await listHolders()).toEqual([members[1]]);
  expect(await listHolders(members[1])).toEqual([members[0]]);
  expect(await listHolders(members[0])).toEqual([]);
});
