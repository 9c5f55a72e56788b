import { describe, expect, test } from "vitest";

import { addMember, type App, findEmail, home, openApp } from "../../../tests/helpers/app.ts";
import { act, olive, predict, toOutcome } from "../../../tests/helpers/acts.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { companies as table, desk } from "../../refusals.ts";

async function makeCode(app: App, fields: { code: string; seats: string; ends?: string }): Promise<void> {
  const made = await act(app, "code create", { fields });
  expect(made.ok).toBe(true);
}

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
  await makeCode(app, { code: "PILLOW-27", seats: "2" });
  await makeCode(app, { code: "QUILT-27", seats: "2" });
  const free = async (memberId: number, code = "PILLOW-27") =>
    toOutcome(await act(app, "code free-seat", { subject: code, item: memberId }));
  const seatsTaken = async (code = "PILLOW-27") => (await app.services.codes.findView(code))?.seatsTaken;
  const isActive = async (memberId: number) => (await app.services.membership.findAccess(memberId)).isActive;
  return { ...app, free, seatsTaken, isActive };
}

describe.each(engines)("freeing a seat on %s", (engine) => {
  test("ends the term that the code paid for, and tells the member how to go on alone", async () => {
    await using app = await openWithCode(engine);
    const [bo, cy] = [await join(app, "bo@example.org"), await join(app, "cy@example.org")];
    expect(toOutcome(await act(app, "member renewal-link", { subject: bo }))).toBe(desk["company-pays"]);
    expect(await app.free(bo)).toMatchObject({ terms: 1, isTold: true });
    expect([await app.seatsTaken(), await app.isActive(bo), await app.isActive(cy)]).toEqual([1, false, true]);
    const mail = await findEmail(app, "bo@example.org", "Your membership has ended");
    const link = /signup\?renew=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const draft = await app.services.signUp.startRenewal(link, home);
    expect(await app.services.signUp.findDraft(draft?.token ?? "")).toMatchObject({ accountType: "individual" });
    expect(await app.services.audit.listFor(bo)).toMatchObject([
      { ...olive, action: "code seat freed", facts: { code: "PILLOW-27", terms: 1 } },
    ]);
    // The email at the end of the term would repeat it.
    app.clock.advance(400 * DAY_IN_MS);
    await app.services.jobs.run("send-ending-emails");
    await app.services.outbox.deliver();
    const sent = app.emails.filter(({ to, subject }) => to === "bo@example.org" && subject.endsWith("has ended"));
    expect(sent).toHaveLength(1);
  });

  test("ends nothing else: a term of their own stays, and then they are told nothing", async () => {
    await using app = await openWithCode(engine);
    const bo = await join(app, "bo@example.org");
    const now = app.clock();
    await app.services.membership.grant({ memberId: bo, planType: 1, startsAt: now, endsAt: addMonths(now, 1) });
    expect(await app.free(bo)).toMatchObject({ terms: 1, isTold: false });
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
    expect(await app.free(bo, "QUILT-27")).toBe(table["no-seat"]);
    expect(await app.free(bo + 1)).toBe(table["no-seat"]);
    expect([await app.seatsTaken(), await app.isActive(bo)]).toEqual([1, true]);
    const twice = await Promise.all([app.free(bo), app.free(bo)]);
    expect(twice.filter((outcome) => typeof outcome === "object")).toHaveLength(1);
    expect(await app.seatsTaken()).toBe(0);
    expect(await app.services.audit.listFor(bo)).toHaveLength(1);
  });

  test("of a seat that no order paid for leaves every term alone", async () => {
    await using app = await openWithCode(engine);
    const bo = await join(app, "bo@example.org");
    await app.services.transact((trx) => app.services.codes.takeSeat({ code: "QUILT-27", memberId: bo }, trx));
    expect(await app.free(bo, "QUILT-27")).toMatchObject({ terms: 0, isTold: false });
    expect(await app.isActive(bo)).toBe(true);
  });
});

describe.each(engines)("access that is ended and restored on %s", (engine) => {
  async function openWithSeat() {
    const app = await openApp({ engine });
    await makeCode(app, { code: "PILLOW-27", seats: "1" });
    const bo = await join(app, "bo@example.org");
    const take = (memberId: number) =>
      app.services.transact((trx) => app.services.codes.takeSeat({ code: "PILLOW-27", memberId }, trx));
    const end = () => act(app, "member deactivate", { subject: bo });
    const restore = () => act(app, "member activate", { subject: bo });
    return { ...app, bo, take, end, restore };
  }

  test("frees the seat and takes it again", async () => {
    await using app = await openWithSeat();
    const { bo, services } = app;
    const before = await services.membership.findAccess(bo);
    expect(toOutcome(await app.end())).toMatchObject({ isRevoked: true, seat: "PILLOW-27" });
    expect(await services.codes.findView("PILLOW-27")).toMatchObject({ seatsTaken: 0 });
    expect(toOutcome(await app.restore())).toMatchObject({ change: "restored", seat: "PILLOW-27", months: null });
    expect(await services.membership.findAccess(bo)).toEqual(before);
    expect(await services.codes.findView("PILLOW-27")).toMatchObject({ seatsTaken: 1 });
    expect(toOutcome(await app.restore())).toMatch(/^This member already has access until/);
    expect(await services.audit.listFor(bo)).toHaveLength(2);
  });

  test("leaves a seat to another member who has taken it meanwhile", async () => {
    await using app = await openWithSeat();
    await app.end();
    await app.take((await addMember(app)).id);
    const restored = await app.restore();
    expect(restored).toMatchObject({ message: expect.stringMatching(/Code PILLOW-27 has no seat left for them\.$/) });
    expect(toOutcome(restored)).toMatchObject({ change: "restored", seat: null });
  });

  test("gives back a seat that the API freed, also when only sessions were ended since", async () => {
    await using app = await openWithSeat();
    const { bo, services } = app;
    await services.transact(async (trx) => {
      await services.membership.revoke(bo, trx);
      await services.codes.releaseSeat(bo, trx);
      const facts = { newStatus: "cancelled", seat: "PILLOW-27" };
      await services.audit.record({ operator: "api", action: "subscription end", memberId: bo, facts }, trx);
    });
    await services.sessions.start(bo);
    expect(toOutcome(await app.end())).toMatchObject({ isRevoked: false, seat: null });
    expect(toOutcome(await app.restore())).toMatchObject({ seat: "PILLOW-27" });
  });
});

