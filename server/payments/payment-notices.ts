import type { NoticeGateway } from "../notices/notices.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway } from "./card-gateway.ts";
import type { Settlement } from "./settlement.ts";

type NoticeRooms = { gateway: CardGateway; attempts: Attempts; settlement: Settlement };

/** What the card gateway tells by itself: which payment or refund to look at. */
export function createPaymentNotices({ gateway, attempts, settlement }: NoticeRooms): NoticeGateway {
  return {
    name: gateway.name,
    read: (body, headers) => gateway.readNotices(body, headers),
    async handle({ kind, subject }) {
      if (kind === "payment") await handlePayment(subject);
      if (kind === "refund") {
        const refund = await gateway.findRefund(subject);
        if (refund) await settlement.noteRefund(refund);
      }
    },
  };

  /** By its id if we noted it, else by what it says of itself; a payment of somebody else's is none of ours. */
  async function handlePayment(paymentId: string): Promise<void> {
    const payment = await gateway.findPayment(paymentId);
    if (!payment) return;
    const attempt =
      (await attempts.findByGatewayId(paymentId)) ??
      (payment.orderId !== undefined && payment.attempt !== undefined
        ? await attempts.findByNumber(payment.orderId, payment.attempt)
        : undefined);
    if (attempt) await settlement.note(attempt.id, payment);
  }
}
