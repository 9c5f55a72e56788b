import type { Generated } from "kysely";

import type { AccountType } from "./members.ts";

export type PaymentTables = {
  drafts: {
    id: Generated<number>;
    /** HMAC of the token in the visitor's cookie. */
    tokenHash: string;
    purpose: "join" | "renew";
    state: "open" | "completed" | "refunded";
    /** The member who renews, or the one that the draft became. */
    memberId: number | null;
    accountType: AccountType;
    email: string;
    firstName: string;
    lastName: string;
    /** A hash, or the sealed password where a provider has the accounts; `null` for renewals and ended drafts. */
    passwordHash: string | null;
    code: string | null;
    planType: number | null;
    verifiedAt: Date | null;
    /** The site that the visitor used, for links in emails. */
    site: string;
    sessionClaimedAt: Date | null;
    createdAt: Date;
    expiresAt: Date;
  };

  /** The accounts that a provider opens for drafts; each row is deleted with its draft. */
  providerSignUps: {
    draftId: number;
    /** Keyed hash of the address, because the draft may have another address by now. */
    emailHash: string;
    /** The provider's number; `null` until it answers. */
    memberId: number | null;
    /** The provider's token for the member, sealed; deleted once a session has it. */
    sealedToken: string | null;
    requestedAt: Date;
  };

  orders: {
    id: Generated<number>;
    draftId: number | null;
    /** The gift that it pays for; its member is then the giver. */
    giftId: number | null;
    memberId: number | null;
    accountType: AccountType;
    planType: number;
    amountInPence: number;
    currency: string;
    state: string;
    email: string;
    firstName: string;
    lastName: string;
    postcode: string;
    country: string;
    code: string | null;
    /** When the payer asked to start at once and gave up the days in which an order may be cancelled. */
    waivedAt: Date | null;
    /** The site that the payer used, for links in emails. */
    site: string;
    customerId: string | null;
    receiptNumber: string | null;
    startsAt: Date | null;
    endsAt: Date | null;
    createdAt: Date;
    updatedAt: Date;
    paidAt: Date | null;
    completedAt: Date | null;
  };

  gifts: {
    id: Generated<number>;
    /** HMAC of the token in the giver's cookie, until it is paid for. */
    tokenHash: string;
    state: string;
    planType: number;
    giverMemberId: number | null;
    giverName: string;
    giverEmail: string;
    recipientName: string;
    /** `null` on a sheet to print, and once it was erased. */
    recipientEmail: string | null;
    isSheet: number;
    message: string;
    deliverAt: Date;
    /** Of an unpaid one: when it is deleted; then the last instant at which it can be taken up. */
    expiresAt: Date;
    /** The present one: another address gets another code. */
    code: string | null;
    site: string;
    /** How often it was emailed to its recipient. */
    sendings: number;
    sentAt: Date | null;
    remindedAt: Date | null;
    endRemindedAt: Date | null;
    takerId: number | null;
    closedAt: Date | null;
    question: string | null;
    createdAt: Date;
    updatedAt: Date;
  };

  payments: {
    id: Generated<number>;
    orderId: number;
    /** 1 for the first, 2 for the one after a decline. */
    attempt: number;
    page: "fields" | "hosted";
    methodId: string | null;
    gatewayId: string | null;
    state: string;
    amountInPence: number;
    /** Where the payer continues: authentication or the hosted page. */
    actionUrl: string | null;
    decline: string | null;
    refundId: string | null;
    /** Empty once it is known that there are none, or when the person was erased. */
    cardLast4: string | null;
    createdAt: Date;
    updatedAt: Date;
  };

  /** The parts of a charge that operators refund while its term stays. */
  partRefunds: {
    paymentId: number;
    /** 1 for the first of its charge. */
    number: number;
    amountInPence: number;
    state: "refunding" | "refunded" | "refund-failed";
    refundId: string | null;
    createdAt: Date;
    updatedAt: Date;
  };

  providerPayments: {
    /** Our key of one attempt (`CardGateway`). */
    key: string;
    orderId: number;
    attempt: number;
    memberId: number;
    paymentId: string;
    amountInPence: number;
    /** The provider's order; `null` until it answers. */
    providerOrderId: number | null;
    preparedAt: Date;
  };

  disputes: {
    /** The gateway's id: one row a dispute, however often its events arrive. */
    gatewayId: string;
    orderId: number;
    paymentId: number;
    state: string;
    createdAt: Date;
    updatedAt: Date;
  };

  webhookEvents: {
    gateway: string;
    eventId: string;
    kind: string;
    /** The gateway's id of what it is about. */
    subject: string;
    receivedAt: Date;
    handledAt: Date | null;
    attempts: number;
  };

  /** `walkedUntil`: until when a gateway's list of events was read, by our clock. */
  webhookCursors: { gateway: string; walkedUntil: Date };
};
