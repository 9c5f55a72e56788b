import type { Member } from "../accounts/accounts.ts";
import type { CheckoutResult } from "../payments/checkout.ts";
import type { Payments } from "../payments/payments.ts";
import type { OrderRecord } from "../payments/records.ts";
import { CORPORATE_PLAN } from "../sign-up/paying.ts";
import type { CodeWish, OrderResult, OrderWish, Standing } from "./api-orders.ts";

/** The two ways of an order that was placed over the API: both are the payments room's own. */
export function createOrderSteps({ payments, productName }: { payments: Payments; productName: string }) {
  return { listRecords, takeSeat, charge };

  function listRecords({ id, email }: Member): Promise<OrderRecord[]> {
    return payments.listFor({ memberId: id, email });
  }

  async function takeSeat(wish: OrderWish, { draftId, code, postcode }: CodeWish & { draftId: number }) {
    const { member, site } = wish;
    const { email, firstName, lastName } = member;
    // Money for a plan may be on its way for the same draft.
    if ((await payments.giveUp(draftId)) !== "given-up") return standingOf(member, draftId);
    const order = { draftId, accountType: "corporate" as const, planType: CORPORATE_PLAN, code: code.trim(), site };
    const done = await payments.completeFree({ ...order, email, firstName, lastName, postcode });
    if (done.ok || done.reason === "already-completed") return standingOf(member, draftId);
    if (done.reason === "code-refused") return { ok: false, reason: done.reason, message: done.message } as const;
    return { ok: false, reason: "member-gone" } as const;
  }

  async function charge({ member, what, site, toReturnUrls }: OrderWish, draftId: number): Promise<OrderResult> {
    if (what.kind !== "plan") throw new Error("A code is not charged for");
    const { email, firstName, lastName } = member;
    const { planType, methodId } = what;
    const result = await payments.pay({
      order: {
        draftId,
        accountType: "individual",
        planType,
        email,
        firstName,
        lastName,
        postcode: what.postcode.trim(),
        code: undefined,
        site,
      },
      methodId,
      ...toReturnUrls(draftId),
      productName,
    });
    if (result.state === "declined") return { ok: false, reason: "declined", decline: result.decline };
    return standingOf(member, draftId, result);
  }

  /** How the newest order of a draft stands, as paying for it has just been answered. */
  async function standingOf(member: Member, draftId: number, result?: CheckoutResult): Promise<OrderResult> {
    const record = (await listRecords(member)).findLast(({ order }) => order.draftId === draftId);
    if (!record) return { ok: false, reason: "member-gone" };
    return result?.state === "continue"
      ? { ok: true, orderId: record.order.id, state: "continue", url: result.url }
      : toResult(record);
  }
}

/** One that may still be paid, or tried again. */
export function isOpen({ order }: OrderRecord): boolean {
  return order.state === "awaiting-payment" || order.state === "cancelled";
}

export function toResult(record: OrderRecord): OrderResult {
  const isSentBack = ["refund-pending", "refunded", "refund-failed"].includes(record.order.state);
  return isSentBack ? { ok: false, reason: "refunded" } : { ok: true, ...toStanding(record) };
}

export function toStanding({ order, payments }: OrderRecord): Standing {
  if (order.state === "completed") return { orderId: order.id, state: "completed", url: undefined };
  const url = payments.findLast(({ state }) => state === "authenticating")?.actionUrl;
  return { orderId: order.id, state: url === undefined ? "checking" : "continue", url };
}
