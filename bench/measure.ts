import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

import { askMany, check, type Subject } from "./requests.ts";
import type { Server } from "./servers.ts";

/** How thorough the bench is. */
export type Effort = {
  rounds: number;
  /** CPU time of a server in one round: long, because the kernel counts in ticks. */
  burstInMs: number;
  /** Requests before the first round, because V8 compiles hot code only after a while. */
  warmUpCount: number;
  /** How long a server is under load before its memory is read. */
  loadInMs: number;
  starts: number;
  strainInMs: number;
  /** Pictures that are sent before memory is read. */
  pictures: number;
  /** How often a browser visits each screen. */
  visits: number;
};

/** CPU milliseconds of one request, a figure a round. */
export type Rounds = number[];

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/**
 * Measures all subjects in each round, so that disturbances of the machine affect all alike, and the figures of a round
 * can be compared.
 */
export async function measure<Name extends string>(
  subjects: Record<Name, Subject>,
  effort: Effort,
): Promise<Record<Name, Rounds>> {
  const entries = Object.entries(subjects) as [Name, Subject][];
  const runs: { subject: Subject; count: number; rounds: Rounds }[] = [];
  for (const [, subject] of entries) runs.push({ subject, count: await warmUp(subject, effort), rounds: [] });
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const { subject, count, rounds } of runs) rounds.push(await measureBurst(subject, count));
  }
  return Object.fromEntries(entries.map(([name], index) => [name, runs[index]?.rounds])) as Record<Name, Rounds>;
}

/**
 * Checks the answer and warms the server up; returns the number of requests in a burst, which has each path equally
 * often.
 */
async function warmUp(subject: Subject, { warmUpCount, burstInMs }: Effort): Promise<number> {
  await check(subject);
  await askMany(subject, warmUpCount / 2);
  const costInMs = await measureBurst(subject, warmUpCount / 2);
  const { length } = [subject.path].flat();
  return length * Math.ceil(burstInMs / Math.max(costInMs, MIN_COST_IN_MS) / length);
}

/** No answer costs less. */
const MIN_COST_IN_MS = 0.01;

async function measureBurst(subject: Subject, count: number): Promise<number> {
  const before = await readCpu(subject.server);
  await askMany(subject, count);
  return ((await readCpu(subject.server)) - before) / count;
}

/** The CPU time of a process, in milliseconds: `utime` and `stime` of proc(5), all threads together. */
export async function readCpu({ pid }: Server): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [, , , , , , , , , , , utime, stime] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(utime) + Number(stime)) * 1000) / TICKS_PER_SECOND;
}

export function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The median of the rounds' ratios. */
export function medianRatio(rounds: Rounds, others: Rounds): number {
  return median(rounds.map((figure, round) => figure / (others[round] ?? Number.NaN)));
}
