import { describe, expect, test } from "vitest";

import type { PaymentView } from "../../../../server/money/payments/records.ts";
import { parseStep, findStep, stepPath, type Progress, type Step } from "./steps.ts";

const day = new Date("2026-11-20T03:00:00Z");
const payments: Record<PaymentView["state"], PaymentView> = {
  none: { state: "none" },
  failed: { state: "failed", decline: "declined" },
  unfinished: { state: "unfinished", actionUrl: "http://bank.example/" },
  checking: { state: "checking" },
  completed: { state: "completed", receiptNumber: "R-1", amountInPence: 6000, startsAt: day, endsAt: day },
  refunded: { state: "refunded", amountInPence: 6000 },
};

const details: Progress = {
  purpose: "join",
  accountType: "individual",
  planType: undefined,
  gift: undefined,
  payment: payments.none,
};
const planned: Progress = { ...details, planType: 3 };
const corporate: Progress = { ...details, accountType: "corporate" };
const renewal: Progress = { ...details, purpose: "renew" };

function listSteps(draft: Progress | undefined, isMember = false) {
  return ([0, 1, 2, 3, 4] as Step[]).map((step) => findStep({ step, draft, isMember }));
}

function parse(search: string) {
  return parseStep(new URLSearchParams(search));
}

test("a step is asked for by its number", () => {
  for (const step of [0, 1, 2, 3, 4]) expect(parse(`step=${step}`)).toBe(step);
});

test.each(["", "step=", "step=5", "step=-1", "step=01", "step=1.0", "step=one", "step=%202", "other=2"])(
  "%j asks for the first step",
  (search) => expect(parse(search)).toBe(0),
);

test("a step's path keeps where one wanted to go, and is found again", () => {
  expect(stepPath(0)).toBe("/signup");
  expect(stepPath(2)).toBe("/signup?step=2");
  expect(stepPath(0, "/?view=read")).toBe("/signup?to=%2F%3Fview%3Dread");
  expect(stepPath(3, "/?view=read&item=1")).toBe("/signup?step=3&to=%2F%3Fview%3Dread%26item%3D1");
  expect(parseStep(new URL(stepPath(3, "/?step=1"), "http://here.example").searchParams)).toBe(3);
});

describe("a visitor", () => {
  test("without a draft tells the details first; the last step says how to subscribe", () =>
    expect(listSteps(undefined)).toEqual([0, 1, 1, 1, 4]));

  test("with details has earned the plan, with a plan the payment", () => {
    expect(listSteps(details)).toEqual([0, 1, 2, 2, 2]);
    expect(listSteps(planned)).toEqual([0, 1, 2, 3, 3]);
  });

  test("with a company's code has a plan from the start", () => expect(listSteps(corporate)).toEqual([0, 1, 2, 3, 3]));

  test.each(["failed", "unfinished"] as const)("whose payment is %s is still at paying", (state) =>
    expect(listSteps({ ...planned, payment: payments[state] })).toEqual([0, 1, 2, 3, 3]),
  );

  test("whose payment is being looked at waits for what becomes of it", () =>
    expect(listSteps({ ...planned, payment: payments.checking })).toEqual([0, 4, 4, 4, 4]));

  test.each(["completed", "refunded"] as const)("whose payment is %s sees that, and may start again", (state) =>
    expect(listSteps({ ...planned, payment: payments[state] })).toEqual([0, 1, 4, 4, 4]),
  );

  test("who renews has no details to tell", () => {
    expect(listSteps(renewal)).toEqual([0, 2, 2, 2, 2]);
    expect(listSteps({ ...renewal, planType: 1 })).toEqual([0, 2, 2, 3, 3]);
  });
});

describe("a logged-in member", () => {
  test.each([undefined, details, planned, corporate])("is sent home from every step", (draft) =>
    expect(listSteps(draft, true)).toEqual(["home", "home", "home", "home", "home"]),
  );

  test("can renew", () => {
    expect(listSteps(renewal, true)).toEqual(["home", "home", 2, 2, 2]);
    expect(listSteps({ ...renewal, planType: 1 }, true)).toEqual(["home", "home", 2, 3, 3]);
  });

  test.each(["checking", "completed", "refunded"] as const)("sees what became of a payment that is %s", (state) =>
    expect(listSteps({ ...planned, payment: payments[state] }, true)).toEqual(["home", "home", 4, 4, 4]),
  );
});
