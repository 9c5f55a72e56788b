import { expect, test } from "vitest";

import { plans } from "../../../../server/money/membership/plans.ts";
import type { HeldSubscription } from "../../../../server/money/membership/membership.ts";
import type { OrderRecord } from "../../../../server/money/payments/records.ts";
import type { AuditEntry } from "../../../../server/platform/audit/audit.ts";
import { authors } from "../../../../server/platform/audit/labels.ts";
import { toTimeline } from "./member-timeline.server.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const on = (day: string) => new Date(`2026-${day}T03:00:00.000Z`);

type Order = OrderRecord["order"];

function order(changes: Partial<Order>, others: Partial<OrderRecord> = {}): OrderRecord {
  const bought = { accountType: "individual", amountInPence: 6000, planType: 3, state: "completed" } as const;
  return {
    order: { ...bought, code: undefined, paidAt: undefined, receiptNumber: undefined, ...changes } as Order,
    createdAt: on("10-01"),
    completedAt: undefined,
    payments: [],
    ...others,
  } as OrderRecord;
}

const entry = (changes: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: on("11-18"),
  operator: "olive@x.example",
  action: "order refund",
  memberId: 1,
  reason: undefined,
  facts: {},
  ...changes,
});

function tell(
  past: { orders?: OrderRecord[]; terms?: HeldSubscription[]; entries?: AuditEntry[] },
  gateway = "Stripe",
) {
  const record = { createdAt: on("10-01") };
  const all = { record, orders: [], terms: [], entries: [], ...past };
  return toTimeline(all, { plans: Object.values(plans), now, gateway }).map(({ at, what, more }) =>
    [at, what, more].filter(Boolean).join(" | "),
  );
}

test("the latest is first, with its time if it was today, and with who did it and why", () => {
  const refund = entry({ at: on("11-20"), reason: "They wrote to us", facts: { amountInPence: 6000 } });
  const dispute = entry({
    operator: authors.gateway,
    action: "dispute open",
    facts: { order: 1, dispute: "dp_1", amountInPence: 6000 },
  });
  const paid = order({ paidAt: on("10-02"), receiptNumber: "D-2026-000001" });
  expect(tell({ orders: [paid], entries: [refund, dispute] })).toEqual([
    "today 03:00 | Refunded an order | By olive@x.example. £60.00. “They wrote to us”",
    "18/11/2026 | A bank disputes a charge | Stripe told us. £60.00.",
    "02/10/2026 | Paid £60.00 | Yearly, receipt D-2026-000001.",
    "01/10/2026 | Joined",
  ]);
});

test("a declined card, a payment that was given up and a code are told in words", () => {
  const decline = { decline: "insufficient-funds", createdAt: on("10-03") } as const;
  expect(
    tell({
      orders: [
        order({ state: "cancelled" }, { payments: [decline as OrderRecord["payments"][number]] }),
        order({ state: "cancelled" }, { createdAt: on("10-04") }),
        order({ accountType: "corporate", code: "PILLOW-27" }, { completedAt: on("10-05") }),
      ],
    }),
  ).toEqual([
    "05/10/2026 | Used the code PILLOW-27",
    "04/10/2026 | Started to pay £60.00 | They didn't finish. We charged nothing.",
    expect.stringMatching(/^03\/10\/2026 \| Tried to pay £60.00 \| .*money/),
    "01/10/2026 | Joined",
  ]);
});

test("a term that has ended is told; one that runs or was ended early is not", () => {
  const term = { id: 1, planType: 3, startsAt: on("10-01"), orderId: 1, revokedAt: undefined };
  expect(
    tell({
      terms: [
        { ...term, endsAt: on("11-01") },
        { ...term, endsAt: on("12-01") },
        { ...term, endsAt: on("11-02"), revokedAt: on("10-20") },
      ] as HeldSubscription[],
    }),
  ).toEqual(["01/11/2026 | The term ended", "01/10/2026 | Joined"]);
});
