/** The trace that a request belongs to, by the caller's account, for the lines of the log. */
export type Trace = { traceId?: string; parentId?: string };

/** W3C Trace Context (2021), 3.2: version, trace, parent and flags, in lower case. Later versions may add more behind a hyphen. */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** Reads a `traceparent` header. Nothing of one that has another shape is taken over: any client may have sent it. */
export function readTrace(header: string | string[] | null | undefined): Trace {
  if (typeof header !== "string") return {};
  const [, version, traceId, parentId, more] = pattern.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || (version === "00" && more !== undefined)) return {};
  return { traceId, parentId };
}
