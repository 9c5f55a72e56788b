import { randomBytes } from "node:crypto";

import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

/** How long sessions last, in milliseconds. */
export type SessionLimits = {
  /** Without a use. */
  idleInMs: number;
  /** From log-in, however much it is used. */
  limitInMs: number;
  /** A session in use is written at most this often. */
  extendEveryInMs: number;
};

/**
 * For operators and contacts of companies, whose pages show more than their own affairs: an unused session ends soon (ASVS 7.3.1), and
 * every session after a working day (ASVS 7.3.2).
 */
export const workLimits: SessionLimits = {
  idleInMs: 30 * MINUTE_IN_MS,
  limitInMs: 12 * HOUR_IN_MS,
  extendEveryInMs: MINUTE_IN_MS,
};

const TOKEN_BYTES = 32;

/** An opaque token for a cookie. The database keeps its hash. */
export function makeSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

type Times = { createdAt: Date; seenAt: Date; expiresAt: Date };

/** The columns of a session that starts now. */
export function startTimes({ idleInMs }: SessionLimits, now: Date): Times {
  return {
    createdAt: now,
    seenAt: now,
    expiresAt: after(now, idleInMs),
  };
}

/** The columns that a use of a session changes; `undefined` soon after the use that was written last. */
export function extendTimes(
  { idleInMs, limitInMs, extendEveryInMs }: SessionLimits,
  { createdAt, seenAt }: Pick<Times, "createdAt" | "seenAt">,
  now: Date,
): Omit<Times, "createdAt"> | undefined {
  if (now < after(seenAt, extendEveryInMs)) return undefined;
  const end = Math.min(after(now, idleInMs).getTime(), after(createdAt, limitInMs).getTime());
  return { seenAt: now, expiresAt: new Date(end) };
}
