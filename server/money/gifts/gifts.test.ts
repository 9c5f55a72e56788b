import { describe, expect, test } from "vitest";

import { addMember, addNamed, findEmail, openApp, type App } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import {
  findGiftCode,
  giftDetails,
  giftPayment,
  giveGift,
  payForGift,
  startGift,
} from "../../../tests/helpers/gifts.ts";
import { listFaults, readLedger } from "../../../tests/saga/ledger.ts";
import { ada, authenticate, findChallenge, pay, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { gifts as table } from "../../refusals.ts";
import type { GatewayDispute } from "../payments/card-gateway.ts";

const { giverEmail: TOM, recipientEmail: WREN, address } = giftDetails;

/** Past eight in the morning of the day of `giftDetails`. */
async function passMorning(app: App): Promise<void> {
  app.clock.advance(6 * HOUR_IN_MS);
  await app.services.gifts.lookAfter();
}

async function giveSent(app: App, details: Parameters<typeof giveGift>[1] = {}) {
  const given = await giveGift(app, { isSheet: true, ...details });
  return { ...given, code: await findGiftCode(app, given.id) };
}

async function findState(app: App, id: number) {
  return (await app.services.gifts.find(id))?.state;
}

const countEmails = (app: App, subject: string) => app.emails.filter((email) => email.subject.endsWith(subject)).length;

describe.each(engines)("a gift on %s", (engine) => {
  test("every mistake of the form is listed at once", async () => {
    await using app = await openApp({ engine });
    const wrong = {
      planType: "9",
      giverName: " ",
      giverEmail: "tom",
      recipientName: "x".repeat(81),
      recipientEmail: "",
      message: "z".repeat(301),
      day: "2026-11-19",
    };
    expect(await app.services.gifts.save({ ...giftDetails, ...wrong })).toEqual({
      ok: false,
      reason: "refused",
      refusals: [
        "plan-missing",
        "giver-name-missing",
        "giver-email-invalid",
        "recipient-name-long",
        "recipient-email-invalid",
        "message-long",
        "day-invalid",
      ],
    });
    for (const day of ["2027-11-21", "2026-02-30", "", "20/11/2026"]) {
      expect(await app.services.gifts.save({ ...giftDetails, day })).toMatchObject({ refusals: ["day-invalid"] });
    }
    expect(await app.services.gifts.save({ ...giftDetails, day: "2027-11-20" })).toMatchObject({ ok: true });
    // A sheet has neither an address nor a day.
    const sheet = { isSheet: true, recipientEmail: "", day: "" };
    expect(await app.services.gifts.save({ ...giftDetails, ...sheet })).toMatchObject({ ok: true });
  });

  test("it is paid once, its receipt goes to the giver, and it leaves at eight in London on its day", async () => {
    await using app = await openApp({ engine });
    const { id, token, giverToken } = await giveGift(app);
    expect(await payForGift(app, token)).toEqual({ ok: true, next: "completed" });
    const receipt = await findEmail(app, TOM);
    expect(receipt?.text).toContain("Gift: Yearly, for Wren");
    expect(receipt?.text).toContain(`given?gift=${giverToken}`);
    app.clock.advance(5 * HOUR_IN_MS - 1);
    await app.services.gifts.lookAfter();
    expect(await findState(app, id)).toBe("waiting");
    expect(await findEmail(app, WREN)).toBeUndefined();
    app.clock.advance(1);
    await app.services.gifts.lookAfter();
    const email = await findEmail(app, WREN);
    expect(email?.subject).toBe("A gift for you: 12 months of Dormouse");
    expect(email?.text).toContain("“Sleep well, Wren.”");
    expect(email?.text).toContain(`gift?code=${await findGiftCode(app, id)}`);
    expect(await app.services.gifts.findGiven(giverToken)).toMatchObject({
      state: "sent",
      receiptNumber: "D-2026-000001",
      amountInPence: 6000,
      expiresAt: addMonths(new Date("2026-11-20T08:00:00.000Z"), 12),
      cancelUntil: "2026-12-04",
      canSendAgain: true,
      sheet: undefined,
    });
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("a sheet can be printed and taken up at once, and nothing is sent to its recipient", async () => {
    await using app = await openApp({ engine });
    const { giverToken, code } = await giveSent(app);
    const given = await app.services.gifts.findGiven(giverToken);
    expect(given?.sheet).toEqual({ code, url: `http://dormouse.test/gift?code=${code}` });
    expect(await app.services.gifts.sendAgain(given?.id ?? 0)).toEqual({ ok: false, reason: "sheet" });
    expect(await findEmail(app, WREN)).toBeUndefined();
    expect(await app.services.gifts.check(code.toLowerCase().replaceAll("-", " "), { address })).toMatchObject({
      ok: true,
      gift: { giverName: "Tom", recipientName: "Wren", message: "Sleep well, Wren.", planType: 3 },
    });
  });

  test("a card that the bank has to agree to, one that is declined, and a missing postal code", async () => {
    await using app = await openApp({ engine });
    const token = await startGift(app);
    expect(await app.services.gifts.pay(token, { ...giftPayment, postcode: " ", isCardWrong: true })).toEqual({
      ok: false,
      reason: "incomplete",
      missing: ["card-missing", "postcode-missing"],
    });
    expect(await payForGift(app, token, { card: "declined" })).toMatchObject({ ok: false, decline: "declined" });
    expect(await payForGift(app, token, { shownPlanType: 1 })).toEqual({ ok: false, reason: "plan-changed" });
    const begun = await payForGift(app, token, { card: "authentication" });
    expect((await app.services.gifts.findDraft(token))?.payment.state).toBe("unfinished");
    await authenticate(app, begun as never);
    await app.services.gifts.settle(token);
    expect((await app.services.gifts.findDraft(token))?.payment).toMatchObject({ state: "completed" });
    await app.pass(HOUR_IN_MS);
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("the details can change until it is paid, and an unpaid one is gone after a day", async () => {
    await using app = await openApp({ engine });
    const token = await startGift(app);
    expect(await startGift(app, { token, recipientName: "Bea" })).toBe(token);
    expect((await app.services.gifts.findDraft(token))?.recipientName).toBe("Bea");
    app.clock.advance(DAY_IN_MS);
    expect(await app.services.gifts.findDraft(token)).toBeUndefined();
    expect(await app.services.gifts.purge()).toBe(1);
    const paid = await giveGift(app, { day: "2026-12-24" });
    const again = await startGift(app, { token: paid.token, day: "2026-12-24" });
    expect(again).not.toBe(paid.token);
  });

  test("a member gives from their own address, and sees it in My Account", async () => {
    await using app = await openApp({ engine });
    const member = await addMember(app);
    await giveGift(app, { memberId: member.id, giverEmail: "other@giver.example" });
    expect(await app.services.gifts.listGiven(member.id)).toMatchObject([{ recipientName: "Wren", state: "waiting" }]);
    expect((await findEmail(app, member.email))?.subject).toBe("Your receipt D-2026-000001");
    // A gift is no membership of its giver's.
    expect(await app.services.payments.listReceipts(member.id)).toEqual([]);
    const receiptNumber = "D-2026-000001";
    expect(await app.services.payments.cancel({ memberId: member.id, receiptNumber })).toMatchObject({ ok: false });
  });

  test("its giver may send it again, at most five times a day, once its day has come", async () => {
    await using app = await openApp({ engine });
    const { id } = await giveGift(app);
    expect(await app.services.gifts.sendAgain(id)).toEqual({ ok: false, reason: "not-sent" });
    await passMorning(app);
    for (let time = 1; time <= 4; time += 1) {
      expect(await app.services.gifts.sendAgain(id)).toEqual({ ok: true, to: WREN });
    }
    expect(await app.services.gifts.sendAgain(id)).toMatchObject({ reason: "too-many-attempts" });
    await app.services.outbox.deliver();
    expect(countEmails(app, "A gift for you: 12 months of Dormouse")).toBe(5);
  });

  test("another address gets another code, and the earlier one no longer works", async () => {
    await using app = await openApp({ engine });
    const { gifts } = app.services;
    const { id } = await giveGift(app);
    const change = { giftId: id, recipientName: "Wren", recipientEmail: "wren@new.example" };
    expect(await gifts.changeRecipient({ ...change, recipientEmail: "?" })).toMatchObject({ reason: "email-invalid" });
    expect(await gifts.changeRecipient(change)).toEqual({ ok: true, isSent: false });
    await passMorning(app);
    const first = await findGiftCode(app, id);
    expect(await findEmail(app, WREN)).toBeUndefined();
    expect((await findEmail(app, "wren@new.example"))?.text).toContain(first);
    expect(await gifts.changeRecipient({ ...change, recipientEmail: "wren@third.example" })).toEqual({
      ok: true,
      isSent: true,
    });
    const second = await findGiftCode(app, id);
    expect((await findEmail(app, "wren@third.example"))?.text).toContain(second);
    const memberId = await addNamed(app, "Wren");
    expect(await gifts.takeUp({ code: first, memberId, address })).toMatchObject({ ok: false, reason: "unknown" });
    expect(await gifts.takeUp({ code: second, memberId, address })).toMatchObject({ ok: true });
    expect(await gifts.changeRecipient(change)).toEqual({ ok: false, reason: "over" });
    expect(listFaults(await readLedger(app.db)).filter((fault) => !fault.includes("was not sent"))).toEqual([]);
  });

  test("a member takes it up by one button: behind what they have, once, and the giver hears of it", async () => {
    await using app = await openApp({ engine });
    const { gifts, accounts, membership } = app.services;
    await pay(app, await prepareDraft(app));
    const memberId = (await accounts.findByEmail(ada.email))?.id ?? 0;
    const coverEnd = await membership.findCoverEnd(memberId);
    const { code, giverToken } = await giveSent(app);
    const term = { ok: true, planType: 3, startsAt: coverEnd, endsAt: addMonths(coverEnd ?? new Date(), 12) };
    expect(await gifts.takeUp({ code, memberId, address })).toEqual(term);
    expect(await gifts.takeUp({ code, memberId, address })).toEqual(term);
    const other = await addNamed(app, "Bea");
    expect(await gifts.takeUp({ code, memberId: other, address })).toEqual({
      ok: false,
      reason: "taken-up",
      message: table["taken-up"],
    });
    expect((await findEmail(app, TOM, "Your gift has been taken up"))?.text).toContain("Wren has taken up your gift");
    expect(await gifts.findGiven(giverToken)).toMatchObject({ state: "taken-up", canChangeRecipient: false });
    await app.pass(HOUR_IN_MS);
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("a company's employee takes one up: it begins when the company's term ends, and the seat ends then", async () => {
    await using app = await openApp({ engine });
    const { gifts, accounts, codes, membership } = app.services;
    await codes.create({ code: "PILLOW", seats: 3 });
    const token = await prepareDraft(app, { accountType: "corporate", code: "PILLOW" });
    await pay(app, token, { shownPlanType: undefined });
    const member = await accounts.findByEmail(ada.email);
    const coverEnd = await membership.findCoverEnd(member?.id ?? 0);
    const { code } = await giveSent(app, { planType: 1 });
    expect(await gifts.takeUp({ code, memberId: member?.id ?? 0, address })).toMatchObject({ startsAt: coverEnd });
    expect(await codes.listSeatsFor(member?.id ?? 0)).toMatchObject([{ code: "PILLOW", endsAt: coverEnd }]);
    expect((await accounts.findByEmail(ada.email))?.accountType).toBe("corporate");
  });

  test("a gift's code lets no one join as a colleague, and is on none of the desk's lists", async () => {
    await using app = await openApp({ engine });
    const { code } = await giveSent(app);
    const { codes, signUp } = app.services;
    expect(await codes.check(code)).toMatchObject({ isValid: false, reason: "gift" });
    expect(await signUp.saveDetails({ ...ada, accountType: "corporate", code })).toMatchObject({ reason: "refused" });
    expect(await codes.list()).toEqual([]);
    expect(await codes.listOpenPage({ state: "unused", limit: 5 })).toEqual([]);
    expect(await codes.find(code)).toBeUndefined();
    expect(await codes.revoke(code)).toBe(false);
  });

  test("a visitor joins with it, without a plan and a payment, and is logged in", async () => {
    await using app = await openApp({ engine });
    const { signUp, accounts, membership, gifts } = app.services;
    const { code, giverToken } = await giveSent(app);
    const token = await startDraft(app, { giftCode: code });
    expect(await signUp.findDraft(token)).toMatchObject({
      code: undefined,
      planType: 3,
      gift: { code, isTakenUp: false, offer: { giverName: "Tom" } },
    });
    const from = { address, site: giftDetails.site };
    expect(await signUp.takeGift(token, from)).toEqual({ ok: false, reason: "unverified" });
    const { code: digits } = await findChallenge(app, ada.email);
    await signUp.verifyByCode(token, digits);
    expect(await signUp.takeGift(token, from)).toEqual({ ok: true });
    expect(await signUp.takeGift(token, from)).toEqual({ ok: true });
    expect((await signUp.findDraft(token))?.gift?.isTakenUp).toBe(true);
    const memberId = (await accounts.findByEmail(ada.email))?.id ?? 0;
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    expect(await signUp.claimSession(token)).toBeDefined();
    expect((await findEmail(app, ada.email, "Welcome to Dormouse"))?.text).toContain("20 November 2027");
    expect(await gifts.findGiven(giverToken)).toMatchObject({ state: "taken-up" });
    await app.pass(HOUR_IN_MS);
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("a sign-up with a gift that was taken up meanwhile makes no account", async () => {
    await using app = await openApp({ engine });
    const { signUp, accounts, gifts } = app.services;
    const { code } = await giveSent(app);
    const token = await startDraft(app, { giftCode: code });
    const { code: digits } = await findChallenge(app, ada.email);
    await signUp.verifyByCode(token, digits);
    await gifts.takeUp({ code, memberId: await addNamed(app, "Bea"), address });
    expect(await signUp.takeGift(token, { address, site: giftDetails.site })).toEqual({
      ok: false,
      reason: "gift-refused",
      message: table["taken-up"],
    });
    expect(await accounts.findByEmail(ada.email)).toBeUndefined();
    expect((await signUp.findDraft(token))?.gift?.refusal).toBe(table["taken-up"]);
    expect(await signUp.saveDetails({ ...ada, giftCode: code })).toMatchObject({
      refusals: [{ reason: "gift-refused", message: table["taken-up"] }],
    });
  });

  test("its giver cancels within 14 days while no one has taken it up, and all is refunded", async () => {
    await using app = await openApp({ engine });
    const { gifts } = app.services;
    const { id, code } = await giveSent(app);
    const kept = await giveSent(app);
    const late = await giveSent(app);
    await gifts.takeUp({ code: kept.code, memberId: await addNamed(app, "Bea"), address });
    expect(await gifts.cancel(kept.id)).toEqual({ ok: false, reason: "taken-up" });
    app.clock.advance(14 * DAY_IN_MS);
    expect(await gifts.cancel(id)).toEqual({ ok: true, amountInPence: 6000 });
    expect(await gifts.cancel(id)).toEqual({ ok: false, reason: "not-cancellable" });
    expect(await gifts.check(code, { address })).toMatchObject({ ok: false, reason: "over" });
    expect((await findEmail(app, TOM, "Your refund of £60 is on its way"))?.text).toContain("You cancelled your gift");
    app.clock.advance(DAY_IN_MS);
    expect(await gifts.cancel(late.id)).toEqual({ ok: false, reason: "too-late" });
    await app.pass(HOUR_IN_MS);
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("it reminds after 14 days and a month before its end, then ends, and Today lists it", async () => {
    await using app = await openApp({ engine });
    const { gifts, outbox, transact } = app.services;
    const { id, giverToken } = await giveGift(app);
    await passMorning(app);
    const count = async (subject: string) => {
      await gifts.lookAfter();
      await outbox.deliver();
      return countEmails(app, subject);
    };
    app.clock.advance(13 * DAY_IN_MS);
    expect(await count("Your gift is waiting for you")).toBe(0);
    app.clock.advance(DAY_IN_MS);
    expect(await count("Your gift is waiting for you")).toBe(1);
    expect(await count("Your gift is waiting for you")).toBe(1);
    app.clock.advance(320 * DAY_IN_MS);
    expect(await count("Your gift ends on 20 November 2027")).toBe(1);
    expect(await count("Your gift ends on 20 November 2027")).toBe(1);
    app.clock.advance(32 * DAY_IN_MS);
    expect(await count("Your gift has ended")).toBe(1);
    expect(await gifts.findGiven(giverToken)).toMatchObject({ state: "expired" });
    const memberId = await addNamed(app, "Wren");
    const code = await findGiftCode(app, id);
    expect(await gifts.takeUp({ code, memberId, address })).toMatchObject({ ok: false, reason: "over" });
    expect(await gifts.listQuestions(5)).toMatchObject([{ id, question: "never-taken-up" }]);
    expect(await transact((trx) => gifts.dismiss(id, trx))).toBe(true);
    expect(await gifts.listQuestions(5)).toEqual([]);
  });

  test("the reminders of a sheet go to its giver", async () => {
    await using app = await openApp({ engine });
    await giveSent(app);
    app.clock.advance(14 * DAY_IN_MS);
    await app.services.gifts.lookAfter();
    expect((await findEmail(app, TOM, "Your gift hasn't been taken up yet"))?.text).toContain("Wren");
  });

  test("an operator ends what was not taken up, and the term of what was", async () => {
    await using app = await openApp({ engine });
    const { gifts, membership, audit } = app.services;
    const by = { operator: "olive", reason: "They asked" };
    const waiting = await giveGift(app);
    const taken = await giveSent(app);
    const memberId = await addNamed(app, "Wren");
    await gifts.takeUp({ code: taken.code, memberId, address });
    expect(await gifts.end({ giftId: waiting.id, by })).toEqual({ ok: true, amountInPence: 6000, isTermEnded: false });
    expect(await findState(app, waiting.id)).toBe("refunded");
    expect(await gifts.end({ giftId: taken.id, by })).toEqual({ ok: true, amountInPence: 6000, isTermEnded: true });
    expect(await findState(app, taken.id)).toBe("ended");
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: false });
    expect(await gifts.end({ giftId: taken.id, by })).toEqual({ ok: false, reason: "over" });
    expect((await audit.list(5)).map(({ action }) => action)).toEqual(["order refund", "order refund"]);
    await app.pass(HOUR_IN_MS);
    expect(listFaults(await readLedger(app.db))).toEqual([]);
  });

  test("a refund of a gift that was taken up leaves its term, and asks an operator", async () => {
    await using app = await openApp({ engine });
    const { gifts, membership, payments } = app.services;
    const by = { operator: "olive", reason: "They asked" };
    const { id, code } = await giveSent(app);
    const memberId = await addNamed(app, "Wren");
    await gifts.takeUp({ code, memberId, address });
    expect(await payments.giveBack({ orderId: 1, by })).toEqual({ ok: true, amountInPence: 6000 });
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    expect(await gifts.listQuestions(5)).toMatchObject([{ id, question: "refunded" }]);
    expect(await gifts.end({ giftId: id, by })).toEqual({ ok: true, amountInPence: 0, isTermEnded: true });
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: false });
    expect(await gifts.listQuestions(5)).toEqual([]);
    // Restoring a member's access does not bring it back.
    const restore = (trx: App["db"]) => membership.restore(memberId, trx, () => gifts.listEndedOrders(memberId, trx));
    expect(await app.services.transact(restore)).toBe(false);
  });

  test.each([false, true])("a lost dispute ends it, or asks where it was taken up: %s", async (isTaken) => {
    const bank = { dispute: undefined as GatewayDispute | undefined };
    await using app = await openApp({
      engine,
      wrapCardGateway: (gateway) => ({ ...gateway, findDispute: async () => bank.dispute }),
    });
    const { gifts, payments } = app.services;
    const { id, code } = await giveSent(app);
    if (isTaken) await gifts.takeUp({ code, memberId: await addNamed(app, "Wren"), address });
    const { gatewayId } = await app.db.selectFrom("payments").select("gatewayId").executeTakeFirstOrThrow();
    for (const state of ["open", "lost"] as const) {
      bank.dispute = { id: "du_1", paymentId: gatewayId ?? "", state };
      await payments.webhookGateway.handle({ id: "evt_1", kind: "dispute", subject: "du_1" });
      if (state === "open") expect(await findState(app, id)).toBe(isTaken ? "taken-up" : "sent");
    }
    expect(await findState(app, id)).toBe(isTaken ? "taken-up" : "refunded");
    expect(await gifts.listQuestions(5)).toMatchObject(isTaken ? [{ id, question: "disputed" }] : []);
    const by = { operator: "olive" };
    const ended = isTaken ? { ok: true, amountInPence: 0, isTermEnded: true } : { ok: false, reason: "over" };
    if (isTaken) expect(await gifts.end({ giftId: id, by })).toEqual(ended);
  });

  test("both people are erased from it a month after it is over, and each at once with their account", async () => {
    await using app = await openApp({ engine });
    const { gifts, personalData } = app.services;
    const giver = await addMember(app, { email: TOM, firstName: "Tom" });
    const { id, code } = await giveSent(app, { memberId: giver.id });
    const taker = await addMember(app, { email: WREN, firstName: "Wren" });
    await gifts.takeUp({ code, memberId: taker.id, address });
    const person = { memberId: giver.id, email: TOM };
    expect((await personalData.gather(person)).gifts).toMatchObject([{ side: "given", giverEmail: TOM }]);
    const recipient = { memberId: taker.id, email: WREN };
    expect((await personalData.gather(recipient)).gifts).toMatchObject([
      { side: "received", giverName: "Tom", giverEmail: undefined },
    ]);
    app.clock.advance(30 * DAY_IN_MS - 1);
    expect(await gifts.purge()).toBe(0);
    const other = await giveSent(app, { memberId: giver.id });
    expect(await personalData.erase(person, "op")).toMatchObject({ ok: true });
    expect(await gifts.find(other.id)).toMatchObject({ state: "sent", giverName: "", giverEmail: "" });
    expect(await gifts.find(id)).toMatchObject({ giverName: "", recipientName: "Wren" });
    expect(await personalData.erase(recipient, "op")).toMatchObject({ ok: true });
    expect(await gifts.find(id)).toMatchObject({ recipientName: "", recipientEmail: undefined, takerId: undefined });
    const third = await giveSent(app, { giverEmail: "ann@giver.example" });
    await gifts.cancel(third.id);
    app.clock.advance(30 * DAY_IN_MS);
    expect(await gifts.purge()).toBe(1);
    expect(await gifts.find(third.id)).toMatchObject({ giverName: "", recipientName: "", message: "" });
  });

  test("figures count the gifts of a day", async () => {
    await using app = await openApp({ engine });
    await giveGift(app);
    await giveGift(app);
    const figures = await app.services.figures.list({ unit: "day", count: 1 });
    expect(figures.find(({ measure }) => measure === "gifts")?.today).toBe(2);
  });
});
