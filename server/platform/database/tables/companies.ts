import type { Generated } from "kysely";

export type CompanyTables = {
  companies: {
    id: Generated<number>;
    name: string;
    nameKey: string;
    contactEmail: string;
    /** The number of accounts that it pays for: the seats of its code. */
    accounts: number;
    /** A year, for all accounts. */
    priceInPence: number;
    /** From the next collection on, where the contract changes with it. */
    nextAccounts: number | null;
    nextPriceInPence: number | null;
    state: "setting-up" | "live" | "grace" | "stopped";
    graceEndsAt: Date | null;
    billingRequestId: string | null;
    mandateId: string | null;
    liveSince: Date | null;
    createdAt: Date;
  };

  codes: {
    id: Generated<number>;
    /** As it was given out; `codeKey` is what is compared. */
    code: string;
    codeKey: string;
    companyId: number | null;
    /** The plan that a gift's code gives; `null` for the codes by which a company's people join. */
    planType: number | null;
    /** The ids of the products that it unlocks, separated by commas. */
    products: string;
    seats: number;
    seatsTaken: number;
    startsAt: Date;
    endsAt: Date | null;
    revokedAt: Date | null;
    createdAt: Date;
  };

  seats: {
    memberId: number;
    codeId: number;
    takenAt: Date;
    /** When the seat is free for another member; `null`: at the end of its member's last term. */
    endsAt: Date | null;
  };

  collections: {
    companyId: number;
    /** 0 for the first year, 1 for the second. */
    period: number;
    amountInPence: number;
    gatewayId: string | null;
    state: string;
    dueAt: Date;
    createdAt: Date;
    updatedAt: Date;
  };

  /** The people who may see a company's own page, invited at the desk. */
  companyContacts: {
    id: Generated<number>;
    companyId: number;
    /** As the operator typed it, for emails; `emailKey` is what is compared. */
    email: string;
    emailKey: string;
    invitedAt: Date;
  };

  contactSessions: {
    /** HMAC of the token in the cookie. */
    tokenHash: string;
    contactId: number;
    createdAt: Date;
    seenAt: Date;
    expiresAt: Date;
  };

  /** Counted once after each month, rounded down to a multiple of five, never recounted. */
  companyMonths: {
    companyId: number;
    /** In London: `2026-11`. */
    month: string;
    /** The people who joined in the month and still had their seat at its end. */
    joined: number;
    seatsTaken: number;
  };
};
