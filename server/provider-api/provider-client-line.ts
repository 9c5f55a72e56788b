import { ProviderError } from "./provider-client-refusal.ts";

/** One question over the wire, and the whole of its answer. */
export type Question = {
  /** How it is named in errors and logs: never with its query. */
  name: string;
  url: URL;
  method: "GET" | "POST" | "PATCH";
  headers: Record<string, string>;
  body?: string | undefined;
  /** Ends the question, and the reading of its answer. */
  signal: AbortSignal;
  maxBytes: number;
};

export type RawAnswer = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> };

/**
 * Follows no redirect: the next host would get our key and the member's token.
 * @throws {ProviderError} when no answer comes, or one that is too large or leads elsewhere.
 */
export async function ask({ name, url, maxBytes, body, ...how }: Question): Promise<RawAnswer> {
  try {
    const response = await fetch(url, { ...how, ...(body !== undefined && { body }), redirect: "manual" });
    const { status, headers } = response;
    if (status >= 300 && status < 400 && status !== 304) {
      await response.body?.cancel();
      throw strange(`${name} sends us elsewhere (${status}), which is not followed: is API_URL right?`);
    }
    return { status, headers, bytes: await readBody(response, { name, maxBytes }) };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${name}: ${sayFault(error)}`, { isUnreachable: true });
  }
}

export function strange(message: string): ProviderError {
  return new ProviderError(message, { isUnreachable: false });
}

async function readBody(response: Response, { name, maxBytes }: Pick<Question, "name" | "maxBytes">) {
  const tooLarge = () => strange(`${name} answered more than ${maxBytes} bytes`);
  if (Number(response.headers.get("Content-Length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection: what is still coming is not read.
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts, size));
}

/** Network errors say little: "fetch failed", and why in a cause. Of others the name alone: they may quote a header. */
function sayFault(error: unknown): string {
  const { name = "", cause } = error instanceof Error ? error : {};
  if (name === "TimeoutError" || name === "AbortError") return "the provider did not answer in time";
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : name;
  return `the provider cannot be reached (${code})`;
}
