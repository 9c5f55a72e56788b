import type { GoCardlessState } from "./gocardless-state.ts";

/** What banks, payers and time do, at the press of a button. */
export type GoCardlessControls = ReturnType<typeof createGoCardlessControls>;

export function createGoCardlessControls(state: GoCardlessState) {
  const { turnMandate, turnPayment, replaceMandate } = state;
  return {
    activate: (mandateId: string) => turnMandate(mandateId, "active"),
    failMandate: (mandateId: string) => turnMandate(mandateId, "failed"),
    cancelMandate: (mandateId: string) => turnMandate(mandateId, "cancelled"),
    expireMandate: (mandateId: string) => turnMandate(mandateId, "expired"),
    blockMandate: (mandateId: string) => turnMandate(mandateId, "blocked"),
    suspendMandate: (mandateId: string) => turnMandate(mandateId, "suspended_by_payer"),
    resumeMandate: (mandateId: string) => turnMandate(mandateId, "active", "resumed_by_payer"),
    reinstateMandate: (mandateId: string) => turnMandate(mandateId, "active", "reinstated"),
    /** The payer has moved to another bank, and the mandate with it. */
    transferMandate: (mandateId: string) => turnMandate(mandateId, "active", "transferred"),
    replaceMandate,

    submit: (paymentId: string) => turnPayment(paymentId, "submitted"),
    confirm: (paymentId: string) => turnPayment(paymentId, "confirmed"),
    payOut: (paymentId: string) => turnPayment(paymentId, "paid_out"),
    cancelPayment: (paymentId: string) => turnPayment(paymentId, "cancelled"),
    /** An empty account, or one that is closed; also weeks after it was paid out. */
    failPayment: (paymentId: string, { willRetry = false } = {}) =>
      turnPayment(paymentId, "failed", {
        details: { will_attempt_retry: willRetry, cause: "insufficient_funds", reason_code: "ARUDD-0" },
      }),
    /** GoCardless, or somebody at its dashboard, tries once more. */
    retryPayment: (paymentId: string) =>
      turnPayment(paymentId, "pending_submission", { action: "resubmission_requested" }),
    chargeBack: (paymentId: string) =>
      turnPayment(paymentId, "charged_back", {
        details: { cause: "direct_debit_not_authorised", reason_code: "DDIC-1" },
      }),
    cancelChargeback: (paymentId: string) => turnPayment(paymentId, "paid_out", { action: "chargeback_cancelled" }),
    /** Something that GoCardless tells and that is not for us. */
    tellOfPayout: () => state.tell("payouts", "paid", { links: { payout: "PO000FAKE" } }),
  };
}
