import { type Clock, SECOND_IN_MS } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import type { ProviderAnswer } from "./answers.ts";
import {
  countOf,
  createGuard,
  type ProviderRefusal,
  type RawAnswer,
  readAnswer,
  readRefusal,
  strange,
} from "./line.ts";

/** Asks one provider, whose API is that of section 7 of the spec, and nobody else. */
export type ProviderClient = {
  /** Below which the API stands; ends with `/api/`. */
  base: URL;
  /**
   * Makes a call; one refusal or another is the provider's answer, and not thrown.
   * @throws {ProviderError} when it cannot be asked, or answers what cannot be read. Whether it has done what it was asked is not
   * known then.
   */
  call<Name extends CallName>(name: Name, input: CallInput<Name>, how?: CallHow): Promise<ProviderOutcome<Name>>;
  /**
   * A list of items, larger than other answers; nothing new where `etag` still holds.
   * @throws {ProviderError}
   */
  readList(name: ListName, ask: ListAsk): Promise<ListAnswer>;
  /** Whether a file is the API's own: what lies beside it is for everybody, and gets no secret. */
  isOfApi(address: URL): boolean;
  /**
   * A file at a whole address of the provider's own scheme, host and port, or the part of it that `range` names. Anything of the 4xx kind has no bytes.
   * @throws {ProviderError}
   */
  readFile(address: URL, ask: FileAsk): Promise<RawAnswer>;
};

export type CallHow = {
  /** The member's, as the provider gave it. */
  token?: string | undefined;
  /** The network address of the person it is for. */
  address?: string | undefined;
};

export type ProviderOutcome<Name extends CallName> = { ok: true; answer: ProviderAnswer<Name> } | ProviderRefusal;

export type ListName = "getwatches" | "getreads" | "getlearns";
export type ListAsk = {
  token: string | undefined;
  page?: { page: number; size: number };
  etag?: string | undefined;
  signal?: AbortSignal | undefined;
};
export type ListAnswer =
  | { ok: true; items: unknown[]; etag: string | undefined; total: number | undefined; sizeInBytes: number }
  | { ok: true; isUnchanged: true; total: number | undefined }
  | ProviderRefusal;

export type FileAsk = { token: string | undefined; maxBytes: number; range?: string | undefined };

/** How long is waited for an answer, all tries together, and before the second try; tests wait less. */
export type ProviderPatience = { callInMs: number; listInMs: number; pauseInMs: number };

const usualPatience: ProviderPatience = {
  callInMs: 10 * SECOND_IN_MS,
  listInMs: 60 * SECOND_IN_MS,
  pauseInMs: 250,
};

type ClientOptions = {
  /** Where the provider's site stands: `https://members.example.org`, or a folder of it. */
  url: string;
  key: string;
  clock: Clock;
  log: Log;
  patience?: Partial<ProviderPatience> | undefined;
};

const ANSWER_MAX_BYTES = 8_000_000;
const LIST_MAX_BYTES = 64_000_000;

/** As section 7 of the spec writes them: where a slash at the end is missed, some servers only redirect to it. */
const slashed = new Set<CallName>(["checkcouponvalidity", "checkcouponproducts", "patchuser", "getallfaves"]);

/** What may be asked twice besides what a GET asks: it makes nothing. */
const repeatable = new Set<CallName>(["getcurrentuser", "checkcouponvalidity", "checkcouponproducts"]);

export function createProviderClient({ url, key, clock, log, ...options }: ClientOptions): ProviderClient {
  const { callInMs, listInMs, pauseInMs } = { ...usualPatience, ...options.patience };
  const base = toBase(url);
  const guard = createGuard({ clock, log, pauseInMs });
  const isOfApi = (address: URL) => address.href.startsWith(base.href);
  return { base, call, readList, isOfApi, readFile };

  async function call<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    how: CallHow = {},
  ): Promise<ProviderOutcome<Name>> {
    const { method, path } = calls[name];
    const isQuery = method === "GET";
    const raw = await guard({
      name: `${method} ${path}`,
      url: addressOf({ base, path: `${path}${slashed.has(name) ? "/" : ""}`, query: isQuery ? input : {} }),
      method,
      headers: { ...headersFor({ key, ...how }), ...(!isQuery && { "Content-Type": "application/json" }) },
      body: isQuery ? undefined : JSON.stringify(input),
      signal: AbortSignal.timeout(callInMs),
      maxBytes: ANSWER_MAX_BYTES,
      isRepeatable: isQuery || repeatable.has(name),
    });
    return raw.status < 300 ? { ok: true, answer: readAnswer(name, raw) } : readRefusal(path, { ...raw, now: clock() });
  }

  async function readList(name: ListName, { token, page, etag: known, signal }: ListAsk): Promise<ListAnswer> {
    const { path } = calls[name];
    const raw = await guard({
      name: `GET ${path}`,
      url: addressOf({ base, path, query: page ? { page: page.page, per_page: page.size } : {} }),
      method: "GET",
      headers: { ...headersFor({ key, token }), ...(known !== undefined && { "If-None-Match": known }) },
      signal: AbortSignal.any([AbortSignal.timeout(listInMs), ...(signal ? [signal] : [])]),
      maxBytes: LIST_MAX_BYTES,
      isRepeatable: true,
    });
    const total = countOf(raw.headers.get("X-Total") ?? raw.headers.get("X-WP-Total"));
    if (raw.status === 304 && known !== undefined) return { ok: true, isUnchanged: true, total };
    if (raw.status >= 300) return readRefusal(path, { ...raw, now: clock() });
    const etag = raw.headers.get("ETag") ?? undefined;
    return { ok: true, items: readAnswer(name, raw), etag, total, sizeInBytes: raw.bytes.byteLength };
  }

  async function readFile(address: URL, { token, maxBytes, range }: FileAsk): Promise<RawAnswer> {
    if (address.origin !== base.origin) throw strange("a file of another host is not fetched");
    return guard({
      name: "GET of a file",
      url: address,
      method: "GET",
      headers: {
        ...(isOfApi(address) && headersFor({ key, token })),
        // A range counts the bytes as they are.
        "Accept-Encoding": "identity",
        ...(range && { Range: range }),
      },
      signal: AbortSignal.timeout(callInMs),
      maxBytes,
      isRepeatable: true,
    });
  }
}

type At = { base: URL; path: string; query: object };

function addressOf({ base, path, query }: At): URL {
  const address = new URL(path, base);
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

/** `API_URL` is where the site stands; with `/api` at its end it is as good. */
function toBase(url: string): URL {
  return new URL(`${url.replace(/\/+$/, "").replace(/\/api$/, "")}/api/`);
}
