import { expect, test } from "vitest";

import { act, predict, toOutcome } from "../../../tests/helpers/acts.ts";
import { addMember, type App, openApp, startSession } from "../../../tests/helpers/app.ts";
import { pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { formatDate } from "../../platform/format.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { desk as table } from "../../refusals.ts";

async function openWithPayer() {
  const app = await openApp();
  await pay(app, await prepareDraft(app));
  const member = await app.services.accounts.findByEmail("ada@example.org");
  return { ...app, memberId: member?.id ?? 0 };
}

const refund = (app: App & { memberId: number }) => predict(app, "member refund", { subject: app.memberId, item: 1 });

test("a refund says what becomes of the access, how much goes back, and that the member is told", async () => {
  await using app = await openWithPayer();
  expect(await refund(app)).toEqual([
    "Their access ends now.",
    "£60.00 is refunded to the card it came from.",
    "The member gets an email.",
  ]);
  const given = addMonths(app.clock(), 13);
  await act(app, "member term", { subject: app.memberId, fields: { months: "1" } });
  expect((await refund(app))[0]).toBe(
    `Their access ends now, and starts again on ${formatDate(addMonths(app.clock(), 12))}.`,
  );
  const own = {
    memberId: app.memberId,
    planType: 1 as const,
    startsAt: app.clock(),
    endsAt: addMonths(app.clock(), 2),
  };
  await app.services.membership.grant(own);
  expect((await refund(app))[0]).toBe(`They have access until ${formatDate(own.endsAt)}.`);
  expect(given > own.endsAt).toBe(true);
  await act(app, "member refund", { subject: app.memberId, item: 1 });
  expect(await refund(app)).toEqual([table["not-completed"]]);
  expect(await predict(app, "member refund", { subject: app.memberId, item: 2 })).toEqual([table["not-their-order"]]);
});

test("a part of a refund says how much goes back and is left, and one that leaves nothing is predicted as the whole", async () => {
  await using app = await openWithPayer();
  const about = (amount: string) => ({ subject: app.memberId, item: 1, fields: { amount } });
  const ask = (amount: string) => predict(app, "member refund-part", about(amount));
  expect(await ask("10")).toEqual([
    "£10.00 is refunded to the card it came from.",
    "£50.00 of the order is left, and its term continues.",
    "The member gets an email.",
  ]);
  for (const amount of ["0", "-1", "ten", "10.001", ""]) expect(await ask(amount)).toEqual([table["amount-invalid"]]);
  expect(await act(app, "member refund-part", about("10"))).toMatchObject({
    ok: true,
    message: "£10 is being refunded, and the term continues. The member gets an email.",
  });
  expect((await ask("12.50"))[1]).toBe("£37.50 of the order is left, and its term continues.");
  expect(await ask("50.01")).toEqual([table["more-than-left"]("£50.00")]);
  expect(await act(app, "member refund-part", about("50.01"))).toEqual({
    ok: false,
    errors: { amount: [table["more-than-left"]("£50.00")] },
  });
  const whole = ["Their access ends now.", "£50.00 is refunded to the card it came from.", "The member gets an email."];
  expect(await ask("50")).toEqual(whole);
  expect(await refund(app)).toEqual(whole);
  expect(await act(app, "member refund-part", about("50.00"))).toMatchObject({
    ok: true,
    message: "£50 is being refunded, and the term has ended. The member gets an email.",
  });
  expect(await ask("1")).toEqual([table["not-completed"]]);
});

test("an order of a closed account can still be refunded", async () => {
  await using app = await openWithPayer();
  await act(app, "member close", { subject: app.memberId });
  expect(await refund(app)).toContain("£60.00 is refunded to the card it came from.");
  expect(await act(app, "member refund", { subject: app.memberId, item: 1 })).toMatchObject({ ok: true });
});

test("a refund names the card once its digits are known", async () => {
  await using app = await openWithPayer();
  await app.services.jobs.run("note-cards");
  expect(await refund(app)).toContain("£60.00 is refunded to the card ending 4242.");
});

test("a refund of a term that is over says nothing of access", async () => {
  await using app = await openWithPayer();
  app.clock.advance(400 * DAY_IN_MS);
  expect(await refund(app)).toEqual(["£60.00 is refunded to the card it came from.", "The member gets an email."]);
});

test("an end of access names browsers and seat, and has nothing to end twice", async () => {
  await using app = await openApp();
  const { id: memberId } = await addMember(app);
  const ask = () => predict(app, "member deactivate", { subject: memberId });
  expect(await ask()).toEqual([table["nothing-to-end"]]);
  await act(app, "member term", { subject: memberId, fields: { months: "1" } });
  for (let count = 0; count < 2; count += 1) await startSession(app, memberId);
  await act(app, "code create", { fields: { code: "PILLOW-27", seats: "2" } });
  await app.services.transact((trx) => app.services.codes.takeSeat({ code: "PILLOW-27", memberId }, trx));
  expect(await ask()).toEqual([
    "Their access ends now.",
    "They're logged out everywhere (2 browsers).",
    "Their seat on code PILLOW-27 is free for someone else.",
    "We don't refund anything, and we don't email the member.",
  ]);
  expect(await predict(app, "code revoke", { subject: "PILLOW-27" })).toEqual([
    "No one else can join with PILLOW-27. You can't undo this.",
    "The member who joined with it keeps their membership.",
  ]);
  expect(await predict(app, "code free-seat", { subject: "PILLOW-27", item: memberId })).toEqual([
    "The seat is free for someone else.",
    "Their access doesn't change.",
  ]);
  await act(app, "member deactivate", { subject: memberId });
  expect(await ask()).toEqual([table["nothing-to-end"]]);
});

test("an erasure waits for money that is on its way", async () => {
  await using app = await openWithPayer();
  const { memberId } = app;
  const erase = async () => [
    ...(await predict(app, "member erase", { subject: memberId, fields: { yes: "yes" } })),
    toOutcome(await act(app, "member erase", { subject: memberId, fields: { yes: "yes" } })),
  ];
  await app.db.updateTable("orders").set({ state: "refund-pending" }).execute();
  const waits = expect.stringMatching(/^One of their payments is still in progress/);
  expect(await erase()).toEqual([waits, waits]);
  expect(await app.services.accounts.findMember(memberId)).toBeDefined();
});

test("a closing names the day of the erasure and where the way back goes", async () => {
  await using app = await openApp();
  const { id: memberId, email } = await addMember(app);
  const day = formatDate(after(app.clock(), 14 * DAY_IN_MS));
  expect(await predict(app, "member close", { subject: memberId })).toEqual([
    "The account closes now, and the member can no longer log in.",
    `We erase everything about them on ${day}. Until then they can reopen it with a link that we email to ${email}.`,
    "We don't refund anything.",
  ]);
});
