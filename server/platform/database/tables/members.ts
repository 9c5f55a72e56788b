import type { Generated } from "kysely";

import type { ItemKind } from "../../../content/items/kinds.ts";

export type MemberTables = {
  members: {
    id: Generated<number>;
    /** As typed, for emails; `emailKey` is what is compared. */
    email: string;
    emailKey: string;
    /** A PHC string, `$argon2id$…`; until the first log-in of a member who was imported, the hash that they brought. */
    passwordHash: string;
    firstName: string;
    lastName: string;
    accountType: AccountType;
    createdAt: Date;
    /** A requested address that is not proved yet. */
    pendingEmail: string | null;
    /** For an operator's change: until when the old address may object, and when the new one was proved. */
    pendingUntil: Date | null;
    pendingProvedAt: Date | null;
    /** The address of an account that its owner has closed; `email` and `emailKey` are free for another account from then on. */
    closedEmail: string | null;
    eraseAt: Date | null;
    /** Since then `passwordHash` matches no password. */
    passwordOffAt: Date | null;
    /** The hash that `passwordHash` is again once the password is on. */
    offPasswordHash: string | null;
    /** When a passkey was offered, or declined: it is not offered again. */
    passkeyOfferOverAt: Date | null;
  };

  /** The members who were imported (docs/moving.md). */
  broughtMembers: {
    memberId: number;
    broughtAt: Date;
    mailedAt: Date | null;
  };

  memberFiles: {
    id: Generated<number>;
    name: string;
    /** As in the audit log. */
    operator: string;
    sentAt: Date;
    isRehearsal: 0 | 1;
    isMailed: 0 | 1;
    /** `null` once the import has finished. */
    bytes: Uint8Array | null;
    /** Unknown for files from before lines were counted. */
    lines: number | null;
    linesDone: number;
    /** Of a rehearsal under way: the names and addresses that its earlier lines would have taken, as JSON. */
    rehearsed: string | null;
    added: number;
    completed: number;
    same: number;
    refused: number;
    finishedAt: Date | null;
    /** Why the file could not be read to its end: a sentence. */
    fault: string | null;
  };

  /** CSV rows of those files: refused lines with their reasons, or all lines of a rehearsal. */
  memberFileReports: {
    fileId: number;
    line: number;
    text: string;
  };

  /** An index by which members are found, no table of its own. `words like` with three letters or more is quick. */
  memberSearch: { rowid: number; words: string };

  subscriptions: {
    id: Generated<number>;
    memberId: number;
    planType: number;
    startsAt: Date;
    endsAt: Date;
    /** The order that paid for it; `null` for a gift of an operator. */
    orderId: number | null;
    revokedAt: Date | null;
    /** When the emails seven days before the end and at the end were written. */
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
    /** A short name of the browser: "Firefox on Android". */
    device: string | null;
    /** The passkey that it began with; it may be gone. */
    passkeyId: string | null;
    /** When the member last typed the password or used a passkey in it. */
    provedAt: Date | null;
  };

  /** A provider's token for a member, sealed. It is deleted with its session. */
  providerTokens: {
    sessionHash: string;
    memberId: number;
    sealedToken: string;
    storedAt: Date;
  };

  avatars: {
    memberId: number;
    /** Of the WebP bytes; it is the picture's address. */
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
    /** Whole seconds from the start, and the item's length; both 0 for an item that was only opened. */
    seconds: number;
    duration: number;
    /** By our clock. */
    observedAt: Date;
    /** The first time that the member came to the end. */
    finishedAt: Date | null;
  };

  /** The nights of a landing topic that a member has opened or skipped. */
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

  newsletters: {
    memberId: number;
    startedAt: Date;
    /** The month, such as `2026-11`, of the last email, or of the request. */
    lastMonth: string;
    /** When the address refused an email, which ends the newsletter. */
    returnedAt: Date | null;
  };

  rateLimits: {
    /** HMAC of what is counted (an address, an account), so that no personal data is stored. */
    key: string;
    attempts: number;
    expiresAt: Date;
  };

  challenges: {
    purpose: string;
    /** The owner, as the requesting module names it: a draft's or a member's number. */
    subject: string;
    codeHash: string;
    tokenHash: string;
    tries: number;
    createdAt: Date;
    codeExpiresAt: Date;
    expiresAt: Date;
  };
};

/** `opened`: an article, or a film in another site's frame, whose position is unknown. */
export type PositionState = "opened" | "started" | "finished";

export type NightState = "opened" | "skipped";

export type AccountType = "individual" | "corporate";
