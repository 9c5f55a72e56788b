import type { Generated } from "kysely";

type PasskeyRow = {
  /** Base64url, as the browser gives it. */
  id: string;
  /** Either of them is its owner. */
  operatorId: number | null;
  memberId: number | null;
  /** COSE, as base64url. */
  publicKey: string;
  /** The number of uses that the authenticator counts; always 0 for most that are copied between devices. */
  counter: number;
  /** Its maker may copy it to other devices, and has done so; `null` until one from before is used. */
  isSynced: 0 | 1 | null;
  isBackedUp: 0 | 1 | null;
  name: string;
  createdAt: Date;
  usedAt: Date | null;
};

export type OperationTables = {
  emails: {
    id: Generated<number>;
    /** Names the cause (`receipt order-12`): the same cause writes one email. */
    key: string;
    kind: string;
    recipient: string;
    memberId: number | null;
    /** The email as JSON, sealed if secret. A secret one is deleted once it was sent. */
    body: string | null;
    isSecret: 0 | 1;
    createdAt: Date;
    /** When to try next; a worker moves it to hold the email. `null`: nothing is left to do. */
    dueAt: Date | null;
    attempts: number;
    sentAt: Date | null;
    failedAt: Date | null;
    lastError: string | null;
    /** 1: a mail server refused it for good. 0: a day of tries was over. */
    isRefused: Generated<0 | 1>;
    acknowledgedAt: Date | null;
  };

  audit: {
    id: Generated<number>;
    at: Date;
    operator: string;
    action: string;
    memberId: number | null;
    /** JSON, without personal data. */
    facts: string;
    /** In the operator's own words; deleted when the member is erased. */
    reason: string | null;
  };

  notes: {
    id: Generated<number>;
    memberId: number | null;
    companyId: number | null;
    text: string;
    /** As in the audit log. */
    operator: string;
    notedAt: Date;
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
    /** The time step of the last used code, so that no code works twice. */
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

  /** Those of the version before `0016-passkeys`, which copied them to `passkeys`. */
  operatorPasskeys: Omit<PasskeyRow, "memberId" | "isSynced" | "isBackedUp" | "operatorId"> & { operatorId: number };

  passkeys: PasskeyRow;

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

  jobRuns: {
    name: string;
    startedAt: Date;
    tookInMs: number;
    result: "done" | "failed";
    failedAt: Date | null;
    /** Without personal data. */
    error: string | null;
  };

  /** The counts of a day that has ended, counted once. */
  dailyCounts: {
    /** In London: `2026-11-20`. */
    day: string;
    /** `figures/measures.ts` lists them. */
    measure: string;
    /** A number of things, or pence. */
    value: number;
  };

  /** Searches that found nothing, each counted once for a member and a month. */
  emptySearches: {
    /** In London: `2026-11`. */
    month: string;
    term: string;
    /** Keyed hash of member, month and term, which leads neither to the member nor to their other searches. */
    searcher: string;
  };
};
