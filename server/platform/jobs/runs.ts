import { sql } from "kysely";

import { after, type Clock, MINUTE_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { prepareQuery } from "../database/prepared-query.ts";
import { storedErrorText } from "../faults.ts";
import type { Log } from "../log.ts";

/** The last run of each job, for operators: one row a job in `job_runs`, whichever server ran it. */

export type JobRun = { startedAt: Date; tookInMs: number; result: RunResult };

export type JobFailure = {
  at: Date;
  /** Without personal data. */
  error: string;
};

type RunResult = "done" | "failed";

type EndedRun = { startedAt: Date; result: RunResult; error?: unknown };

type RunLogContext = { db: Queries; clock: Clock; log: Log };

/** Some jobs run each second. */
const NOTE_EVERY_IN_MS = MINUTE_IN_MS;

export class RunLog {
  readonly #ctx: RunLogContext;
  readonly #last = new Map<string, { at: Date; result: RunResult; written: Promise<void> }>();

  constructor(ctx: RunLogContext) {
    this.#ctx = ctx;
  }

  /** Records every failure, and a success once a minute or after a failure. It never throws. */
  async note(name: string, run: EndedRun): Promise<void> {
    const now = this.#ctx.clock();
    const last = this.#last.get(name);
    const isRecent = last && now >= last.at && now < after(last.at, NOTE_EVERY_IN_MS);
    if (run.result === "done" && last?.result === "done" && isRecent) return;
    const tookInMs = Math.max(0, now.getTime() - run.startedAt.getTime());
    const written = this.#write(name, { ...run, tookInMs });
    this.#last.set(name, { at: now, result: run.result, written });
    await written;
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#last.values()].map(({ written }) => written));
  }

  async #write(name: string, run: EndedRun & { tookInMs: number }): Promise<void> {
    const { db, log } = this.#ctx;
    try {
      await writeRun(db, name, run);
    } catch (error) {
      // A failed job was logged already, and mostly for the same reason.
      if (run.result === "done") log.warn({ job: name, error }, "a job's run was not recorded");
    }
  }
}

async function writeRun(db: Queries, name: string, run: EndedRun & { tookInMs: number }): Promise<void> {
  const { startedAt, tookInMs, result, error } = run;
  const failure = result === "failed" ? { failedAt: startedAt, error: storedErrorText(error) } : {};
  const row = { startedAt, tookInMs, result, ...failure };
  await db
    .insertInto("jobRuns")
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

/** Begins the name of the lease by which a process claims the run of a period. */
export const RUN_LEASE = "run ";

export type ListedRun = {
  /** The end of the last claim, past or future. */
  claimedUntil: Date | undefined;
  lastRun: JobRun | undefined;
  lastFailure: JobFailure | undefined;
};

const selectRuns = prepareQuery((db) =>
  db
    .selectFrom("jobRuns")
    .fullJoin("jobLeases", (join) =>
      join.on(sql`${sql.lit(RUN_LEASE)} || job_runs.name`, "=", sql.ref("jobLeases.name")),
    )
    .selectAll("jobRuns")
    .select(["jobLeases.name as lease", "jobLeases.expiresAt as claimedUntil"]),
);

/** By the job's name. One that was neither claimed nor run is missing. */
export async function listRuns(db: Queries): Promise<Map<string, ListedRun>> {
  const rows = await selectRuns(db, {});
  return new Map(
    rows.map(({ lease, claimedUntil, name, startedAt, tookInMs, result, failedAt, error }) => [
      name ?? lease?.slice(RUN_LEASE.length) ?? "",
      {
        claimedUntil: claimedUntil ?? undefined,
        lastRun: startedAt && result ? { startedAt, tookInMs: tookInMs ?? 0, result } : undefined,
        lastFailure: failedAt ? { at: failedAt, error: error ?? "" } : undefined,
      },
    ]),
  );
}
