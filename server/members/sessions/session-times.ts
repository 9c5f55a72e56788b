import { randomBytes } from "node:crypto";

import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

export type SessionLimits = {
  idleInMs: number;
  /** From log-in, used or not. */
  limitInMs: number;
  /** The shortest time between two writes of a used session. */
  extendEveryInMs: number;
};

/**
 * For operators and company contacts, who see other people's data: an unused session ends soon (ASVS 7.3.1), every
 * session after a working day (ASVS 7.3.2).
 */
export const workLimits: SessionLimits = {
  idleInMs: 30 * MINUTE_IN_MS,
  limitInMs: 12 * HOUR_IN_MS,
  extendEveryInMs: MINUTE_IN_MS,
};

const TOKEN_BYTES = 32;

/** Opaque, for a cookie. The database has its hash. */
export function makeSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

type Times = { createdAt: Date; seenAt: Date; expiresAt: Date };

export function startTimes({ idleInMs }: SessionLimits, now: Date): Times {
  return {
    createdAt: now,
    seenAt: now,
    expiresAt: after(now, idleInMs),
  };
}

/** `undefined` soon after the last written use. */
export function extendTimes(
  { idleInMs, limitInMs, extendEveryInMs }: SessionLimits,
  { createdAt, seenAt }: Pick<Times, "createdAt" | "seenAt">,
  now: Date,
): Omit<Times, "createdAt"> | undefined {
  if (now < after(seenAt, extendEveryInMs)) return undefined;
  const end = Math.min(after(now, idleInMs).getTime(), after(createdAt, limitInMs).getTime());
  return { seenAt: now, expiresAt: new Date(end) };
}
