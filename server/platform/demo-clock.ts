import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Clock, systemClock } from "./clock.ts";

/* The clock of a demo, which a command can set while servers run. A file in the demo's folder has its distance from
   the real time. Every turn of the event loop that needs the time checks that file, so a new time counts at once in
   every process. Production never reads it. */

/** Counts how often this process has set a clock, because a new time counts within the same turn. */
let timesSet = 0;

/** Runs on from the time that was set last, or is the real time. */
export function createDemoClock(dataDir: string): Clock {
  const path = toPath(dataDir);
  let known = "";
  let aheadInMs = 0;
  let lookedAfter: number | undefined;

  function look(): void {
    lookedAfter = timesSet;
    setImmediate(() => (lookedAfter = undefined));
    const found = statSync(path, { throwIfNoEntry: false });
    // A new time is a new file, because times of change may be as coarse as a tick of the kernel.
    const version = found ? `${found.ino} ${found.mtimeMs}` : "";
    if (version !== known) {
      known = version;
      aheadInMs = found ? read(path) : 0;
    }
  }

  return () => {
    if (lookedAfter !== timesSet) look();
    return new Date(systemClock().getTime() + aheadInMs);
  };
}

/** Sets the clock of every process on this folder; it runs on from the instant. `undefined`: back to the real time. */
export function setDemoClock(dataDir: string, instant: Date | undefined): void {
  const path = toPath(dataDir);
  timesSet += 1;
  if (!instant) return rmSync(path, { force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${instant.getTime() - systemClock().getTime()}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function isDemoClockSet(dataDir: string): boolean {
  return statSync(toPath(dataDir), { throwIfNoEntry: false }) !== undefined;
}

function toPath(dataDir: string): string {
  return join(dataDir, "demo-clock");
}

/** An unreadable file counts as none. */
function read(path: string): number {
  try {
    const ms = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(ms) ? ms : 0;
  } catch {
    return 0;
  }
}
