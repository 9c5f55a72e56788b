import { setTimeout as wait } from "node:timers/promises";

import { readBounded } from "../../platform/bounded-answer.ts";
import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { parseJson } from "../../platform/text.ts";

/** Why WordPress could not be read, for operators. It never contains the token. */
export class WordpressFault extends Error {
  override name = "WordpressFault";
  /** Time, memory or a limit was exceeded: a smaller page may work. */
  readonly isOverload: boolean;

  constructor(message: string, { isOverload = false, ...options }: ErrorOptions & { isOverload?: boolean } = {}) {
    super(message, options);
    this.isOverload = isOverload;
  }
}

export class AwayFault extends WordpressFault {
  override name = "AwayFault";
}

/** A refusal with WordPress's own code, which the caller may understand. */
export class WordpressRefusal extends WordpressFault {
  readonly code: string;
  readonly status: number;

  constructor(message: string, { code, status }: { code: string; status: number }) {
    super(message, { isOverload: status >= 500 });
    this.code = code;
    this.status = status;
  }
}

export type TokenSetting = "CMS_TOKEN" | "CMS_READER_TOKEN";

/** `setting`: whose token was sent, if any. `isSecure`: over HTTPS. */
type Refused = { status: number; body: unknown; path: string; setting: TokenSetting | undefined; isSecure: boolean };

export function explainRefusal({ body, ...refused }: Refused): WordpressRefusal {
  const code = readCode(body);
  return new WordpressRefusal(wordsFor({ ...refused, code }), { code, status: refused.status });
}

/** `wp_is_application_passwords_supported` in WordPress. */
const PASSWORDS_NEED_HTTPS =
  ". WordPress takes application passwords over HTTPS only, unless WP_ENVIRONMENT_TYPE is “local” in its wp-config.php";

const NEEDS_LOG_IN =
  "set CMS_READER_TOKEN to “name:application password” of a subscriber, if this WordPress is for its own users alone";

function wordsFor({ status, code, path, setting, isSecure }: Omit<Refused, "body"> & { code: string }): string {
  // WordPress's REST API names each of its errors: a firewall, a proxy or the web server answered in its place.
  if (code === "")
    return `The answer to “${path}”, a ${status}, is not from WordPress's REST API: ${adviceFor(status)}`;
  if (code === "rest_no_route") {
    return `WordPress has no “${path}” in its REST API: the post type needs show_in_rest and the REST base “${path}”`;
  }
  if (status === 401 || status === 403) {
    if (!setting) return `WordPress shows nothing without a log-in (${status} ${code}): ${NEEDS_LOG_IN}`;
    const hint = `make a new application password and set ${setting} to “name:password”`;
    return `WordPress refuses us (${status} ${code}): ${hint}${isSecure ? "" : PASSWORDS_NEED_HTTPS}`;
  }
  return `WordPress answered ${path} with ${status} ${code}${status >= 500 ? ": its own log says why" : ""}`;
}

function adviceFor(status: number): string {
  if (status >= 500) return "its web server's log says why";
  if (status === 429) return "we have sent too many requests";
  if (status === 404) return "is CMS_URL right, and are its permalinks on?";
  return "a firewall, a log-in or a rule of its web server is in front of it: let this server through";
}

/** Users without the right to a status get "invalid parameter" for `status` (`sanitize_post_statuses` in WordPress). */
export function isForbidden(error: unknown): boolean {
  // A refusal without a code is not from WordPress.
  if (!(error instanceof WordpressRefusal) || error.code === "") return false;
  return error.status === 403 || (error.status === 400 && error.code === "rest_invalid_param");
}

function readCode(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "";
}

/** Requests to one WordPress alone, at its own origin whatever an answer names; always as one user, or without one. */
export type WordpressClient = ReturnType<typeof createWordpressClient>;

export type JsonAsk = {
  query?: Record<string, string>;
  /** The number of requested items, which lengthens the limit. */
  itemCount?: number;
  signal?: AbortSignal | undefined;
};

export type FileAsk = { maxBytes: number; range?: string };

/** `status` is 200 or 206; a 4xx has no bytes. */
export type FileAnswer = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> };

/** `timeOut` makes a signal that fires then; tests pass one with their own clock. */
export type Patience = {
  requestInMs: number;
  /** Added for each requested item. */
  itemInMs: number;
  fileInMs: number;
  timeOut(ms: number): AbortSignal;
  wait(ms: number): Promise<unknown>;
};

export const usualPatience: Patience = {
  requestInMs: 10 * SECOND_IN_MS,
  itemInMs: 200,
  fileInMs: 5 * SECOND_IN_MS,
  timeOut: (ms) => AbortSignal.timeout(ms),
  wait,
};

const RETRY_AFTER_IN_MS = 500;

/** `user`: a token and its setting; without one, requests are anonymous. */
type ClientOptions = {
  url: string;
  user: { token: string; setting: TokenSetting } | undefined;
  clock: Clock;
  patience: Patience;
};

/** A page of a hundred long articles is a tenth of this. */
const PAGE_MAX_BYTES = 20_000_000;
const MAX_REDIRECTS = 3;
const BUSY = new Set([429, 502, 503, 504]);
const MOST_PAUSE_IN_MS = HOUR_IN_MS;

