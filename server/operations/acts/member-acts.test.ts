import { describe, expect, test } from "vitest";

import {
  addMember,
  ada,
  type App,
  canLogIn,
  findEmail,
  home,
  isLoggedIn,
  openApp,
  readEmail,
  startSession,
} from "../../../tests/helpers/app.ts";
import type { ActResult } from "./act.ts";
import { act, olive, toOutcome } from "../../../tests/helpers/acts.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { findChallenge, pay, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";
import { after, DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { plans } from "../../money/membership/plans.ts";
import { desk as table, forms, person } from "../../refusals.ts";
const NEW_ADDRESS = "Ada.New@dormouse.example";

async function openWithAda(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const { id: memberId } = await addMember(app);
  return {
    ...app,
    memberId,
    change: async (email = NEW_ADDRESS) =>
      toOutcome(await act(app, "member address", { subject: memberId, fields: { email, mailbox: "read" } })),
    resend: async () => toOutcome(await act(app, "member verification", { subject: memberId })),
    reset: async () => toOutcome(await act(app, "member reset", { subject: memberId })),
    rename: (firstName: string, lastName: string) =>
      act(app, "member name", { subject: memberId, fields: { firstName, lastName } }),
    close: async () => toOutcome(await act(app, "member close", { subject: memberId })),
  };
}

function readEnd(result: ActResult): Date {
  return (toOutcome(result) as { endsAt: Date }).endsAt;
}

/** The earliest first. */
async function listActions({ services }: Pick<App, "services">, memberId: number): Promise<string[]> {
  const entries = await services.audit.listFor(memberId);
  for (const entry of entries) expect(entry).toMatchObject(olive);
  return entries.map(({ action }) => action).toReversed();
}

describe.each(engines)("what an operator does about a member on %s", (engine) => {
  test("a new address counts three days after both were told, proved or not, and the old one gets the link back", async () => {
    await using app = await openWithAda(engine);
    const { profile, accounts, jobs } = app.services;
    const countsFrom = after(app.clock(), 3 * DAY_IN_MS);
    expect(await app.change()).toEqual({});
    const { code } = await readEmail(app, NEW_ADDRESS);
    expect((await findEmail(app, ada.email))?.text).toContain(NEW_ADDRESS);
    expect(await profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: true, countsFrom });
    app.clock.advance(3 * DAY_IN_MS - 1);
    await jobs.run("move-held-addresses");
    expect(await accounts.findMember(app.memberId)).toMatchObject({ email: ada.email });
    expect(await canLogIn(app, NEW_ADDRESS, ada.password)).toBe(false);
    expect(await app.reset()).toEqual({});
    expect(app.emails.filter(({ to }) => to === NEW_ADDRESS)).toHaveLength(1);
    app.clock.advance(1);
    await jobs.run("move-held-addresses");
    expect(await canLogIn(app, NEW_ADDRESS, ada.password)).toBe(true);
    const { token } = await readEmail(app, ada.email, "Your email address was changed");
    expect(await app.services.profile.undoEmail(token)).toBe("undone");
    expect(await canLogIn(app, NEW_ADDRESS, ada.password)).toBe(false);
    expect(await listActions(app, app.memberId)).toEqual(["member address", "member reset"]);
  });

  test.each(["agreement first", "proof first"])("an agreement lets it count at once: %s", async (order) => {
    await using app = await openWithAda(engine);
    const { profile } = app.services;
    await app.change();
    const [{ token }, { code }] = [await readEmail(app, ada.email), await readEmail(app, NEW_ADDRESS)];
    const agree = () => profile.answerAddressChange({ token, isAgreed: true });
    const prove = () => profile.confirmEmailByCode(app.memberId, code);
    if (order === "agreement first") {
      expect([await agree(), await prove()]).toEqual(["agreed", { ok: true }]);
    } else {
      await prove();
      expect(await agree()).toBe("moved");
    }
    expect(await canLogIn(app, NEW_ADDRESS, ada.password)).toBe(true);
    expect(await agree()).toBe("over");
  });

  test("an objection ends it for good, and what was sent to either address is void", async () => {
    await using app = await openWithAda(engine);
    const { profile, jobs } = app.services;
    await app.change();
    const early = (await readEmail(app, ada.email)).token;
    app.clock.advance(MINUTE_IN_MS);
    await app.change("other@mail.example");
    const [{ token }, { code }] = [await readEmail(app, ada.email), await readEmail(app, "other@mail.example")];
    expect(await profile.answerAddressChange({ token: early, isAgreed: true })).toBe("over");
    expect(await profile.findAddressQuestion(token)).toMatchObject({ newEmail: "other@mail.example" });
    expect(await profile.answerAddressChange({ token, isAgreed: false })).toBe("kept");
    expect(await profile.confirmEmailByCode(app.memberId, code)).toMatchObject({ ok: false });
    app.clock.advance(4 * DAY_IN_MS);
    await jobs.run("move-held-addresses");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
    expect(await app.resend()).toBe(table["nothing-pending"]);
  });

  test("neither a new password, a repeat nor another member's sign-up shortens the three days", async () => {
    await using app = await openWithAda(engine);
    const { profile, jobs } = app.services;
    await app.change();
    const { code } = await readEmail(app, NEW_ADDRESS);
    app.clock.advance(2 * DAY_IN_MS);
    await app.change();
    expect(await profile.confirmEmailByCode(app.memberId, code)).toMatchObject({ ok: false });
    await app.services.outbox.deliver();
    const proof = (await readEmail(app, NEW_ADDRESS)).code;
    expect(await profile.confirmEmailByCode(app.memberId, proof)).toMatchObject({
      countsFrom: after(app.clock(), 3 * DAY_IN_MS),
    });
    app.clock.advance(2 * DAY_IN_MS);
    await jobs.run("move-held-addresses");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email });
    await addMember(app, { email: NEW_ADDRESS });
    app.clock.advance(DAY_IN_MS);
    await jobs.run("move-held-addresses");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
  });

  test("a term follows the one that runs, also when two are given at once", async () => {
    await using app = await openWithAda(engine);
    const { memberId, services } = app;
    const give = async () => readEnd(await act(app, "member term", { subject: memberId, fields: { months: "1" } }));
    const first = await give();
    expect(first).toEqual(addMonths(app.clock(), plans[1].months));
    const [second, third] = (await Promise.all([give(), give()])).toSorted((a, b) => a.getTime() - b.getTime());
    expect(second).toEqual(addMonths(first, plans[1].months));
    expect(third).toEqual(addMonths(second ?? first, plans[1].months));
    expect(await services.membership.findCoverEnd(memberId)).toEqual(third);
    expect(await listActions(app, memberId)).toEqual(["member term", "member term", "member term"]);
  });

  test("what was given back is not restored with the rest, whichever comes first", async () => {
    await using app = await openApp({ engine });
    const { services } = app;
    await pay(app, await prepareDraft(app));
    const { id: memberId = 0 } = (await services.accounts.findByEmail("ada@example.org")) ?? {};
    const deactivate = () => act(app, "member deactivate", { subject: memberId });
    const restore = async () => toOutcome(await act(app, "member restore", { subject: memberId }));
    await deactivate();
    await Promise.all([restore(), act(app, "member refund", { subject: memberId, item: 1 })]);
    expect(await services.membership.findAccess(memberId)).toMatchObject({ isActive: false });
    expect(await restore()).toBe(table["not-revoked"]);
    await act(app, "member term", { subject: memberId, fields: { months: "1" } });
    await deactivate();
    expect(await restore()).toMatchObject({ change: "restored" });
    const terms = await services.membership.listFor(memberId);
    expect(terms.map(({ orderId, revokedAt }) => [orderId, revokedAt !== undefined])).toEqual([
      [1, true],
      [undefined, false],
    ]);
  });

  test("an account is closed as by its member: erased in 14 days, and opened again by their email alone", async () => {
    await using app = await openWithAda(engine);
    const token = await startSession(app, app.memberId);
    const twice = await Promise.all([app.close(), app.close()]);
    expect(twice).toContainEqual({ eraseAt: after(app.clock(), 14 * DAY_IN_MS) });
    expect(twice).toContain(table["no-account"]);
    expect(await isLoggedIn(app, token)).toBe(false);
    expect(await canLogIn(app, ada.email, ada.password)).toBe(false);
    expect(await listActions(app, app.memberId)).toEqual(["member close"]);
    const link = await readEmail(app, ada.email);
    expect(await app.services.closure.reopen(link.token)).toBe("reopened");
    expect(await canLogIn(app, ada.email, ada.password)).toBe(true);
  });

  test("of ten new names given at once each is whole, and the log has none of them", async () => {
    await using app = await openWithAda(engine);
    const names = Array.from({ length: 10 }, (_, index) => [`Nia${index}`, `Holt${index}`] as const);
    await Promise.all(names.map(([first, last]) => app.rename(first, last)));
    const { firstName = "", lastName = "" } = (await app.services.accounts.findMember(app.memberId)) ?? {};
    expect(names).toContainEqual([firstName, lastName]);
    expect(JSON.stringify(await app.services.audit.list(99))).not.toMatch(/Nia|Holt/);
  });
});

