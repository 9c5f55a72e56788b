import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

import { readBounded } from "../../platform/bounded-answer.ts";
import { after, type Clock, SECOND_IN_MS } from "../../platform/clock.ts";

export type Creation = {
  path: string;
  /** GoCardless's name for the resource, around request and answer. */
  envelope: string;
  wanted: object;
  /** A function makes a new key for every try: a duplicate is harmless, and the object cannot be looked up. */
  key: string | (() => string);
};

/** Tests pass both, so as not to wait by the real clock. */
export type Patience = {
  timeOut: (ms: number) => AbortSignal;
  wait: (ms: number) => Promise<unknown>;
};

const usualPatience: Patience = { timeOut: (ms) => AbortSignal.timeout(ms), wait };

const TRY_LIMIT_IN_MS = 10 * SECOND_IN_MS;
/**
 * For all tries of a call: a page waits, so it must end before a browser or a proxy gives up. GoCardless's own client
 * has no limit.
 */
const CALL_LIMIT_IN_MS = 25 * SECOND_IN_MS;
/** Before the second try and the third. */
const PAUSES_IN_MS = [SECOND_IN_MS / 4, SECOND_IN_MS];

/** The only version: https://developer.gocardless.com/api-reference, "Versioning". */
const API_VERSION = "2015-07-06";

export type GoCardlessContext = {
  accessToken: string;
  apiBase: string;
  clock: Clock;
  patience?: Patience | undefined;
};

/** As JSON; `undefined` when GoCardless has none. Throws when it cannot be reached. */
export async function find(ctx: GoCardlessContext, path: string, query: Record<string, string> = {}): Promise<unknown> {
  const url = toUrl(ctx, path);
  url.search = new URLSearchParams(query).toString();
  const answer = await ask(ctx, { method: "GET", url });
  if (answer.status === 200) return answer.body;
  const refusal = readRefusal(answer);
  // Any other 404 is of a wrong address or a proxy.
  if (answer.status === 404 && refusal.reasons.includes("resource_not_found")) return undefined;
  throw new GoCardlessError(`GET ${path}`, refusal);
}

/**
 * Creates once per key: a repeat returns the first object, and reports that. Throws when it was refused, or the outcome
 * is unknown; the same call under the same key then continues.
 */
export async function create(
  ctx: GoCardlessContext,
  { path, envelope, wanted, key }: Creation,
): Promise<{ body: unknown; isRepeat: boolean }> {
  const body = JSON.stringify({ [envelope]: wanted });
  const answer = await ask(ctx, { method: "POST", url: toUrl(ctx, path), body, key });
  if (answer.status === 200 || answer.status === 201) return { body: answer.body, isRepeat: false };
  const refusal = readRefusal(answer);
  const { conflictId } = refusal;
  const isRepeat = answer.status === 409 && conflictId !== undefined;
  const before = isRepeat ? await find(ctx, `${path}/${encodeURIComponent(conflictId)}`) : undefined;
  if (before === undefined) throw new GoCardlessError(`POST ${path}`, refusal);
  return { body: before, isRepeat: true };
}

function toUrl({ apiBase }: GoCardlessContext, path: string): URL {
  return new URL(apiBase.replace(/\/+$/, "") + path);
}

type Call = { method: "GET" | "POST"; url: URL; body?: string; key?: Creation["key"] };

async function ask(ctx: GoCardlessContext, call: Call): Promise<RawAnswer> {
  const { clock, patience = usualPatience } = ctx;
  const endsAt = after(clock(), CALL_LIMIT_IN_MS);
  for (let tries = 1; ; tries += 1) {
    const leftInMs = Math.max(1, endsAt.getTime() - clock().getTime());
    const signal = patience.timeOut(Math.min(TRY_LIMIT_IN_MS, leftInMs));
    const outcome = await attempt(call, { ...ctx, signal });
    const isSettled = "status" in outcome && outcome.status !== 429 && outcome.status < 500;
    if (isSettled) return outcome;
    const pauseInMs = findPauseInMs(outcome, { pauseInMs: PAUSES_IN_MS[tries - 1], clock });
    const isOver = pauseInMs === undefined || after(clock(), pauseInMs) >= endsAt;
    if (!isOver) await patience.wait(pauseInMs);
    else if ("status" in outcome) return outcome;
    else throw new Error(`GoCardless cannot be reached: ${outcome.fault.message}`, { cause: outcome.fault });
  }
}

