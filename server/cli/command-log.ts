import type { Log } from "../log.ts";

/** What the rooms have to say to an operator: faults alone, a line each on stderr; stdout holds the answer and nothing else. */
export const commandLog: Log = { info: () => undefined, warn: sayOnStderr, error: sayOnStderr };

/** For commands whose answer says it all. */
export const noLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function sayOnStderr(facts: object, event: string): void {
  const { error, ...others } = facts as { error?: unknown };
  const about = Object.entries(others).map(([name, value]) => `${name} ${String(value)}`);
  console.error([[event, ...about].join(", "), ...(error === undefined ? [] : [sayError(error)])].join(": "));
}

/** A fault on one line. Of several at once (an address with two numbers, say) each says its own. */
export function sayError(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(sayError).join("; ");
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s+/g, " ");
}
