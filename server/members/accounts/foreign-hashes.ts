import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { createGate } from "../../platform/gate.ts";

/** Hashes that members brought from elsewhere are checked in a thread of its own, one after another: each takes up to half a second. */

export type ForeignCheck = { password: string; stored: string };

const oneAtATime = createGate(1);
/** Started for the first check: most installations have none. */
let thread: Worker | undefined;

/** Whether a password is the one behind a hash from elsewhere; right or wrong, it takes the same time. */
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
    // The thread alone holds no process open.
    thread.unref();
    return isRight;
  } catch (error) {
    thread = undefined;
    throw error;
  }
}