/** After a fault the outcome is unknown. */
async function attempt(
  { method, url, body, key }: Call,
  { accessToken, signal }: GoCardlessContext & { signal: AbortSignal },
): Promise<RawAnswer | { fault: Error }> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${accessToken}`,
        "GoCardless-Version": API_VERSION,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "Idempotency-Key": typeof key === "string" ? key : key() }),
      },
      // Our token goes to GoCardless alone.
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    });
    return await readAnswer(response);
  } catch (error) {
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** `undefined` after the last try. Waits as long as GoCardless requires. */
function findPauseInMs(
  outcome: RawAnswer | { fault: Error },
  { pauseInMs, clock }: { pauseInMs: number | undefined; clock: Clock },
): number | undefined {
  if (pauseInMs === undefined || !("status" in outcome)) return pauseInMs;
  return Math.max(pauseInMs, readWaitInMs(outcome.headers, clock()));
}

/** `body` is parsed JSON; `undefined` where a failure has another body (a proxy's page under a 502). */
type RawAnswer = { status: number; headers: Headers; body: unknown };

/** A full page of events is a third of it. */
const MAX_BYTES = 1024 * 1024;

/** Throws when it is too long, is cut off, or should be JSON and is not. */
async function readAnswer(response: Response): Promise<RawAnswer> {
  const { status, headers } = response;
  const tooLong = () => new Error(`its answer is longer than ${MAX_BYTES} bytes`);
  const text = new TextDecoder().decode(await readBounded(response, { maxBytes: MAX_BYTES, tooLong }));
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    if (response.ok) throw new Error("its answer is no JSON");
    return { status, headers, body: undefined };
  }
}

/** From `RateLimit-Reset` (the end of the minute) or the proxies' header; 0 without either. */
function readWaitInMs(headers: Headers, now: Date): number {
  const header = headers.get("Retry-After") ?? headers.get("RateLimit-Reset");
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_IN_MS;
  const until = Date.parse(header);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}

type Refusal = {
  status: number;
  /** `invalid_state`, `validation_failed` and so on; `unknown` when the answer is not GoCardless's own. */
  type: string;
  /** Machine-readable: `mandate_is_inactive`. */
  reasons: string[];
  /** Which fields were wrong, and how; never their values. */
  faults: string[];
  /** The object created earlier under the same key. */
  conflictId: string | undefined;
  /** For a support request to GoCardless. */
  requestId: string | undefined;
};

export class GoCardlessError extends Error {
  readonly refusal: Refusal;

  constructor(call: string, refusal: Refusal) {
    const { status, type, reasons, faults, requestId } = refusal;
    const details = [type, ...reasons, ...faults, requestId && `request ${requestId}`].filter(Boolean).join(", ");
    super(`GoCardless answered ${status} to ${call} (${details})`);
    this.name = "GoCardlessError";
    this.refusal = refusal;
  }
}

const CONFLICT = "idempotent_creation_conflict";

const errorBody = z.object({
  error: z.object({
    type: z.string(),
    request_id: z.string().optional().catch(undefined),
    errors: z
      .array(
        z.object({
          reason: z.string().optional(),
          field: z.string().optional(),
          message: z.string().optional(),
          links: z.object({ conflicting_resource_id: z.string().optional() }).optional().catch(undefined),
        }),
      )
      .catch([]),
  }),
});

/** https://developer.gocardless.com/api-reference, "Errors". */
function readRefusal({ status, body }: RawAnswer): Refusal {
  const error = errorBody.safeParse(body).data?.error;
  const errors = error?.errors ?? [];
  return {
    status,
    type: error?.type ?? "unknown",
    reasons: errors.flatMap(({ reason }) => reason ?? []),
    faults: errors.flatMap(({ field, message = "" }) => (field ? `${field} ${message}`.trim().slice(0, 200) : [])),
    conflictId: errors.find(({ reason }) => reason === CONFLICT)?.links?.conflicting_resource_id,
    requestId: error?.request_id,
  };
}
