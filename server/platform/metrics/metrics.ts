import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import { SECOND_IN_MS } from "../clock.ts";
import type { NoteQuery } from "../database/database.ts";
import type { NoteRun } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";

/** Prometheus metrics, if the settings ask for them. No label names a person or has a value that visitors choose. */
export type Metrics = {
  /** The same log; its lines are counted by level, and some events of members and money by name. */
  countLines(log: Log): Log;
  noteQuery: NoteQuery;
  noteRun: NoteRun;
  /**
   * The same object, whose calls are timed. A call fails when it throws or returns `ok: false`; a declined card is an
   * answer.
   */
  timeCalls<Part extends object>(name: string, part: Part): Part;
  http: HttpMetrics;
  /** Reads the state of the services before each later `write`. */
  watch(observe: (register: Registry) => () => Promise<void>): void;
  write(): Promise<{ body: string; contentType: string }>;
};

/** `route` is a pattern or a fixed word, never an address with an id. `done`: the whole answer was sent. */
export type EndedRequest = { method: string; route: string; status: number; ms: number; done: boolean };

export type HttpMetrics = { began(): void; ended(request: EndedRequest): void };

/** From a cached answer to the 40 seconds that a payment may take. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 40];
/** A statement of a page takes less than a millisecond; ten seconds is the limit in a transaction. */
const QUERY_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Others count as one, because a client may send any word. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const statements = new Set(["select", "insert", "update", "delete"]);

/** Gauges whose names end like counters, which Prometheus warns of; each is the sum of one without that ending. */
const misnamed = ["resources", "handles", "requests"].map((what) => `nodejs_active_${what}_total`);

/** As in nginx: the visitor left before the whole answer was sent. */
const VISITOR_LEFT = "499";

export function createMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of misnamed) register.removeSingleMetric(name);
  const { requests, inFlight, queries, calls, runs, lines } = createMeters(register);
  const events = createEventCounters(register);
  // A counter that appears only with the first error cannot be seen to rise.
  for (const level of ["info", "warn", "error"]) lines.inc({ level }, 0);
  let refresh: (() => Promise<void>) | undefined;

  function noteCall(part: string, call: string, { startedAt, isWell }: { startedAt: number; isWell: boolean }): void {
    const outcome = isWell ? "answered" : "failed";
    calls.observe({ part, call, outcome }, (performance.now() - startedAt) / SECOND_IN_MS);
  }

  return {
    countLines(log) {
      const write = (level: keyof Log) => (facts: object, event: string) => {
        lines.inc({ level });
        events.get(event)?.(facts);
        log[level](facts, event);
      };
      return { info: write("info"), warn: write("warn"), error: write("error") };
    },
    noteQuery({ sql, seconds, isWell }) {
      const word = /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? "";
      const statement = statements.has(word) ? word : "other";
      queries.observe({ statement, outcome: isWell ? "answered" : "failed" }, seconds);
    },
    noteRun: (name, result) => runs.inc({ name, result }),
    timeCalls: (name, part) =>
      wrapCalls(part, (call, answer) => {
        const startedAt = performance.now();
        const note = (isWell: boolean) => noteCall(name, call, { startedAt, isWell });
        void answer.then(
          (given) => note(!isRefusal(given)),
          () => note(false),
        );
      }),
    http: {
      began: () => inFlight.inc(),
      ended({ method, route, status, ms, done }) {
        inFlight.dec();
        const labels = { method: methods.has(method) ? method : "other", route };
        requests.observe({ ...labels, status: done ? String(status) : VISITOR_LEFT }, ms / SECOND_IN_MS);
      },
    },
    watch: (observe) => void (refresh = observe(register)),
    async write() {
      await refresh?.();
      return { body: await register.metrics(), contentType: register.contentType };
    },
  };
}

function createMeters(register: Registry) {
  const registers = [register];
  const requests = new Histogram({
    name: "dormouse_http_request_duration_seconds",
    help: "Requests, by the pattern of their route. Status 499: the visitor left first.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const inFlight = new Gauge({
    name: "dormouse_http_requests_in_flight",
    help: "Requests that are being answered.",
    registers,
  });
  const queries = new Histogram({
    name: "dormouse_database_query_duration_seconds",
    help: "Statements on the database, without the wait for a connection.",
    labelNames: ["statement", "outcome"],
    buckets: QUERY_SECONDS,
    registers,
  });
  const calls = new Histogram({
    name: "dormouse_call_duration_seconds",
    help: "Calls of the parts that others run. Outcome failed: no answer, or an email that was refused.",
    labelNames: ["part", "call", "outcome"],
    buckets: CALL_SECONDS,
    registers,
  });
  const runs = new Counter({
    name: "dormouse_job_runs_total",
    help: "Runs of jobs that this server did.",
    // Prometheus uses `job` for its own targets.
    labelNames: ["name", "result"],
    registers,
  });
  const lines = new Counter({
    name: "dormouse_log_lines_total",
    help: "Lines of the log by level, whether written or not. error is level 50, which needs an operator now.",
    labelNames: ["level"],
    registers,
  });
  return { requests, inFlight, queries, calls, runs, lines };
}

function createEventCounters(register: Registry): Map<string, (facts: { pence?: number }) => void> {
  const registers = [register];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const signUps = counter("dormouse_sign_ups_total", "Members who joined, by card or by a code.");
  const payments = counter("dormouse_payments_total", "Card payments that succeeded.");
  const paid = counter("dormouse_paid_pence_total", "Their sum, in pence.");
  const refunds = counter("dormouse_refunds_total", "Payments that were refunded, and parts of them.");
  const refunded = counter("dormouse_refunded_pence_total", "Their sum, in pence.");
  return new Map([
    ["a member joined", () => signUps.inc()],
    ["a payment succeeded", ({ pence = 0 }) => (payments.inc(), paid.inc(pence))],
    ["a payment was given back", ({ pence = 0 }) => (refunds.inc(), refunded.inc(pence))],
  ]);
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === false;
}

/** The same object; `note` gets each promise that its functions answer. */
function wrapCalls<Part extends object>(part: Part, note: (call: string, answer: Promise<unknown>) => void): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, args);
        if (answer instanceof Promise) note(String(name), answer);
        return answer;
      };
    },
  });
}
