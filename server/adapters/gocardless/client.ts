import { setTimeout as wait } from "node:timers/promises";

import { SECOND_IN_MS, type Clock } from "../../clock.ts";
import { GoCardlessError, readRefusal } from "./error.ts";
import { askedToWaitInMs, readAnswer, type RawAnswer } from "./answer.ts";

/** GoCardless's HTTP interface, as far as every call is alike. What it answers is not read here, beyond being JSON. */
export type GoCardlessClient = {
  /** What stands at a path; `undefined` when GoCardless says that there is nothing. Throws when it cannot be asked. */
  find(path: string, query?: Record<string, string>): Promise<unknown>;
  /**
   * Makes something, once a key: a repeat answers what the first made, and says that it did. Throws when it was refused, or when it
   * is unknown whether it was made: the same call under the same key then goes on.
   */
  create(creation: Creation): Promise<{ body: unknown; isRepeat: boolean }>;
};

export type Creation = {
  path: string;
  /** GoCardless's name for what is made, around what is sent and what comes back. */
  envelope: string;
  wanted: object;
  /** A function makes a new key for every try: for what is harmless to make twice and cannot be looked up. */
  key: string | (() => string);
};

/** How long GoCardless is waited for: each try, all tries of a call together, and before the second and the third. */
export type Patience = { tryInMs: number; totalInMs: number; pausesInMs: readonly number[] };

/** A page waits for this, so it ends before a browser or a proxy gives up. GoCardless's own client would wait for ever. */
const USUAL_PATIENCE: Patience = {
  tryInMs: 10 * SECOND_IN_MS,
  totalInMs: 25 * SECOND_IN_MS,
  pausesInMs: [SECOND_IN_MS / 4, SECOND_IN_MS],
};

/** The only version there is: https://developer.gocardless.com/api-reference, "Versioning". */
const API_VERSION = "2015-07-06";

type Setting = { accessToken: string; apiBase: string; clock: Clock; patience?: Patience | undefined };

type Call = { method: "GET" | "POST"; url: URL; body?: string; key?: Creation["key"] };

export function createGoCardlessClient(setting: Setting): GoCardlessClient {
  const ask = createLine(setting);
  const urlOf = (path: string) => new URL(setting.apiBase.replace(/\/+$/, "") + path);

  return {
    async find(path, query = {}) {
      const url = urlOf(path);
      url.search = new URLSearchParams(query).toString();
      const answer = await ask({ method: "GET", url });
      if (answer.status === 200) return answer.body;
      const refusal = readRefusal(answer);
      // Any other 404 is a wrong address or a proxy's, and says nothing of what GoCardless has.
      if (answer.status === 404 && refusal.reasons.includes("resource_not_found")) return undefined;
      throw new GoCardlessError(`GET ${path}`, refusal);
    },

    async create({ path, envelope, wanted, key }) {
      const body = JSON.stringify({ [envelope]: wanted });
      const answer = await ask({ method: "POST", url: urlOf(path), body, key });
      if (answer.status === 200 || answer.status === 201) return { body: answer.body, isRepeat: false };
      const refusal = readRefusal(answer);
      if (answer.status !== 409 || !refusal.conflictId) throw new GoCardlessError(`POST ${path}`, refusal);
      const before = await this.find(`${path}/${encodeURIComponent(refusal.conflictId)}`);
      if (before === undefined) throw new GoCardlessError(`POST ${path}`, refusal);
      return { body: before, isRepeat: true };
    },
  };
}

type Line = (call: Call) => Promise<RawAnswer>;

function createLine({ accessToken, clock, patience = USUAL_PATIENCE }: Setting): Line {
  return ask;

  /** Tries until there is an answer that says something, or patience is over. */
  async function ask(call: Call): Promise<RawAnswer> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const leftInMs = patience.totalInMs - (performance.now() - startedAt);
      const outcome = await attempt(call, Math.min(patience.tryInMs, leftInMs));
      const isSettled = "status" in outcome && outcome.status !== 429 && outcome.status < 500;
      if (isSettled) return outcome;
      const pauseInMs = findPauseInMs(outcome, tries);
      const isOver = pauseInMs === undefined || performance.now() - startedAt + pauseInMs >= patience.totalInMs;
      if (!isOver) await wait(pauseInMs);
      else if ("status" in outcome) return outcome;
      else throw new Error(`GoCardless cannot be reached: ${outcome.fault.message}`, { cause: outcome.fault });
    }
  }

  /** `undefined`: this was the last try. GoCardless is not asked again before it says so. */
  function findPauseInMs(outcome: RawAnswer | { fault: Error }, tries: number): number | undefined {
    const pause = patience.pausesInMs[tries - 1];
    if (pause === undefined || !("status" in outcome)) return pause;
    return Math.max(pause, askedToWaitInMs(outcome.headers, clock()));
  }

  /** A fault leaves open whether GoCardless has done it. */
  async function attempt({ method, url, body, key }: Call, waitInMs: number): Promise<RawAnswer | { fault: Error }> {
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
        signal: AbortSignal.timeout(Math.max(1, Math.ceil(waitInMs))),
        ...(body !== undefined && { body }),
      });
      return await readAnswer(response);
    } catch (error) {
      return { fault: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}
