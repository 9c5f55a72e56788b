import { describe, expect, test } from "vitest";

import { act, toOutcome } from "../../../tests/helpers/acts.ts";
import { type App, askForAddress, canLogIn, findEmail, home, openApp, readEmail } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { readEverything } from "../../../tests/helpers/full-database.ts";
import { from, pay, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";
import { after, DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { desk, emailCodes, merging as table } from "../../refusals.ts";

const KEPT = "ada@new.example";
const GONE = "ada@old.example";
const WATCHED = { kind: "watch", id: 2001 } as const;
const READ = { kind: "read", id: 1001 } as const;

/** Ada paid for a year under each of two addresses, the old one five minutes earlier. */
async function openWithTwo(app: App) {
  const join = async (email: string) => {
    expect(await pay(app, await prepareDraft(app, { email }))).toMatchObject({ next: "completed" });
    const member = await app.services.accounts.findByEmail(email);
    app.clock.advance(5 * MINUTE_IN_MS);
    // Until a draft ends after a day, a completed one is no sign-up under way.
    return member?.id ?? 0;
  };
  const [source, target] = [await join(GONE), await join(KEPT)];
  const sendCode = async (subject = target, other = GONE) =>
    toOutcome(await act(app, "member merge-code", { subject, fields: { other } }));
  const readCode = async () => (await readEmail(app, GONE)).code;
  const merge = async (code: string, other = GONE) =>
    toOutcome(await act(app, "member merge", { subject: target, fields: { other, code, yes: "yes" } }));
  return { source, target, sendCode, readCode, merge };
}

describe.each(engines)("a merge of two accounts on %s", (engine) => {
  test("moves terms one after the other, orders, receipts, seat, notes, emails, acts and what was saved", async () => {
    await using app = await openApp({ engine });
    const { services } = app;
    const { membership, favourites, positions, codes, notes, newsletter, audit, payments, transact, sessions } =
      services;
    const { source, target, sendCode, readCode, merge } = await openWithTwo(app);
    await codes.create({ code: "PILLOW", seats: 2 });
    await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: source }, trx));
    await favourites.save(source, WATCHED);
    await favourites.save(source, READ);
    await favourites.save(target, READ);
    await positions.note(target, WATCHED, { seconds: 10, duration: 600, ageInMs: 60_000 });
    await positions.note(source, WATCHED, { seconds: 61, duration: 600, ageInMs: 0 });
    await positions.noteOpened(source, READ);
    await positions.nights.note(source, [{ topic: "menopause", ...READ, state: "opened" }]);
    await newsletter.start(source);
    await act(app, "member note", { subject: source, fields: { text: "Rang us." } });
    const { token } = await sessions.start(source);
    const keptSession = await sessions.start(target);
    const [before] = await membership.listFor(source);
    const keptEnd = await membership.findCoverEnd(target);
    expect(await sendCode()).toEqual({});
    const code = await readCode();

    const outcome = await merge(code);
    const left = (before?.endsAt.getTime() ?? 0) - app.clock().getTime();
    const endsAt = after(keptEnd ?? app.clock(), left);
    expect(outcome).toEqual({ merged: source, endsAt });
    expect(await membership.findCoverEnd(target)).toEqual(endsAt);
    expect(await membership.listFor(source)).toEqual([]);
    const person = { memberId: target, email: KEPT };
    expect((await payments.listFor(person)).map(({ order }) => order.receiptNumber)).toEqual([
      "D-2026-000001",
      "D-2026-000002",
    ]);
    expect(await payments.listReceipts(target)).toHaveLength(2);
    expect(await codes.listSeatsFor(target)).toMatchObject([{ code: "PILLOW" }]);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
    expect(await services.accounts.findMember(target)).toMatchObject({ email: KEPT, accountType: "corporate" });
    expect((await favourites.listFor(target)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1001, 2001]);
    const known = await positions.listFor(target);
    expect(known.items.find(({ id }) => id === 2001)?.seconds).toBe(61);
    expect(known.items.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1001, 2001]);
    expect(known.nights).toHaveLength(1);
    expect(await newsletter.find(target)).toBe("on");
    expect(await notes.listFor({ memberId: target })).toMatchObject([{ text: "Rang us." }]);
    expect((await audit.listFor(target)).map(({ action }) => action)).toEqual([
      "member merge",
      "member merge-code",
      "member note",
    ]);

    expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.find(keptSession.token)).toMatchObject({ memberId: target });
    expect(await services.accounts.findRecord(source)).toBeUndefined();
    expect(await canLogIn(app, GONE, "sleep-well-tonight")).toBe(false);
    for (const to of [GONE, KEPT]) {
      const mail = await findEmail(app, to, "Your two accounts are now one");
      expect(mail?.text.replaceAll("\n", " ")).toContain(`favourites of ${GONE}`);
    }
    const { emails, orders } = await services.personalData.gather(person);
    expect(emails.filter(({ to }) => to === GONE).map(({ kind }) => kind)).toContain("receipt");
    expect(orders).toHaveLength(2);
    // Only the audit line has the old number.
    const rows = await readEverything(app.database);
    const naming = Object.entries(rows).filter(([, all]) => all.some((row) => row.includes(`["member_id",${source}]`)));
    expect(naming.map(([name]) => name)).toEqual([]);
    // Erasing the merged account deletes everything.
    expect(await services.personalData.erase(person, "op")).toMatchObject({ ok: true, remainder: { orders: 2 } });
    const traces = JSON.stringify(
      Object.entries(await readEverything(app.database)).filter(([name]) => !name.startsWith("demo_")),
    );
    expect(traces).not.toContain("ada@");
  });

  test("needs the code that the other address got, of this pair, in time, and counts wrong ones", async () => {
    await using app = await openApp({ engine });
    const { sendCode, readCode, merge, target, source } = await openWithTwo(app);
    expect(await merge("123456")).toBe(emailCodes["expired-code"]);
    await sendCode();
    expect(await sendCode()).toContain("We've just sent an email.");
    const code = await readCode();
    const wrong = code === "123456" ? "654321" : "123456";
    for (let tries = 1; tries <= 4; tries += 1) expect(await merge(wrong)).toBe(emailCodes["wrong-code"]);
    // The reverse direction is another merge.
    const back = { subject: source, fields: { other: KEPT, code, yes: "yes" } };
    expect(toOutcome(await act(app, "member merge", back))).toBe(emailCodes["expired-code"]);
    expect(await merge(wrong)).toBe(emailCodes["wrong-code"]);
    expect(await merge(code)).toBe(emailCodes["too-many-tries"]);
    app.clock.advance(2 * MINUTE_IN_MS);
    await sendCode();
    const late = await readCode();
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await merge(late)).toBe(emailCodes["expired-code"]);
    await sendCode();
    const spaced = (await readCode()).replace(/^(...)/, "$1 ");
    expect(await merge(spaced)).toMatchObject({ merged: source });
    expect(await merge(spaced)).toBe(table["other-unknown"]);
    expect(await app.services.accounts.findMember(target)).toMatchObject({ email: KEPT });
  });

  test("is refused where something would be lost or counted twice, and changes nothing", async () => {
    await using app = await openApp({ engine });
    const { codes, signUp, renewalLinks, operators, transact, support, membership } = app.services;
    const { sendCode, merge, readCode, target, source } = await openWithTwo(app);
    await sendCode();
    const code = await readCode();
    const refusals = async (other = GONE) => {
      const [asked, said, done] = [
        await sendCode(target, other),
        await act(app, "member merge", { subject: target, fields: { other, code } }),
        await merge(code, other),
      ];
      expect([asked, said.ok ? "" : Object.values(said.errors).flat().join("")]).toEqual([done, done]);
      return done;
    };
    for (const nobody of ["nobody@example.org", "99", "0", "", "x"]) {
      expect(await refusals(nobody)).toBe(table["other-unknown"]);
    }
    expect(await refusals(KEPT.toUpperCase())).toBe(table["same-account"]);
    expect(await refusals(String(target))).toBe(table["same-account"]);

    const added = await operators.add({ email: GONE, name: "Ada", role: "support" });
    expect(await refusals()).toBe(table["operators-address"]);
    await operators.remove(added?.operator.id ?? 0);

    await codes.create({ code: "PILLOW", seats: 5 });
    for (const memberId of [target, source]) await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId }, trx));
    expect(await refusals()).toBe(table["two-seats"]);
    await transact((trx) => codes.releaseSeat(target, trx));

    const { token = "" } = (await signUp.startRenewal(renewalLinks.make(source), from)) ?? {};
    expect(await refusals()).toBe(table["sign-up-under-way"]);
    await signUp.choosePlan(token, 3);
    expect(await pay(app, token, { card: "hosted" })).toMatchObject({ next: "continue" });
    expect(await refusals()).toBe(table["payment-under-way"]);
    app.clock.advance(2 * DAY_IN_MS);
    await app.pass(0);
    await app.services.jobs.run("purge-expired");
    const [before, cover] = [await readEverything(app.database), await membership.findCoverEnd(target)];

    const renewal = (await signUp.startRenewal(renewalLinks.make(target), from))?.token ?? "";
    await signUp.choosePlan(renewal, 3);
    await pay(app, renewal, { card: "hosted" });
    expect(await refusals()).toBe(table["payment-under-way"]);
    await app.services.payments.giveUp({ draftId: 1 }).catch(() => undefined);
    app.clock.advance(2 * DAY_IN_MS);
    await app.pass(0);
    await app.services.jobs.run("purge-expired");
    expect(await membership.findCoverEnd(target)).toEqual(cover);
    expect((await readEverything(app.database)).members).toEqual(before.members);

    await transact((trx) => support.close({ memberId: source, site: home.site }, trx));
    expect(await refusals(String(source))).toBe(table["other-closed"]);
    expect(await refusals()).toBe(table["other-unknown"]);
    await transact((trx) => support.close({ memberId: target, site: home.site }, trx));
    expect(await merge(code)).toBe(desk["no-account"]);
  });

  test("waits until no old address can undo a change, of either account", async () => {
    await using app = await openApp({ engine });
    const { profile } = app.services;
    const { sendCode, readCode, merge, target, source } = await openWithTwo(app);
    const move = async (memberId: number, email: string) => {
      expect(await askForAddress(app, memberId, email)).toMatchObject({ ok: true });
      const { token } = await readEmail(app, email, "Confirm your new email address");
      expect(await profile.confirmEmailByLink(token)).toBe("confirmed");
    };
    await sendCode();
    const code = await readCode();
    await move(target, "thief@example.org");
    expect(await merge(code)).toBe(table["address-changed"]);
    const thief = { memberId: target, email: "thief@example.org" };
    expect(await app.services.personalData.erase(thief, "op")).toEqual({ ok: false, reason: "address-changed" });
    expect(await sendCode()).toBe(table["address-changed"]);
    app.clock.advance(13 * DAY_IN_MS);
    await move(source, "thief@second.example");
    app.clock.advance(2 * DAY_IN_MS);
    expect(await sendCode(target, String(source))).toBe(table["address-changed"]);
    app.clock.advance(12 * DAY_IN_MS);
    expect(await sendCode(target, String(source))).toEqual({});
  });

  test("a browser that has just paid under the old address is not let into the account that stays", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    const { target } = await openWithTwo(app);
    const email = "ada@third.example";
    const token = await prepareDraft(app, { email });
    await pay(app, token);
    await app.services.outbox.deliver();
    await app.services.merging.sendCode({ targetId: target, other: email, site: home.site }, async () => undefined);
    const { code } = await readEmail(app, email);
    const merged = await act(app, "member merge", { subject: target, fields: { other: email, code, yes: "yes" } });
    expect(merged.ok).toBe(true);
    expect(await signUp.claimSession(token)).toBeUndefined();
    expect(await startDraft(app, { email })).toEqual(expect.any(String));
  });

  test("two operators merge one pair at once: one does", async () => {
    await using app = await openApp({ engine });
    const { sendCode, readCode, merge, source } = await openWithTwo(app);
    await sendCode();
    const code = await readCode();
    const outcomes = await Promise.all([merge(code), merge(code), merge(code)]);
    expect(outcomes.filter((outcome) => typeof outcome === "object")).toMatchObject([{ merged: source }]);
  });
});

test("the command says what will happen, shows both accounts, and does it with --yes", async () => {
  await using app = await openApp();
  const { target, sendCode } = await openWithTwo(app);
  await sendCode();
  const said = await act(app, "member merge", { subject: target, fields: { other: GONE, code: "0" } });
  expect(said.ok).toBe(false);
  expect(said.text).toContain(
    `We keep this account: Ada Lovell, ${KEPT}, number ${target}, since 20/11/2026, access until`,
  );
  expect(said.text).toContain(`We remove the other one: Ada Lovell, ${GONE}`);
  expect(said.text).toContain("Orders and receipts that move across: 1.");
  expect(said.text?.endsWith("Add --yes to do it.")).toBe(true);
});
