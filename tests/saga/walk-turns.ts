import * as fc from "fast-check";

import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import type { PlanType } from "../../server/membership/plans.ts";
import type { GatewayCall, Moment } from "./interference.ts";
import type { CardName } from "./visitor.ts";

/** Anything that a visitor, the gateway, the clock or the app itself may do next, in any order. */
export type Action =
  | { do: "details"; who: number; email: number; isCorporate: boolean }
  | { do: "verify"; who: number }
  | { do: "plan"; who: number; planType: PlanType }
  | { do: "pay"; who: number; card: CardName | "hosted" }
  | { do: "go-on"; who: number; isComplete: boolean }
  | { do: "settle"; who: number }
  | { do: "claim-session"; who: number }
  | { do: "take-email"; email: number }
  | { do: "job"; name: string }
  | { do: "pass"; ms: number }
  | { do: "fault"; call: GatewayCall; moment: Moment; times: number }
  | { do: "no-fault" };

/** Things done at the same time, each of which may lose its power after so many breaths. */
export type Turn = { action: Action; breaths: number }[];

export const EMAILS = ["ada@example.org", "bea@example.org"];
const VISITORS = 2;
export const CODE = "NIGHT-SHIFT";

const who = fc.nat(VISITORS - 1);
const email = fc.nat(EMAILS.length - 1);
const calls: GatewayCall[] = [
  "createCustomer",
  "startPayment",
  "startHostedPayment",
  "findPayment",
  "listPaymentsOf",
  "cancelPayment",
  "refund",
  "findRefund",
  "findRefunded",
];
/** Hardly ever a day: nothing much is left to happen after it. */
const waits = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(1, 31, 61, 180).map((seconds) => seconds * SECOND_IN_MS) },
  { weight: 2, arbitrary: fc.constant(91 * MINUTE_IN_MS) },
  { weight: 1, arbitrary: fc.constant(25 * HOUR_IN_MS) },
  // Clocks are set back, too (C23).
  { weight: 1, arbitrary: fc.constant(-HOUR_IN_MS) },
);
const wishes: (CardName | "hosted")[] = ["paid", "declined", "authentication", "authentication", "hosted"];
const jobs = [
  "handle-webhooks",
  "handle-webhooks",
  "reconcile-payments",
  "reconcile-payments",
  "send-mail",
  "purge-expired",
];

function it<Name extends Action["do"]>(name: Name): fc.Arbitrary<Name> {
  return fc.constant(name);
}

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: it("pay"), who, card: fc.constantFrom(...wishes) }) },
  { weight: 16, arbitrary: fc.record({ do: it("go-on"), who, isComplete: oneIn(4).map((isNot) => !isNot) }) },
  { weight: 6, arbitrary: fc.record({ do: it("settle"), who }) },
  { weight: 10, arbitrary: fc.record({ do: it("job"), name: fc.constantFrom(...jobs) }) },
  { weight: 6, arbitrary: fc.record({ do: it("pass"), ms: waits }) },
  { weight: 3, arbitrary: fc.record({ do: it("details"), who, email, isCorporate: oneIn(4) }) },
  { weight: 3, arbitrary: fc.record({ do: it("verify"), who }) },
  { weight: 3, arbitrary: fc.record({ do: it("plan"), who, planType: fc.constantFrom(1, 2, 3) }) },
  { weight: 1, arbitrary: fc.record({ do: it("claim-session"), who }) },
  { weight: 1, arbitrary: fc.record({ do: it("take-email"), email }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: it("fault"),
      call: fc.constantFrom(...calls),
      moment: fc.constantFrom("before", "after"),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: it("no-fault") }) },
);

/** Mostly one thing at a time that lives on, sometimes several at once, sometimes cut off. */
export const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.array(
    fc.record({
      action,
      breaths: fc.oneof({ weight: 5, arbitrary: fc.constant(1_000_000) }, { weight: 1, arbitrary: fc.nat(60) }),
    }),
    { minLength: 1, maxLength: 3, size: "small" },
  ),
  { minLength: 8, maxLength: 30, size: "max" },
);

function oneIn(many: number): fc.Arbitrary<boolean> {
  return fc.nat(many - 1).map((number) => number === 0);
}

/** How far a visitor has come before the walk begins. */
export type Start = { email: number; isCorporate: boolean; planType: PlanType };

export const starts: fc.Arbitrary<Start[]> = fc.array(
  fc.record({ email, isCorporate: oneIn(6), planType: fc.constantFrom(1, 2, 3) }),
  { minLength: VISITORS, maxLength: VISITORS },
);
