import type { Audit } from "../audit/audit.ts";
import { after, HOUR_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Membership } from "../membership/membership.ts";
import type { NoticeGateway } from "../notices/notices.ts";
import { createAttempts } from "./attempts.ts";
import type { CardFields, CardGateway } from "./card-gateway.ts";
import { createCharge } from "./charging.ts";
import { createCheckout, type Checkout } from "./checkout.ts";
import { createDisputes } from "./disputes.ts";
import { completeFreeOrder, type FreeOrderResult } from "./free-orders.ts";
import { createGivingUp, type GivingUp } from "./giving-up.ts";
import type { NewOrder } from "./order-rows.ts";
import { createOrders } from "./orders.ts";
import { createPaymentNotices } from "./payment-notices.ts";
import { findPaymentView, type PaymentView } from "./payment-view.ts";
import { createReconcile } from "./reconciling.ts";
import { createReceipts, type Receipts } from "./receipts.ts";
import { createPaymentRecords, type PaymentRecords } from "./records.ts";
import type { ReachPoint } from "./saga-points.ts";
import { createSettlement, type Fulfil, type PaymentLetters } from "./settlement.ts";

/** Money: what is bought, how it is paid, what becomes of what was cut off in between. */
export type Payments = Checkout &
  Pick<GivingUp, "giveUp"> &
  Receipts &
  PaymentRecords & {
    cardFields: CardFields;
    /** Completes an order that a company pays for; all of it or nothing. */
    completeFree(order: NewOrder): Promise<FreeOrderResult>;
    /** Looks at the gateway for a payment of the draft that is under way, and finishes what follows. */
    settle(draftId: number): Promise<void>;
    findView(draftId: number): Promise<PaymentView>;
    /** The postal code of the draft's last order. */
    findPostcode(draftId: number): Promise<string | undefined>;
    /** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
    reconcile(): Promise<void>;
    /** Whether money of a draft is on its way, in either direction. */
    isAnyUnsettled(draftId: number): Promise<boolean>;
    /** The code that a member's last corporate order used. */
    findLastCode(memberId: number): Promise<string | undefined>;
    /** Charges that could not be sent back, or are not after an hour: somebody must look at the gateway. */
    listStuck(): Promise<{ orderId: number; amountInPence: number }[]>;
    noticeGateway: NoticeGateway;
  };

const AT_ONCE = 100;
/** Asked for every minute, a refund that is not done after so long will not be done by itself. */
const SLOW_REFUND_IN_MS = HOUR_IN_MS;

export type PaymentsSetting = {
  db: Queries;
  clock: Clock;
  gateway: CardGateway;
  fulfil: Fulfil;
  letters: PaymentLetters;
  audit: Audit;
  membership: Pick<Membership, "revokeOrder">;
  log: Log;
  reach: ReachPoint;
};

export function createPayments(setting: PaymentsSetting): Payments {
  const { db, clock, gateway } = setting;
  const orders = createOrders(setting);
  const attempts = createAttempts(setting);
  const settlement = createSettlement({ ...setting, orders, attempts });
  const givingUp = createGivingUp({ db, gateway, orders, attempts, settlement });
  const charge = createCharge({ ...setting, orders, attempts, settlement });
  const disputes = createDisputes({ ...setting, orders, attempts });
  const checkout = createCheckout({ ...setting, orders, attempts, settlement, givingUp, charge });

  return {
    ...checkout,
    ...createReceipts({ orders }),
    ...createPaymentRecords({ ...setting, attempts }),
    get cardFields() {
      return gateway.fields;
    },

    giveUp: (draftId) => givingUp.giveUp(draftId),
    completeFree: (order) => completeFreeOrder(order, { ...setting, orders }),

    async settle(draftId) {
      for (const order of await orders.listOfDraft(draftId)) {
        if (order.state === "paid") await settlement.complete(order.id);
        if (order.state !== "awaiting-payment") continue;
        const live = await attempts.findLive(order.id);
        // A gateway that cannot be asked leaves things as they are; the page says "checking".
        if (live) await settlement.look(live.id).catch(() => undefined);
      }
    },

    findView: (draftId) => findPaymentView(draftId, { orders, attempts }),
    findPostcode: async (draftId) => (await orders.listOfDraft(draftId)).at(-1)?.postcode,
    reconcile: createReconcile({ ...setting, orders, attempts, settlement, givingUp }),

    isAnyUnsettled: (draftId) => orders.isAnyUnsettled(draftId),
    findLastCode: async (memberId) => (await orders.listOfMember(memberId)).findLast(({ code }) => code)?.code,

    async listStuck() {
      const stuck = await attempts.listStuck({ notSince: after(clock(), -SLOW_REFUND_IN_MS), limit: AT_ONCE });
      return stuck.map(({ orderId, amountInPence }) => ({ orderId, amountInPence }));
    },

    noticeGateway: createPaymentNotices({ gateway, attempts, settlement, disputes }),
  };
}
