import type { NoticeGateway } from "../notices/notices.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway } from "./card-gateway.ts";
import type { Disputes } from "./disputes.ts";
import type { Settlement } from "./settlement.ts";

type NoticeRooms = { gateway: CardGateway; attempts: Attempts; settlement: Settlement; disputes: Disputes };

/** What the card gateway tells by itself: which payment, refund or dispute to look at. */
export function createPaymentNotices({ gateway, attempts, settlement, disputes }: NoticeRooms): NoticeGateway {
  return {
    name: gateway.name,
    read: (body, headers) => gateway.readNotices(body, headers),
    listSince: (since) => gateway.listNoticesSince(since),
    async handle({ kind, subject }) {
      if (kind === "payment") await handlePayment(subject);
      if (kind === "refund") {
        const refund = await gateway.findRefund(subject);
        if (refund) await settlement.noteRefund(refund);
      }
      if (kind === "dispute") {
        const dispute = await gateway.findDispute(subject);
        // A bank may be as quick as our own note of the payment: what it paid for must be there before it can end.
        if (dispute) await handlePayment(dispute.paymentId);
        if (dispute) await disputes.note(dispute);
      }
    },
  };

  /**
   * By its id if we noted it, else by what it says of itself; a payment of somebody else's is none of ours. A gateway may tell of one
   * payment under several ids; what it is found by is the one that counts.
   */
  async function handlePayment(paymentId: string): Promise<void> {
    const payment = await gateway.findPayment(paymentId);
    if (!payment) return;
    const attempt =
      (await attempts.findByGatewayId(payment.id)) ??
      (payment.orderId !== undefined && payment.attempt !== undefined
        ? await attempts.findByNumber(payment.orderId, payment.attempt)
        : undefined);
    if (attempt) await settlement.note(attempt.id, payment);
  }
}
