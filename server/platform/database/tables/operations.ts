import type { Generated } from "kysely";

/** The tables of emails, operators and jobs, and those of the demo. */
export type OperationTables = {
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

  /** The notes that operators leave one another, about a member or about a company. */
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