describe.each(engines)("extending a code on %s", (engine) => {
  test("gives it a later last day or none, and more seats", async () => {
    await using app = await openApp({ engine });
    await makeCode(app, { code: "PILLOW-27", seats: "1", ends: "31/12/2026" });
    await join(app, "bo@example.org");
    const later = new Date("2027-12-31T23:59:59.999Z");
    const extend = (fields: Record<string, string>) => act(app, "code extend", { subject: "pillow-27", fields });
    const extended = { code: "PILLOW-27", endsAt: later, seats: 2, seatsTaken: 1, fault: undefined };
    expect(toOutcome(await extend({ ends: "31/12/2027", seats: "2" }))).toMatchObject(extended);
    app.clock.advance(100 * DAY_IN_MS);
    await join(app, "cy@example.org");
    expect(toOutcome(await extend({ ends: "For good" }))).toMatchObject({ endsAt: undefined, seats: 2 });
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
    await makeCode(app, { code: "PILLOW-27", seats: "5", ends: "31/12/2026" });
    await makeCode(app, { code: "QUILT-27", seats: "5" });
    const outcome = async (subject: string, fields: Record<string, string> = {}) =>
      toOutcome(await act(app, "code extend", { subject, fields }));
    const code = "PILLOW-27";
    expect(await outcome("NOBODYS", { seats: "9" })).toBe(table["code-unknown"]);
    expect(await outcome(code)).toBe(table["no-change"]);
    expect(await outcome(code, { seats: "5" })).toBe(table["seats-fewer"]);
    expect(await outcome(code, { seats: "1000001" })).toBe(table["seats-invalid"]);
    expect(await outcome(code, { ends: "31/12/2026" })).toBe(table["end-earlier"]);
    expect(await outcome("QUILT-27", { ends: "for good" })).toBe(table["end-earlier"]);
    expect(await outcome("ACME-27", { seats: "9" })).toBe(table["company-seats"]);
    app.clock.advance(400 * DAY_IN_MS);
    expect(await outcome(code, { ends: "31/01/2027" }), "past").toBe(table["end-earlier"]);
    expect((await act(app, "code revoke", { subject: code })).ok).toBe(true);
    expect(await outcome(code, { seats: "9" })).toBe(table["code-revoked"]);
    const raced = await Promise.all(["6", "7"].map((seats) => outcome("QUILT-27", { seats })));
    expect(raced.some((each) => typeof each === "object")).toBe(true);
    expect((await services.codes.findView("QUILT-27"))?.seats).toBe(7);
  });
});

test("a new code is refused at its field, and an ended one is not ended again", async () => {
  await using app = await openApp();
  await makeCode(app, { code: "PILLOW-27", seats: "1" });
  for (const [field, fields, sentence] of [
    ["code", { code: "pillow-27" }, table["code-taken"]],
    ["code", { code: "-" }, table["code-malformed"]],
    ["ends", { starts: "02/01/2027", ends: "01/01/2027" }, table["dates-invalid"]],
    ["ends", { ends: "31/02/2027" }, table["day-invalid"]],
    ["seats", { seats: "many" }, table["seats-invalid"]],
  ] as const) {
    const result = await act(app, "code create", { fields: { seats: "1", ...fields } });
    expect(result).toEqual({ ok: false, errors: { [field]: [sentence] } });
  }
  const revoke = async () => toOutcome(await act(app, "code revoke", { subject: "PILLOW-27" }));
  expect(await revoke()).toMatchObject({ fault: "revoked" });
  expect(await revoke()).toBe(table["code-revoked"]);
  expect(await predict(app, "code revoke", { subject: "PILLOW-27" })).toEqual([table["code-revoked"]]);
  expect((await app.services.audit.list(9)).map(({ action }) => action)).toEqual(["code revoke", "code create"]);
});

test("codes and the holders of their seats are listed in pages, the latest first", async () => {
  await using app = await openApp();
  for (const code of ["AAAA-1", "BBBB-2", "CCCC-3"]) await makeCode(app, { code, seats: "9" });
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
