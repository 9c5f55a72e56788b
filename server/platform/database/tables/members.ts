import type { Generated } from "kysely";

import type { ItemKind } from "../../../content/catalogue/kinds.ts";

/** The tables of members, of what they keep, and of what is counted against them. */
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

  /** The members who were brought from elsewhere (docs/moving.md). */
  broughtMembers: {
    memberId: number;
    broughtAt: Date;
    /** When the email about it was written. */
    mailedAt: Date | null;
  };

  /** Files of members that operators send at the desk. */
  memberFiles: {
    id: Generated<number>;
    name: string;
    /** As in the audit log. */
    operator: string;
    sentAt: Date;
    isRehearsal: 0 | 1;
    isMailed: 0 | 1;
    /** None once it is finished. */
    bytes: Uint8Array | null;
    /** How many there are; unknown for files from before this was counted. */
    lines: number | null;
    /** The last line of the file that was brought. */
    linesDone: number;
    /** Of a rehearsal under way: what its earlier lines would have taken, as JSON. */
    rehearsed: string | null;
    added: number;
    completed: number;
    same: number;
    refused: number;
    finishedAt: Date | null;
    /** Why it could not be read to its end, in a sentence. */
    fault: string | null;
  };

  /** Lines of those files, as files for spreadsheets: refused ones with their reasons, or all of a rehearsal. */
  memberFileReports: {
    fileId: number;
    /** The last line of this part. */
    line: number;
    text: string;
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

  /** The members who have asked for the email "New this month". */
  newsletters: {
    memberId: number;
    startedAt: Date;
    /** The month, such as `2026-11`, in which the last email was written, or in which they asked for it. */
    lastMonth: string;
    /** When the member's address refused an email, which ends them. */
    returnedAt: Date | null;
  };

  rateLimits: {
    /** HMAC of what is counted (an address, an account): no personal data at rest. */
    key: string;
    attempts: number;
    expiresAt: Date;
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
};

/** `opened`: an article, or a film in another host's frame, of which no more is known. */
export type PositionState = "opened" | "started" | "finished";

export type NightState = "opened" | "skipped";

export type AccountType = "individual" | "corporate";
