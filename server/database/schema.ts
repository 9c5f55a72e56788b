import type { ItemKind } from "../content/kinds.ts";
import type { Generated } from "kysely";

import type { FigureTables } from "./figure-tables.ts";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are ISO 8601 text in UTC (`2026-11-20T03:00:00.000Z`):
 * it sorts as it reads, on both engines and in any tool an operator opens. In code each is a `Date` (`rows.ts`).
 */
export type Schema = FigureTables & {
  members: {
    id: Generated<number>;
    /** As typed, for emails; `emailKey` is what is compared. */
    email: string;
    emailKey: string;
    /** A PHC string, `$argon2id$…`. */
    passwordHash: string;
    firstName: string;
    lastName: string;
    accountType: AccountType;
    createdAt: Date;
    /** An address that was asked for and is not proved yet. */
    pendingEmail: string | null;
    /** Of a change that an operator asked for: until when the old address may object, and when the new one was proved. */
    pendingUntil: Date | null;
    pendingProvedAt: Date | null;
    /** The address of an account that its owner has closed; `email` and `emailKey` are free for another account from then on. */
    closedEmail: string | null;
    /** When a closed account is erased. */
    eraseAt: Date | null;
  };

  /** No table of its own: an index of what members are found by. `words like` with three letters or more is quick. */
  memberSearch: { rowid: number; words: string };

  subscriptions: {
    id: Generated<number>;
    memberId: number;
    planType: number;
    startsAt: Date;
    endsAt: Date;
    /** The order that paid for it; none for what an operator gave. */
    orderId: number | null;
    /** When an operator ended it before its time. */
    revokedAt: Date | null;
    /** When the email seven days before its end, and the one at its end, were written. */
    remindedAt: Date | null;
    endEmailedAt: Date | null;
  };

  sessions: {
    /** HMAC of the opaque id in the cookie. */
    tokenHash: string;
    memberId: number;
    createdAt: Date;
    seenAt: Date;
    expiresAt: Date;
    /** The browser's own name, in a few words: "Firefox on Android". */
    device: string | null;
  };

  /** A provider's token for a member, sealed; deleted with its session. */
  providerTokens: {
    sessionHash: string;
    memberId: number;
    sealedToken: string;
    storedAt: Date;
  };

  avatars: {
    memberId: number;
    /** Of the bytes, which are WebP: the picture's address. */
    hash: string;
    bytes: Uint8Array;
    savedAt: Date;
  };

  favourites: {
    memberId: number;
    kind: ItemKind;
    itemId: number;
    savedAt: Date;
  };

  positions: {
    memberId: number;
    kind: ItemKind;
    itemId: number;
    state: PositionState;
    /** Whole seconds from the start, and how long the item is; both 0 for what was only opened. */
    seconds: number;
    duration: number;
    /** When the member was there, by our clock. */
    observedAt: Date;
    /** When they first came to the end. */
    finishedAt: Date | null;
  };

  /** The nights of a topic of the landing that a member has opened or skipped. */
  nights: {
    memberId: number;
    /** As `topicSlug` writes it. */
    topic: string;
    kind: ItemKind;
    itemId: number;
    state: NightState;
  };

  positionSettings: {
    memberId: number;
    /** 0 once the member has switched it off. */
    isOn: 0 | 1;
  };

  rateLimits: {
    /** HMAC of what is counted (an address, an account): no personal data at rest. */
    key: string;
    attempts: number;
    expiresAt: Date;
  };

  emails: {
    id: Generated<number>;
    /** Names the cause (`receipt order-12`): the same cause writes one email. */
    key: string;
    kind: string;
    recipient: string;
    memberId: number | null;
    /** The written email as JSON, sealed if secret; gone once a secret one was sent. */
    body: string | null;
    isSecret: 0 | 1;
    createdAt: Date;
    /** When to try next; also how a worker holds it while it tries. `null`: nothing more to do. */
    dueAt: Date | null;
    attempts: number;
    sentAt: Date | null;
    failedAt: Date | null;
    lastError: string | null;
    /** It failed because a mail server refused it for good, not because a day of tries was over. */
    isRefused: Generated<0 | 1>;
    /** When an operator acknowledged the failure. */
    acknowledgedAt: Date | null;
  };

  challenges: {
    purpose: string;
    /** The owner, in the words of the module that asked: a draft's or a member's number. */
    subject: string;
    codeHash: string;
    tokenHash: string;
    /** Wrong codes so far. */
    tries: number;
    createdAt: Date;
    codeExpiresAt: Date;
    /** The end of the link, and of the row. */
    expiresAt: Date;
  };

  companies: {
    id: Generated<number>;
    name: string;
    nameKey: string;
    contactEmail: string;
    /** How many accounts it pays for: the seats of its code. */
    accounts: number;
    /** For a year and all accounts. */
    priceInPence: number;
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
    /** Product ids that it unlocks, with commas between. */
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
    /** When the seat is free for another member; `null`: when its member's last term ends. */
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
    /** The password's hash, or the password itself, sealed, where a provider has the accounts. Gone with the draft's end; a renewal has none. */
    passwordHash: string | null;
    code: string | null;
    planType: number | null;
    verifiedAt: Date | null;
    /** Where the visitor met the site, for links in emails. */
    site: string;
    sessionClaimedAt: Date | null;
    createdAt: Date;
    expiresAt: Date;
  };

  /** The accounts that a provider was asked to open for drafts; the provider's part of a draft, gone with it. */
  providerSignUps: {
    draftId: number;
    /** Keyed hash of the address: a draft may have another by now. */
    emailHash: string;
    /** The provider's number; none while its answer is missing. */
    memberId: number | null;
    /** The provider's token for the member, sealed; gone once a session has it. */
    sealedToken: string | null;
    requestedAt: Date;
  };

  orders: {
    id: Generated<number>;
    draftId: number | null;
    memberId: number | null;
    accountType: AccountType;
    planType: number;
    amountInPence: number;
    currency: string;
    /** See `payments/states.ts`. */
    state: string;
    email: string;
    firstName: string;
    lastName: string;
    postcode: string;
    country: string;
    code: string | null;
    /** Where the payer met the site, for links in emails. */
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

  payments: {
    id: Generated<number>;
    orderId: number;
    /** 1 for the first, 2 for the one after a decline. */
    attempt: number;
    page: "fields" | "hosted";
    methodId: string | null;
    gatewayId: string | null;
    /** See `payments/states.ts`. */
    state: string;
    amountInPence: number;
    /** Where the payer goes on: authentication or the hosted page. */
    actionUrl: string | null;
    decline: string | null;
    refundId: string | null;
    createdAt: Date;
    updatedAt: Date;
  };

  /** Payments that were prepared at a provider, each written down before it is asked to take one. */
  providerPayments: {
    /** Ours, of one attempt: `CardGateway` says what of. */
    key: string;
    orderId: number;
    attempt: number;
    memberId: number;
    /** The provider's id of it. */
    paymentId: string;
    amountInPence: number;
    /** The provider's order, once it has said which. */
    providerOrderId: number | null;
    preparedAt: Date;
  };

  disputes: {
    /** The gateway's id: one row a dispute, however often its events come. */
    gatewayId: string;
    orderId: number;
    paymentId: number;
    /** See `payments/states.ts`. */
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

  /** Until when a gateway's list of events was walked, by our clock. */
  webhookCursors: { gateway: string; walkedUntil: Date };

  audit: {
    id: Generated<number>;
    at: Date;
    operator: string;
    action: string;
    memberId: number | null;
    /** JSON, without personal data. */
    facts: string;
    /** Why, in the operator's own words; deleted when the member is erased. */
    reason: string | null;
  };

  operators: {
    id: Generated<number>;
    email: string;
    emailKey: string;
    name: string;
    role: "support" | "owner";
    /** None until the invitation is accepted. */
    passwordHash: string | null;
    /** The secret of their app for one-time codes (RFC 6238), sealed. */
    totpSecret: string;
    /** The time step of the last code that was used, so that no code works twice. */
    totpStep: number | null;
    createdAt: Date;
  };

  operatorSessions: {
    /** HMAC of the token in the cookie. */
    tokenHash: string;
    operatorId: number;
    createdAt: Date;
    seenAt: Date;
    expiresAt: Date;
    device: string | null;
  };

  operatorRecoveryCodes: {
    codeHash: string;
    operatorId: number;
  };

  operatorPasskeys: {
    /** The credential's id, as the browser gives it (base64url). */
    id: string;
    operatorId: number;
    /** COSE, as base64url. */
    publicKey: string;
    /** How often it was used, as the authenticator counts. */
    counter: number;
    /** The operator's name for it. */
    name: string;
    createdAt: Date;
    usedAt: Date | null;
  };

  /** The people who may see a company's own page; invited by the desk. */
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

  /** The figures about a company's people: counted once after each month, rounded down to a multiple of five, never recounted. */
  companyMonths: {
    companyId: number;
    /** In London: `2026-11`. */
    month: string;
    /** The people who joined in the month and still had their seat at its end. */
    joined: number;
    seatsTaken: number;
  };

  jobLeases: { name: string; holder: string; expiresAt: Date };

  demoObjects: {
    id: string;
    kind: string;
    idempotencyKey: string | null;
    parent: string | null;
    body: string;
    createdAt: Date;
  };

  demoWebhookEvents: {
    id: string;
    gateway: string;
    body: string;
    createdAt: Date;
    deliveredAt: Date | null;
  };
};

/** `opened`: an article, or a film in another host's frame, of which no more is known. */
export type PositionState = "opened" | "started" | "finished";

export type NightState = "opened" | "skipped";

export type AccountType = "individual" | "corporate";
