import { after, type Clock, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { hasChanged } from "../database/changes.ts";
import type { Queries } from "../database/database.ts";
import { isAwayFault } from "../database/faults.ts";
import { LastingFault, type Log } from "../log.ts";
import { type JobFailure, type JobRun, listRuns, RUN_LEASE, RunLog } from "./runs.ts";

/** A job may be cut off anywhere and run again without harm. */
export type Jobs = ReturnType<typeof createJobs>;

export type JobView = Pick<Job, "everyInMs" | "isShared"> & {
  name: string;
  /** When a timer of any process last began it; for a job of each process, to the minute. */
  lastRunAt: Date | undefined;
  /** The run that ended last, by timer or by hand; for a job that runs each second, to the minute. */
  lastRun: JobRun | undefined;
  lastFailure: JobFailure | undefined;
};

export type JobResult = "done" | "busy" | "failed" | "unknown";

export type Job = {
  everyInMs: number;
  /**
   * Whether the processes on one database share it: one at a time, and once at its pace. Otherwise each runs its own.
   */
  isShared: boolean;
  /** A slow run does not delay the next. Only for a job of each process. */
  overlaps?: boolean;
  work(): Promise<unknown>;
};

type Ended = { result: Exclude<JobResult, "unknown">; error?: unknown };

export type NoteRun = (name: string, result: "done" | "failed") => void;

type JobsContext = LeaseContext & { jobs: Record<string, Job>; log: Log; noteRun?: NoteRun | undefined };

/** How long a shared job is blocked after its process has died. */
const LEASE_LIFE_IN_MS = 30 * SECOND_IN_MS;
const RENEW_EVERY_IN_MS = LEASE_LIFE_IN_MS / 3;
/** The share of its pace for which a shared job counts as done; timers may come a little early. */
const RUN_SHARE = 0.9;
/** How often a process records the start of its own job: some start each second. */
const NOTE_EVERY_IN_MS = MINUTE_IN_MS;

export function createJobs(ctx: JobsContext) {
  const { jobs, clock, log } = ctx;
  const running = new Map<Promise<Ended>, string>();
  const notes = new Map<string, { at: Date; written: Promise<unknown> }>();
  const runLog = new RunLog(ctx);
  const faults = new Map(Object.keys(jobs).map((name) => [name, new LastingFault({ log, clock })]));

  async function run(name: string, isTimed: boolean): Promise<JobResult> {
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
    if (!job) return "unknown";
    if (!job.overlaps && [...running.values()].includes(name)) return "busy";
    if (isTimed && !job.isShared) noteRun(name, job);
    const startedAt = clock();
    const ending = attempt(name, job, isTimed);
    running.set(ending, name);
    const { result, error } = await ending;
    running.delete(ending);
    if (result !== "busy") ctx.noteRun?.(name, result);
    // A job that runs each second does not wait for the record.
    if (result !== "busy") await runLog.note(name, { startedAt, result, error });
    return result;
  }

  async function attempt(name: string, job: Job, isTimed: boolean): Promise<Ended> {
    try {
      if (!job.isShared) await job.work();
      else if (isTimed && !(await claimRun(name, job))) return { result: "busy" };
      else if (!(await workUnderLease(ctx, name, job))) return { result: "busy" };
      faults.get(name)?.end({ job: name }, "a job works again");
      return { result: "done" };
    } catch (error) {
      // The next run tries again. The database module reports its own outage once for all jobs.
      if (!isAwayFault(error)) faults.get(name)?.note({ job: name, error }, "a job failed");
      return { result: "failed", error };
    }
  }

  /** One process claims the run of a period. The claim is not released; it expires. */
  function claimRun(name: string, { everyInMs }: Job): Promise<boolean> {
    return takeLease(ctx, RUN_LEASE + name, everyInMs * RUN_SHARE);
  }

  /** The job does not wait for this record, and runs without it. */
  function noteRun(name: string, job: Job): void {
    const at = clock();
    const last = notes.get(name)?.at;
    if (last && at >= last && at < after(last, NOTE_EVERY_IN_MS)) return;
    const written = claimRun(name, job).catch((error: unknown) =>
      log.warn({ job: name, error }, "a run was not recorded"),
    );
    notes.set(name, { at, written });
  }

  return {
    names: () => Object.keys(jobs),
    list: () => listJobs(ctx),
    /** `busy`: it is running here or, if shared, anywhere, and its runs do not overlap. */
    run: (name: string) => run(name, false),
    /** The first run comes after one pace. Returns the function that stops the timers and waits for running jobs. */
    start(): () => Promise<void> {
      const timers = Object.entries(jobs).map(([name, { everyInMs }]) =>
        setInterval(() => void run(name, true), everyInMs),
      );
      return async () => {
        for (const timer of timers) clearInterval(timer);
        await Promise.all([...running.keys(), ...[...notes.values()].map(({ written }) => written)]);
        await runLog.settle();
      };
    },
  };
}

async function listJobs(ctx: JobsContext): Promise<JobView[]> {
  const runs = await listRuns(ctx.db);
  return Object.entries(ctx.jobs).map(([name, { everyInMs, isShared }]) => {
    const { claimedUntil, lastRun, lastFailure } = runs.get(name) ?? {};
    const lastRunAt = claimedUntil && after(claimedUntil, -everyInMs * RUN_SHARE);
    return { name, everyInMs, isShared, lastRunAt, lastRun, lastFailure };
  });
}

/** Renews the lease while it works; returns whether it got it. */
async function workUnderLease(ctx: JobsContext, name: string, job: Job): Promise<boolean> {
  const { log } = ctx;
  if (!(await takeLease(ctx, name, LEASE_LIFE_IN_MS))) return false;
  const renewal = setInterval(() => {
    renewLease(ctx, name, LEASE_LIFE_IN_MS).then(
      (isHeld) => isHeld || log.warn({ job: name }, "a job lost its lease"),
      (error: unknown) => log.warn({ job: name, error }, "a lease was not renewed"),
    );
  }, RENEW_EVERY_IN_MS);
  try {
    await job.work();
  } finally {
    clearInterval(renewal);
    await giveBackLease(ctx, name);
  }
  return true;
}

/* Leases: one of several processes on one database does a job while it reports itself alive. */

/** `holder` is unique among the processes on one database, earlier ones of the same machine included. */
export type LeaseContext = { db: Queries; clock: Clock; holder: string };

/** Takes a lease that is free or has expired. Its holder cannot take it twice. */
export async function takeLease({ db, clock, holder }: LeaseContext, name: string, lifeInMs: number): Promise<boolean> {
  const now = clock();
  const lease = { holder, expiresAt: after(now, lifeInMs) };
  const row = await db
    .insertInto("jobLeases")
    .values({ name, ...lease })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet(lease)
        .where((held) =>
          held.or([
            held("jobLeases.expiresAt", "<=", now),
            // Further ahead than two clocks differ: written before a clock was set back, it would block for too long.
            held("jobLeases.expiresAt", ">", after(now, 2 * lifeInMs)),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Extends the lease from now; returns whether it was still held. */
export async function renewLease(
  { db, clock, holder }: LeaseContext,
  name: string,
  lifeInMs: number,
): Promise<boolean> {
  const lease = db.updateTable("jobLeases").set({ expiresAt: after(clock(), lifeInMs) });
  return hasChanged(lease.where("name", "=", name).where("holder", "=", holder));
}

export async function giveBackLease({ db, holder }: LeaseContext, name: string): Promise<void> {
  await db.deleteFrom("jobLeases").where("name", "=", name).where("holder", "=", holder).execute();
}
