import { setTimeout as wait } from "node:timers/promises";

import { readBounded } from "../../platform/bounded-answer.ts";
import { after, type Clock, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { ItemKind, kinds } from "../../content/items/kinds.ts";
import type { Log } from "../../platform/log.ts";
import { toAsciiEmail } from "../../platform/email-address.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import {
  isGatewayFault,
  ProviderError,
  type ProviderOutcome,
  type ProviderRefusal,
  type RawAnswer,
  readAnswer,
  readRefusal,
  strange,
  unavailable,
} from "./answers.ts";

/** Sends requests to one provider with the API that we serve, and to no other host. */
export type ProviderClient = {
  /** Ends with `/api/`. */
  base: URL;
  /**
   * Makes a call; a refusal is an answer and is not thrown.
   * @throws {ProviderError} when there is no readable answer: the outcome is then unknown.
   */
  call<Name extends CallName>(name: Name, input: CallInput<Name>, how?: CallHow): Promise<ProviderOutcome<Name>>;
  /**
   * Confirms that a 401 is about the member, not our key: a changed key must not log every member out here.
   * @throws {ProviderError} where the provider refuses our key.
   */
  requireKey(): Promise<void>;
  /** Allows larger answers; answers nothing new while `etag` is valid. @throws {ProviderError} */
  readList(name: ListName, ask: ListAsk): Promise<ListAnswer>;
  /** Files outside the API are public, and get no secret. */
  isOfApi(address: URL): boolean;
  /**
   * A file at an address of the provider's own origin; `range` selects a part. A 4xx has no bytes. @throws
   * {ProviderError}
   */
  readFile(address: URL, ask: FileAsk): Promise<RawAnswer>;
};

export type CallHow = {
  token?: string | undefined;
  address?: string | undefined;
};

export type ListName = (typeof kinds)[ItemKind]["listCall"];
export type ListAsk = { token: string; page?: { page: number; size: number }; etag?: string | undefined };
export type ListAnswer =
  | { ok: true; items: unknown[]; etag: string | undefined; total: number | undefined; sizeInBytes: number }
  | { ok: true; isUnchanged: true; total: number | undefined }
  | ProviderRefusal;

export type FileAsk = { token: string | undefined; maxBytes: number; range?: string | undefined };

/** The limit of all tries together, and the pause before the second. Tests pass both, and need not wait for them. */
export type ProviderPatience = {
  timeOut: (ms: number) => AbortSignal;
  wait: (ms: number) => Promise<unknown>;
};

const usual: ProviderPatience = { timeOut: (ms) => AbortSignal.timeout(ms), wait };

const CALL_LIMIT_IN_MS = 10 * SECOND_IN_MS;
const LIST_LIMIT_IN_MS = MINUTE_IN_MS;
const RETRY_AFTER_IN_MS = 250;

type ClientOptions = {
  /** `https://members.example.org`, or a folder of it; `/api` at its end is accepted too. */
  url: string;
  key: string;
  clock: Clock;
  log: Log;
  patience?: ProviderPatience | undefined;
};

const ANSWER_MAX_BYTES = 8_000_000;
const LIST_MAX_BYTES = 64_000_000;

/** Some existing servers only redirect without a slash at the end. */
const slashed = new Set<CallName>(["checkcouponvalidity", "checkcouponproducts", "patchuser", "getallfaves"]);

/** Besides a GET, because they make nothing. */
const repeatable = new Set<CallName>(["getcurrentuser", "checkcouponvalidity", "checkcouponproducts"]);

export function createProviderClient({ url, key, clock, log, patience = usual }: ClientOptions): ProviderClient {
  const base = new URL(`${url.replace(/\/+$/, "").replace(/\/api$/, "")}/api/`);
  const ask = createAsk({ clock, log, patience });
  const isOfApi = (address: URL) => address.href.startsWith(base.href);
  return { base, call, requireKey: createRequireKey({ call, clock }), readList, isOfApi, readFile };

  async function call<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    how: CallHow = {},
  ): Promise<ProviderOutcome<Name>> {
    const { method, path } = calls[name];
    const isQuery = method === "GET";
    const raw = await ask({
      name: `${method} ${path}`,
      url: withQuery(new URL(`${path}${slashed.has(name) ? "/" : ""}`, base), isQuery ? withAsciiEmail(input) : {}),
      method,
      headers: { ...headersFor({ key, ...how }), ...(!isQuery && { "Content-Type": "application/json" }) },
      ...(!isQuery && { body: JSON.stringify(withAsciiEmail(input)) }),
      signal: patience.timeOut(CALL_LIMIT_IN_MS),
      maxBytes: ANSWER_MAX_BYTES,
      isRepeatable: isQuery || repeatable.has(name),
    });
    return raw.status < 300 ? { ok: true, answer: readAnswer(name, raw) } : readRefusal(path, { ...raw, now: clock() });
  }

  async function readList(name: ListName, { token, page, etag: known }: ListAsk): Promise<ListAnswer> {
    const { path } = calls[name];
    const raw = await ask({
      name: `GET ${path}`,
      url: withQuery(new URL(path, base), page ? { page: page.page, per_page: page.size } : {}),
      method: "GET",
      headers: { ...headersFor({ key, token }), ...(known !== undefined && { "If-None-Match": known }) },
      signal: patience.timeOut(LIST_LIMIT_IN_MS),
      maxBytes: LIST_MAX_BYTES,
      isRepeatable: true,
    });
    const count = raw.headers.get("X-Total") ?? raw.headers.get("X-WP-Total") ?? "";
    const total = /^\d{1,9}$/.test(count) ? Number(count) : undefined;
    if (raw.status === 304 && known !== undefined) return { ok: true, isUnchanged: true, total };
    if (raw.status >= 300) return readRefusal(path, { ...raw, now: clock() });
    const etag = raw.headers.get("ETag") ?? undefined;
    return { ok: true, items: readAnswer(name, raw), etag, total, sizeInBytes: raw.bytes.byteLength };
  }

  async function readFile(address: URL, { token, maxBytes, range }: FileAsk): Promise<RawAnswer> {
    if (address.origin !== base.origin) throw strange("we don't fetch files from other hosts");
    return ask({
      name: "GET of a file",
      url: address,
      method: "GET",
      headers: {
        ...(isOfApi(address) && headersFor({ key, token })),
        // A range counts raw bytes.
        "Accept-Encoding": "identity",
        ...(range && { Range: range }),
      },
      signal: patience.timeOut(CALL_LIMIT_IN_MS),
      maxBytes,
      isRepeatable: true,
    });
  }
}