export function createWordpressClient({ url, user, clock, patience }: ClientOptions) {
  const base = new URL(url.endsWith("/") ? url : `${url}/`);
  const headers = { Accept: "application/json", ...(user && { Authorization: toAuthorisation(user.token) }) };

  /** From `Retry-After`. */
  let busyUntil = new Date(0);

  function requireFree(): void {
    if (clock() >= busyUntil) return;
    throw new AwayFault(`it asks us to wait until ${busyUntil.toISOString().slice(11, 19)} UTC`);
  }

  async function ask(address: URL, { itemCount = 0, signal }: JsonAsk): Promise<JsonAnswer> {
    requireFree();
    const limit = patience.timeOut(patience.requestInMs + itemCount * patience.itemInMs);
    const response = await follow(address, { headers, signal: signal ? AbortSignal.any([limit, signal]) : limit });
    const bytes = await readBody(response, PAGE_MAX_BYTES);
    const { status, ok } = response;
    return { status, ok, headers: response.headers, text: new TextDecoder().decode(bytes) };
  }

  async function askTwice(address: URL, how: JsonAsk): Promise<JsonAnswer> {
    const first = await nameFaults(address, ask(address, how));
    if (!BUSY.has(first.status)) return first;
    const pauseInMs = readPause(first.headers, clock());
    if (pauseInMs !== undefined) busyUntil = after(clock(), Math.min(pauseInMs, MOST_PAUSE_IN_MS));
    await patience.wait(RETRY_AFTER_IN_MS);
    return nameFaults(address, ask(address, how));
  }

  return {
    base,
    /**
     * Reads a whole answer of the REST API; retries once where the server is busy.
     * @throws {WordpressFault} when it does not come, is too large, or is no JSON.
     */
    async readJson(path: string, how: JsonAsk = {}): Promise<{ body: unknown; headers: Headers }> {
      const address = new URL(`wp-json/wp/v2/${path}`, base);
      for (const [name, value] of Object.entries(how.query ?? {})) address.searchParams.set(name, value);
      const answer = await askTwice(address, how);
      const body = parseJson(answer.text);
      if (!answer.ok) {
        const isSecure = base.protocol === "https:";
        throw explainRefusal({ status: answer.status, body, path, setting: user?.setting, isSecure });
      }
      if (body === undefined) {
        throw new WordpressFault(`${address.pathname} answered something that is not JSON`, { isOverload: true });
      }
      return { body, headers: answer.headers };
    },
    /** Without the token; `range` selects a part. @throws {WordpressFault} when it does not come or is too large. */
    readFile(address: string, { maxBytes, range }: FileAsk): Promise<FileAnswer> {
      const target = new URL(address);
      if (target.origin !== base.origin) throw new WordpressFault("we don't fetch files from other hosts");
      return nameFaults(target, fetchFile(target, { maxBytes, range, signal: patience.timeOut(patience.fileInMs) }));
    },
  };
}

export function readDate(headers: Headers, name: "Date" | "Last-Modified"): Date | undefined {
  const time = Date.parse(headers.get(name) ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readPause(headers: Headers, now: Date): number | undefined {
  const text = headers.get("Retry-After") ?? "";
  const pauseInMs = /^\d+$/.test(text) ? Number(text) * SECOND_IN_MS : Date.parse(text) - now.getTime();
  return pauseInMs > 0 ? pauseInMs : undefined;
}

type JsonAnswer = { status: number; ok: boolean; headers: Headers; text: string };

/** An application password is `name:password`; anything else is a bearer token. */
function toAuthorisation(token: string): string {
  return token.includes(":") ? `Basic ${Buffer.from(token).toString("base64")}` : `Bearer ${token}`;
}

type FileFetch = { maxBytes: number; range: string | undefined; signal: AbortSignal };

/** Without compression: pictures and films gain nothing, and a range counts raw bytes. */
async function fetchFile(target: URL, { maxBytes, range, signal }: FileFetch): Promise<FileAnswer> {
  const headers = { "Accept-Encoding": "identity", ...(range && { Range: range }) };
  const response = await follow(target, { headers, signal });
  const { status } = response;
  if (status >= 500 || status === 429) {
    await response.body?.cancel();
    throw new AwayFault(`it answered ${status}`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    return { status, headers: response.headers, bytes: new Uint8Array() };
  }
  return { status, headers: response.headers, bytes: await readBody(response, maxBytes) };
}

/** Follows redirects only within the origin: another host would get our token and choose our content. */
async function follow(address: URL, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> {
  let target = address;
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const response = await fetch(target, { ...init, redirect: "manual" });
    const location = response.headers.get("Location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, target);
    if (next?.origin !== address.origin) {
      throw new WordpressFault(
        `it redirects to ${next?.origin ?? "nowhere"}, which we don't follow: is CMS_URL right?`,
      );
    }
    target = next;
  }
  throw new WordpressFault("it redirects in a circle");
}

function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = () => new WordpressFault(`its answer has more than ${maxBytes} bytes`, { isOverload: true });
  return readBounded(response, { maxBytes, tooLong });
}

/** Network errors say little: "fetch failed", and why in a cause. */
async function nameFaults<Result>(address: URL, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const where = `${address.origin}${address.pathname}`;
    const isAway = !(error instanceof WordpressFault) || error instanceof AwayFault;
    const Fault = isAway ? AwayFault : WordpressFault;
    const isOverload = error instanceof WordpressFault ? error.isOverload : !isClosed(error as Error);
    throw new Fault(`${where}: ${faultText(error as Error)}`, { cause: error, isOverload });
  }
}

function isClosed({ cause }: Error): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(
    code,
  );
}

function faultText(error: Error): string {
  if (error instanceof WordpressFault) return error.message;
  if (error.name === "TimeoutError" || error.name === "AbortError") return "it did not answer in time";
  return `it cannot be reached: ${error.cause instanceof Error ? error.cause.message : error.message}`;
}
