import { setTimeout as wait } from "node:timers/promises";

import { readBounded } from "../../bounded-answer.ts";
import { after, type Clock, SECOND_IN_MS } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type CallName, calls } from "../wire.ts";
import { answers, type ProviderAnswer } from "./answers.ts";

/** The provider has answered, and it was no. `message`: in its words, for the person who asked. */
export type ProviderRefusal = {
  ok: false;
  status: number;
  message: string;
  /** The same for programs, where it says so: in lower case, with hyphens. */
  code?: string;
  /** Not to be asked again before. */
  waitInMs?: number;
};

/** The provider could not be asked, or its answer cannot be read. It names no secret and no person. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** It did not answer, or not now; otherwise it answered something strange. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable, cause }: { isUnreachable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isUnreachable = isUnreachable;
  }
}

/** Not now: nothing is said of what was asked. */
export function isAway({ status }: ProviderRefusal): boolean {
  return status === 429 || status >= 500;
}

/** For a refusal that no visitor could have caused. */
export function toError({ status, message }: ProviderRefusal): ProviderError {
  return new ProviderError(`The provider answered ${status}: ${message}`, { isUnreachable: status >= 500 });
}

/** For a part of a page, and no more. */
const MESSAGE_MAX_LENGTH = 300;

/**
 * Section 8 of the spec: the message of the server's data, else the error's own, else the error as a string. `undefined` where there
 * are no such words: then nobody has refused anything, but something is broken.
 */
function readMessage(body: unknown): string | undefined {
  const { data, message, error } = fieldsOf(body);
  const found = [fieldsOf(data).message, message, fieldsOf(error).message, error].map(toWords);
  return found.find((words) => words !== undefined);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** WordPress writes its messages in HTML. */
function toWords(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const words = value
    .slice(0, 10 * MESSAGE_MAX_LENGTH)
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  if (words === "") return undefined;
  return words.length <= MESSAGE_MAX_LENGTH ? words : `${words.slice(0, MESSAGE_MAX_LENGTH - 1).trimEnd()}…`;
}

/** `insufficient_funds` and `insufficient-funds` are one. */
function readCode(body: unknown): string | undefined {
  const { code, data } = fieldsOf(body);
  const found = [fieldsOf(data).code, code].find((each) => typeof each === "string" && /^[\w-]{1,64}$/.test(each));
  return (found as string | undefined)?.toLowerCase().replaceAll("_", "-");
}

/** One question over the wire, and the whole of its answer. */
export type Question = {
  /** How it is named in errors and logs: never with its query. */
  name: string;
  url: URL;
  method: "GET" | "POST" | "PATCH";
  headers: Record<string, string>;
  body?: string | undefined;
  /** Ends the question, and the reading of its answer. */
  signal: AbortSignal;
  maxBytes: number;
};

export type RawAnswer = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> };

/**
 * Follows no redirect: the next host would get our key and the member's token.
 * @throws {ProviderError} when no answer comes, or one that is too large or leads elsewhere.
 */
