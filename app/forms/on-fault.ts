import type { Log } from "../../server/log.ts";

/** What a room answers, or, if it fails, a refusal like any other: the form says so and keeps what was typed. The fault is logged. */
export async function onFault<Result>(
  log: Log,
  ask: () => Promise<Result>,
): Promise<Result | { ok: false; reason: "fault" }> {
  try {
    return await ask();
  } catch (error) {
    log.error({ error }, "a form could not be worked on");
    return { ok: false, reason: "fault" };
  }
}