const KEY_GOOD_FOR_MS = MINUTE_IN_MS;

function createRequireKey({ call, clock }: Pick<ProviderClient, "call"> & { clock: Clock }): () => Promise<void> {
  let goodUntil: Date | undefined;
  return async () => {
    if (goodUntil && clock() < goodUntil) return;
    const outcome = await call("fetchCustomers", { per_page: 1 });
    if (!outcome.ok && (outcome.status === 401 || outcome.status === 403)) {
      throw unavailable("the provider rejects our key: is API_KEY right?");
    }
    goodUntil = after(clock(), KEY_GOOD_FOR_MS);
  };
}

function withAsciiEmail(input: object): object {
  const fields: [string, unknown][] = Object.entries(input);
  const isAddress = /^(?:email|username)$/;
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      typeof value === "string" && isAddress.test(name) ? toAsciiEmail(value) : value,
    ]),
  );
}

function withQuery(address: URL, query: object): URL {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of given) address.searchParams.set(name, String(value));
  return address;
}

function headersFor({ key, token, address }: CallHow & { key: string }): Record<string, string> {
  return {
    Accept: "application/json, */*;q=0.1",
    "X-Api-Key": key,
    ...(token !== undefined && { Authorization: token }),
    ...(address !== undefined && { "X-Client-Address": address }),
  };
}

type Question = {
  name: string;
  url: URL;
  method: "GET" | "POST" | "PATCH";
  headers: Record<string, string>;
  body?: string;
  /** Also ends the reading of the answer. */
  signal: AbortSignal;
  maxBytes: number;
};

const FAILURES = 5;
const PAUSE_IN_MS = 15 * SECOND_IN_MS;

/**
 * Asks, twice where that does no harm. After some failures in a row it asks only now and then, so that visitors do not
 * wait for a silent server.
 * @throws {ProviderError}
 */
function createAsk({ clock, log, patience }: { clock: Clock; log: Log; patience: ProviderPatience }) {
  let failures = 0;
  let pausedUntil: Date | undefined;
  return async ({ isRepeatable, ...question }: Question & { isRepeatable: boolean }): Promise<RawAnswer> => {
    if (pausedUntil && clock() < pausedUntil) {
      throw unavailable(`${question.name}: the provider did not answer lately`);
    }
    // This request tries; the others wait another pause for its result.
    if (pausedUntil) pausedUntil = after(clock(), PAUSE_IN_MS);
    try {
      const answer = await askOnce(question).catch(async (error: ProviderError) => {
        if (!isRepeatable || !error.isUnavailable || question.signal.aborted) throw error;
        await patience.wait(RETRY_AFTER_IN_MS);
        return askOnce(question);
      });
      failures = 0;
      pausedUntil = undefined;
      return answer;
    } catch (error) {
      failures += 1;
      if (failures >= FAILURES) pausedUntil = after(clock(), PAUSE_IN_MS);
      log.warn({ error }, "a call of the provider failed");
      throw error;
    }
  };
}

/**
 * Follows no redirect: the next host would get our key and the member's token.
 * @throws {ProviderError} when no answer comes, or one that is too large or leads elsewhere.
 */
async function askOnce({ name, url, maxBytes, ...how }: Question): Promise<RawAnswer> {
  try {
    const response = await fetch(url, { ...how, redirect: "manual" });
    const { status, headers } = response;
    if (status >= 300 && status < 400 && status !== 304) {
      await response.body?.cancel();
      throw strange(`${name} sends us elsewhere (${status}), which is not followed: is API_URL right?`);
    }
    const tooLong = () => strange(`${name} answered more than ${maxBytes} bytes`);
    const answer = { status, headers, bytes: await readBounded(response, { maxBytes, tooLong }) };
    if (isGatewayFault(answer)) throw unavailable(`${name} answered ${status}`);
    return answer;
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${name}: ${faultText(error)}`, { isUnavailable: true });
  }
}

/** Network errors say little: "fetch failed", and why in a cause. Of others only the name: they may quote a header. */
function faultText(error: unknown): string {
  const { name = "", cause } = error instanceof Error ? error : {};
  if (name === "TimeoutError" || name === "AbortError") return "the provider did not answer in time";
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : name;
  return `the provider cannot be reached (${code})`;
}
