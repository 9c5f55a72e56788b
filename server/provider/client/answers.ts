import { SECOND_IN_MS } from "../../platform/clock.ts";
import { parseJson } from "../../platform/text.ts";
import { readEntities } from "../../content/items/entities.ts";
import { type CallName, calls, type ProviderAnswer } from "../wire.ts";

/** The provider refused. `message`: in its words, for the person. */
export type ProviderRefusal = {
  ok: false;
  status: number;
  message: string;
  /** For programs, in lower case with hyphens, if given. */
  code?: string;
  waitInMs?: number;
};

export type ProviderOutcome<Name extends CallName> = { ok: true; answer: ProviderAnswer<Name> } | ProviderRefusal;

/** The provider could not be reached, or its answer is unreadable. Contains no secret and no person. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** It does not answer for now; otherwise its answer was strange. */
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable, cause }: { isUnavailable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

export function unavailable(message: string): ProviderError {
  return new ProviderError(message, { isUnavailable: true });
}

export function strange(message: string): ProviderError {
  return new ProviderError(message, { isUnavailable: false });
}

/** `fallback` handles a `ProviderError`; other errors are thrown. */
export function catchProviderError<Result, Fallback>(
  work: Promise<Result>,
  fallback: (error: ProviderError) => Fallback,
): Promise<Result | Fallback> {
  return work.catch((error: unknown) => {
    if (error instanceof ProviderError) return fallback(error);
    throw error;
  });
}

/** Our key is refused, the rate is too high, or the provider is broken: the answer does not concern the question. */
export function isUnrelated({ status }: ProviderRefusal): boolean {
  return status === 401 || status === 429 || status >= 500;
}

/** For a refusal that no visitor could have caused. */
export function toError({ status, message }: ProviderRefusal): ProviderError {
  return new ProviderError(`The provider answered ${status}: ${message}`, { isUnavailable: status >= 500 });
}

/** @throws {ProviderError} for a refusal: of calls that no visitor could make it refuse. */
export function requireAnswer<Answer>(outcome: { ok: true; answer: Answer } | ProviderRefusal): Answer {
  if (!outcome.ok) throw toError(outcome);
  return outcome.answer;
}

export type RawAnswer = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> };

export function readAnswer<Name extends CallName>(name: Name, { bytes }: RawAnswer): ProviderAnswer<Name> {
  const read = calls[name].read.safeParse(readJson(bytes));
  if (read.success) return read.data as ProviderAnswer<Name>;
  // The wrong value may be personal: its path is enough.
  const paths = read.error.issues.map(({ path }) => path.map(String).join(".") || "all of it").slice(0, 5);
  throw strange(`${calls[name].path} answered what cannot be read (${paths.join(", ")})`);
}

export function readRefusal(path: string, { status, headers, bytes, now }: RawAnswer & { now: Date }): ProviderRefusal {
  const body = readJson(bytes);
  const message = readMessage(body);
  if (message === undefined && status >= 500) throw strange(`${path} answered ${status}`);
  const code = readCode(body);
  return {
    ok: false,
    status,
    message: message ?? `The answer was ${status}.`,
    ...(code !== undefined && { code }),
    ...(status === 429 && { waitInMs: toWaitInMs(headers.get("Retry-After"), now) }),
  };
}

/** Sent by servers in front of the provider; an answer in words is the provider's own. */
export function isGatewayFault({ status, bytes }: RawAnswer): boolean {
  return [502, 503, 504].includes(status) && readMessage(readJson(bytes)) === undefined;
}

const readJson = (bytes: Uint8Array) => parseJson(new TextDecoder().decode(bytes));

const MESSAGE_MAX_LENGTH = 300;

/**
 * docs/behaviour.md, The API: the message of the server's data, else the error's own, else the error as a string.
 * `undefined` without one: a fault, not a refusal.
 */
function readMessage(body: unknown): string | undefined {
  const { data, message, error } = readFields(body);
  const found = [readFields(data).message, message, readFields(error).message, error].map(toWords);
  return found.find((words) => words !== undefined);
}

function readFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** WordPress writes its messages in HTML. */
function toWords(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const words = readEntities(value.slice(0, 10 * MESSAGE_MAX_LENGTH).replace(/<[^<>]*>/g, " "))
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  if (words === "") return undefined;
  return words.length <= MESSAGE_MAX_LENGTH ? words : `${words.slice(0, MESSAGE_MAX_LENGTH - 1).trimEnd()}…`;
}

/** `insufficient_funds` and `insufficient-funds` are one. */
function readCode(body: unknown): string | undefined {
  const { code, data } = readFields(body);
  const found = [readFields(data).code, code].find((each) => typeof each === "string" && /^[\w-]{1,64}$/.test(each));
  return (found as string | undefined)?.toLowerCase().replaceAll("_", "-");
}

const WAIT_MAX_IN_MS = 3600 * SECOND_IN_MS;

/** RFC 9110, section 10.2.3: seconds, or an instant. */
function toWaitInMs(header: string | null, now: Date): number {
  const text = header ?? "";
  const waitInMs = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_IN_MS : Date.parse(text) - now.getTime();
  return Math.min(WAIT_MAX_IN_MS, Math.max(SECOND_IN_MS, Number.isNaN(waitInMs) ? 0 : waitInMs));
}
