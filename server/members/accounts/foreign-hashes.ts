import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { createGate } from "../../platform/gate.ts";

/** Hashes from another system are checked in one thread, one after another: each takes up to half a second. */

export type ForeignCheck = { password: string; stored: string };

const oneAtATime = createGate(1);
/** Started at the first check: most installations have none. */
let thread: Worker | undefined;

/** Takes the same time for a right and a wrong password. */
export function isBehindForeignHash(check: ForeignCheck): Promise<boolean> {
  return oneAtATime(() => askThread(check));
}

async function askThread(check: ForeignCheck): Promise<boolean> {
  thread ??= new Worker(new URL("./foreign-hash-thread.ts", import.meta.url));
  try {
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    thread.postMessage(check);
    const [isRight] = (await once(thread, "message")) as [boolean];
    // This thread must not keep the process running.
    thread.unref();
    return isRight;
  } catch (error) {
    thread = undefined;
    throw error;
  }
}