describe("a name", () => {
  test("is tidied, and refused by the rules of the member's own form", async () => {
    await using app = await openWithAda();
    expect((await app.rename("  Zoë ", "van   der Berg")).ok).toBe(true);
    const now = { firstName: "Zoë", lastName: "van der Berg" };
    expect(await app.services.accounts.findMember(app.memberId)).toMatchObject(now);
    expect(await app.rename("", "x".repeat(999))).toEqual({
      ok: false,
      errors: { firstName: [person["first-name-missing"]], lastName: [person["name-long"]] },
    });
    expect(await app.services.accounts.findMember(app.memberId)).toMatchObject(now);
    expect(await listActions(app, app.memberId)).toEqual(["member name"]);
  });
});

describe("a new address", () => {
  test("is refused when it is none, is another's or is theirs already, and nothing is sent or noted", async () => {
    await using app = await openWithAda();
    await addMember(app, { email: "bo@dormouse.example" });
    expect(await app.change("not an address")).toBe(person["email-invalid"]);
    expect(await app.change(" BO@dormouse.example ")).toBe(person["email-registered"]);
    expect(await app.change(ada.email.toUpperCase())).toBe(table["email-same"]);
    await app.services.outbox.deliver();
    expect(app.emails).toEqual([]);
    expect(await listActions(app, app.memberId)).toEqual([]);
  });

  test("is emailed so often and no oftener, as when members ask themselves", async () => {
    await using app = await openWithAda();
    for (let count = 1; count <= 6; count += 1) expect(await app.change()).toEqual({});
    expect(await app.change()).toBe(forms["too-many-attempts"]("60 minutes"));
    await app.services.outbox.deliver();
    // Within a minute the first email still counts; the old address gets one each time.
    expect(app.emails.filter(({ to }) => to === NEW_ADDRESS)).toHaveLength(1);
  });

  test("that waits for its proof is emailed again after a minute, with the code that counts now", async () => {
    await using app = await openWithAda();
    expect(await app.resend()).toBe(table["nothing-pending"]);
    await app.change();
    expect(await app.resend()).toBe(table["email-too-soon"]("a minute"));
    const { code: before } = await readEmail(app, NEW_ADDRESS);
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await app.resend()).toEqual({});
    const { code } = await readEmail(app, NEW_ADDRESS);
    expect(code).not.toBe(before);
    expect(await app.services.profile.confirmEmailByCode(app.memberId, code)).toMatchObject({ ok: true });
    expect(await listActions(app, app.memberId)).toEqual(["member address", "member verification"]);
  });
});