async function ask({ name, url, maxBytes, body, ...how }: Question): Promise<RawAnswer> {
  try {
    const response = await fetch(url, { ...how, ...(body !== undefined && { body }), redirect: "manual" });
    const { status, headers } = response;
    if (status >= 300 && status < 400 && status !== 304) {
      await response.body?.cancel();
      throw strange(`${name} sends us elsewhere (${status}), which is not followed: is API_URL right?`);
    }
    const tooLong = () => strange(`${name} answered more than ${maxBytes} bytes`);
    return { status, headers, bytes: await readBounded(response, { maxBytes, tooLong }) };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${name}: ${sayFault(error)}`, { isUnreachable: true });
  }
}

export function strange(message: string): ProviderError {
  return new ProviderError(message, { isUnreachable: false });
}

/** Network errors say little: "fetch failed", and why in a cause. Of others the name alone: they may quote a header. */
function sayFault(error: unknown): string {
  const { name = "", cause } = error instanceof Error ? error : {};
  if (name === "TimeoutError" || name === "AbortError") return "the provider did not answer in time";
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : name;
  return `the provider cannot be reached (${code})`;
}

/** @throws {ProviderError} for what is no such answer. */
export function readAnswer<Name extends CallName>(name: Name, { bytes }: RawAnswer): ProviderAnswer<Name> {
  const read = answers[name].safeParse(parseJson(bytes));
  if (read.success) return read.data as ProviderAnswer<Name>;
  // What did not fit may be personal: where it stood says enough.
  const places = read.error.issues.map(({ path }) => path.map(String).join(".") || "all of it").slice(0, 5);
  throw strange(`${calls[name].path} answered what cannot be read (${places.join(", ")})`);
}

/** @throws {ProviderError} where something is broken and nothing says why. */
export function readRefusal(path: string, { status, headers, bytes, now }: RawAnswer & { now: Date }): ProviderRefusal {
  const body = parseJson(bytes);
  const message = readMessage(body);
  if (message === undefined && status >= 500) throw strange(`${path} answered ${status}`);
  const code = readCode(body);
  const refusal: ProviderRefusal = { ok: false, status, message: message ?? `The answer was ${status}.` };
  if (code !== undefined) refusal.code = code;
  return status === 429 ? { ...refusal, waitInMs: askedToWaitInMs(headers.get("Retry-After"), now) } : refusal;
}

const WAIT_MAX_IN_MS = 3600 * SECOND_IN_MS;

/** RFC 9110, section 10.2.3: seconds, or an instant. */
function askedToWaitInMs(header: string | null, now: Date): number {
  const text = header ?? "";
  const waitInMs = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_IN_MS : Date.parse(text) - now.getTime();
  return Math.min(WAIT_MAX_IN_MS, Math.max(SECOND_IN_MS, Number.isNaN(waitInMs) ? 0 : waitInMs));
}

export function countOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** `undefined` for what is no JSON: HTML, or nothing. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** Spares visitors the wait for a server that does not answer: after some failures in a row only one call now and then is made. */
export type Breaker = {
  /** Whether to ask now. After a yes the caller says how it went. */
  mayAsk(): boolean;
  succeeded(): void;
  failed(): void;
};

const FAILURES = 5;
const PAUSE_IN_MS = 15 * SECOND_IN_MS;

function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let openUntil: Date | undefined;
  return {
    mayAsk() {
      if (!openUntil) return true;
      if (clock() < openUntil) return false;
      // This one tries; the others wait another pause for what it finds.
      openUntil = after(clock(), PAUSE_IN_MS);
      return true;
    },
    succeeded() {
      failures = 0;
      openUntil = undefined;
    },
    failed() {
      failures += 1;
      if (failures >= FAILURES) openUntil = after(clock(), PAUSE_IN_MS);
    },
  };
}

/** A server in front of the provider says that the provider is not there. */
const AWAY = new Set([502, 503, 504]);

type Guarded = Question & { isRepeatable: boolean };

/**
 * Asks, a second time where that does no harm, and not at all while the provider is known to be away.
 * @throws {ProviderError}
 */
export function createGuard({ clock, log, pauseInMs }: { clock: Clock; log: Log; pauseInMs: number }) {
  const breaker = createBreaker(clock);

  async function tryTwice({ isRepeatable, ...question }: Guarded): Promise<RawAnswer> {
    try {
      return await tryOnce(question);
    } catch (error) {
      const mayRepeat = isRepeatable && error instanceof ProviderError && error.isUnreachable;
      if (!mayRepeat || question.signal.aborted) throw error;
      await wait(pauseInMs);
      return tryOnce(question);
    }
  }

  return async (question: Guarded): Promise<RawAnswer> => {
    if (!breaker.mayAsk()) {
      throw new ProviderError(`${question.name}: the provider did not answer lately`, { isUnreachable: true });
    }
    try {
      const answer = await tryTwice(question);
      breaker.succeeded();
      return answer;
    } catch (error) {
      breaker.failed();
      log.warn({ error }, "the provider could not be asked");
      throw error;
    }
  };
}

async function tryOnce(question: Question): Promise<RawAnswer> {
  const answer = await ask(question);
  if (AWAY.has(answer.status) && readMessage(parseJson(answer.bytes)) === undefined) {
    throw new ProviderError(`${question.name} answered ${answer.status}`, { isUnreachable: true });
  }
  return answer;
}
