import { SECOND_IN_MS } from "../../clock.ts";

/** An answer as it came, its body read as JSON: `undefined` where it is none and need not be (a proxy's page under a 502). */
export type RawAnswer = { status: number; headers: Headers; body: unknown };

/** A full page of events is a third of it. */
const MAX_BYTES = 1024 * 1024;

/** Reads an answer to its end. Throws when it is too long, is cut off, or should be JSON and is not. */
export async function readAnswer(response: Response): Promise<RawAnswer> {
  const { status, headers } = response;
  const text = await readText(response);
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    if (response.ok) throw new Error("its answer is no JSON");
    return { status, headers, body: undefined };
  }
}

async function readText({ body }: Response): Promise<string> {
  if (!body) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an error ends the transfer.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`its answer is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** How long GoCardless asks to be left alone: `RateLimit-Reset` (when the minute is over) or what proxies send. 0 if it says nothing. */
export function askedToWaitInMs(headers: Headers, now: Date): number {
  const asked = headers.get("Retry-After") ?? headers.get("RateLimit-Reset");
  if (asked === null) return 0;
  if (/^\d+$/.test(asked)) return Number(asked) * SECOND_IN_MS;
  const until = Date.parse(asked);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}