describe("access", () => {
  test("ends at once with sessions, and what was ended runs again", async () => {
    await using app = await openWithAda();
    const { memberId, services } = app;
    const endsAt = readEnd(await act(app, "member term", { subject: memberId, fields: { months: "12" } }));
    const token = await startSession(app, memberId);
    const deactivate = async () => toOutcome(await act(app, "member deactivate", { subject: memberId }));
    expect(await deactivate()).toEqual({ isRevoked: true, sessions: 1, seat: null });
    expect(await services.membership.findAccess(memberId)).toMatchObject({ isActive: false });
    expect(await isLoggedIn(app, token)).toBe(false);
    expect(await deactivate()).toBe(table["nothing-to-end"]);
    const restored = toOutcome(await act(app, "member activate", { subject: memberId }));
    expect(restored).toMatchObject({ change: "restored", endsAt });
    expect(await services.membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
    expect(await listActions(app, memberId)).toEqual(["member term", "member deactivate", "member activate"]);
  });

  test("stays when only the sessions are ended", async () => {
    await using app = await openWithAda();
    const { memberId, services } = app;
    const endsAt = readEnd(await act(app, "member term", { subject: memberId, fields: { months: "12" } }));
    const tokens = [await startSession(app, memberId), await startSession(app, memberId)];
    const other = await addMember(app, { email: "bo@dormouse.example" });
    const others = await startSession(app, other.id);
    expect(toOutcome(await act(app, "member sessions", { subject: memberId }))).toEqual({ ended: 2 });
    for (const token of tokens) expect(await isLoggedIn(app, token)).toBe(false);
    expect(await isLoggedIn(app, others)).toBe(true);
    expect(await services.membership.findAccess(memberId)).toEqual({ isActive: true, endsAt });
  });
});

test("New this month is ended for a member, and a repeat says that it was not on", async () => {
  await using app = await openWithAda();
  const { memberId, services } = app;
  await services.newsletter.start(memberId);
  const end = () => act(app, "member newsletter-end", { subject: memberId });
  expect(toOutcome(await end())).toEqual({ wasOn: true });
  expect(await services.newsletter.find(memberId)).toBe("off");
  expect(toOutcome(await end())).toEqual({ wasOn: false });
  expect(await listActions(app, memberId)).toEqual(["member newsletter-end", "member newsletter-end"]);
});

describe("an email again", () => {
  test("with a code for a new password, to the member alone", async () => {
    await using app = await openWithAda();
    expect(await app.reset()).toEqual({});
    const { code } = await readEmail(app, ada.email);
    const checked = await app.services.passwordReset.checkCode({ email: ada.email, code, address: home.address });
    expect(checked.ok).toBe(true);
    expect(app.emails.map(({ to }) => to)).toEqual([ada.email]);
    expect(await listActions(app, app.memberId)).toEqual(["member reset"]);
  });

  test("to a sign-up whose address is not verified yet, and its line in the log names the draft alone", async () => {
    await using app = await openApp();
    await startDraft(app);
    const [draft] = await app.services.signUp.listOpen(" ADA@example.org ");
    expect(draft).toMatchObject({ firstName: "Ada", isVerified: false });
    expect(JSON.stringify(draft)).not.toMatch(/password|token/i);
    const id = draft?.id ?? 0;
    const resend = async (subject: number) => toOutcome(await act(app, "sign-up verification", { subject }));
    expect(await resend(id)).toBe(table["email-too-soon"]("a minute"));
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(await resend(id)).toEqual({});
    const { code } = await findChallenge(app, "ada@example.org");
    expect(code).not.toBe("");
    expect(app.emails).toHaveLength(2);
    expect(await app.services.audit.list(9)).toMatchObject([
      { ...olive, action: "sign-up verification", memberId: undefined, facts: { draft: id } },
    ]);
    expect(await resend(999)).toBe(table["no-sign-up"]);
  });
});

test("nothing is changed in an account that is closed, and nothing is sent to it", async () => {
  await using app = await openWithAda();
  await app.close();
  await app.services.outbox.deliver();
  const sent = app.emails.length;
  const gone = table["no-account"];
  expect(toOutcome(await app.rename("Nia", "Holt"))).toBe(gone);
  expect(await app.change()).toBe(gone);
  expect(await app.reset()).toBe(gone);
  expect(await app.resend()).toBe(gone);
  expect(await app.close()).toBe(gone);
  for (const name of ["member restore", "member deactivate", "member sessions", "member activate"] as const) {
    expect(toOutcome(await act(app, name, { subject: app.memberId })), name).toBe(gone);
  }
  expect(toOutcome(await act(app, "member term", { subject: app.memberId, fields: { months: "1" } }))).toBe(gone);
  await app.services.outbox.deliver();
  expect(app.emails).toHaveLength(sent);
  expect(await listActions(app, app.memberId)).toEqual(["member close"]);
});
