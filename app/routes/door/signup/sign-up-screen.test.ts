import { expect, test } from "vitest";

import { addMonths } from "../../../../server/platform/london-calendar.ts";
import { plans } from "../../../../server/money/membership/plans.ts";
import type { PaymentView } from "../../../../server/money/payments/records.ts";
import type { Services } from "../../../../server/services.ts";
import type { Draft } from "../../../../server/money/sign-up/sign-up.ts";
import { toPaymentScreen } from "./pay.ts";
import { toPlanScreen } from "./sign-up-screen.ts";

const services = {
  plans: [plans[1], plans[2], plans[3]],
  cardFields: { kind: "demo" },
  product: { name: "Dormouse" },
  capabilities: { canCancel: true },
  startsAtOnce: false,
} as Services;

const startsAt = new Date("2026-11-20T03:00:00Z");

const endsOfPlans = Object.fromEntries(
  Object.values(plans).map(({ type, months }) => [type, addMonths(startsAt, months)]),
) as Draft["endsOfPlans"];

const draft: Draft = {
  purpose: "join",
  accountType: "individual",
  email: "wren@here.example",
  firstName: "Wren",
  lastName: "Marsh",
  code: undefined,
  gift: undefined,
  isVerified: true,
  mayResendAt: new Date("2026-11-20T03:00:00Z"),
  planType: undefined,
  startsAt,
  endsAt: undefined,
  endsOfPlans,
  renewed: undefined,
  postcode: undefined,
  payment: { state: "none" },
};

const yearly: Draft = { ...draft, planType: 3, endsAt: draft.endsOfPlans[3] };
const corporate: Draft = { ...yearly, accountType: "corporate", code: "HEDGEROW-9" };
const verification = { email: draft.email, isVerified: true, isSent: false, canChange: true };

function toPayment(shown: Draft) {
  return toPaymentScreen(services, shown, verification);
}

test("the plans say the sum, their price a month, and their last day", () => {
  const { planCards, chosen } = toPlanScreen(services, draft, verification);
  expect(chosen).toBeUndefined();
  expect(planCards).toEqual([
    {
      type: 1,
      label: "1 Month",
      sum: "£15",
      term: "for one month",
      price: "£15 per month",
      end: "Ends 20 December 2026. We won't charge you again.",
    },
    {
      type: 2,
      label: "3 Monthly",
      sum: "£30",
      term: "for 3 months",
      price: "£10 per month",
      end: "Ends 20 February 2027. We won't charge you again.",
    },
    {
      type: 3,
      label: "Yearly",
      sum: "£60",
      term: "for 12 months",
      price: "£5 per month",
      end: "Ends 20 November 2027. We won't charge you again.",
    },
  ]);
});

test("a company's member chooses nothing and sees what the company pays for", () => {
  const { planCards, facts } = toPlanScreen(services, corporate, verification);
  expect(planCards).toEqual([]);
  expect(facts).toContainEqual({ label: "Plan", value: "12 Month Subscription" });
  expect(facts).toContainEqual({ label: "Membership ends", value: "20/11/2027" });
});

test("an individual pays the whole plan at once", () => {
  const screen = toPayment(yearly);
  expect(screen).toMatchObject({ plan: 3, amount: "£60", payer: { name: "Wren Marsh", email: "wren@here.example" } });
  expect(screen.facts).toContainEqual({ label: "Membership starts", value: "20/11/2026" });
  expect(screen.facts).toContainEqual({ label: "Membership ends", value: "20/11/2027" });
});

test("a company's member pays nothing and sees their code", () => {
  const screen = toPayment(corporate);
  expect(screen).toMatchObject({ plan: undefined, amount: undefined });
  expect(screen.facts).toContainEqual({ label: "Plan", value: "12 Month Subscription" });
  expect(screen.facts).toContainEqual({ label: "Dormouse code", value: "HEDGEROW-9" });
});

test.each<PaymentView>([
  { state: "failed", decline: "insufficient-funds" },
  { state: "failed", decline: "cancelled" },
  { state: "unfinished", actionUrl: "https://bank.example/" },
])("a try that is %j says that nothing was charged", (payment) =>
  expect(toPayment({ ...yearly, payment }).trouble?.sentence).toContain("You haven't been charged."),
);

test("a payment that was left can be gone on with, a first one has no trouble", () => {
  const left: PaymentView = { state: "unfinished", actionUrl: "https://bank.example/" };
  expect(toPayment({ ...yearly, payment: left }).trouble?.actionUrl).toBe("https://bank.example/");
  expect(toPayment(yearly).trouble).toBeUndefined();
});
