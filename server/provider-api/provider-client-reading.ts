import { SECOND_IN_MS } from "../clock.ts";
import { answers, type ProviderAnswer } from "./provider-client-answers.ts";
import { strange, type RawAnswer } from "./provider-client-line.ts";
import { readMessage, type ProviderRefusal } from "./provider-client-refusal.ts";
import { calls, type CallName } from "./wire.ts";

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
  const message = readMessage(parseJson(bytes));
  if (message === undefined && status >= 500) throw strange(`${path} answered ${status}`);
  const refusal = { ok: false as const, status, message: message ?? `The answer was ${status}.` };
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
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
