/** The trace that the caller claims, for log lines. */
export type Trace = { traceId?: string; parentId?: string };

/** W3C Trace Context (2021), 3.2: version, trace, parent and flags, in lower case. Later versions may add more behind a hyphen. */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** Any client may send the header, so one of another shape gives nothing. */
export function readTrace(header: string | string[] | null | undefined): Trace {
  if (typeof header !== "string") return {};
  const [, version, traceId, parentId, more] = pattern.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || (version === "00" && more !== undefined)) return {};
  return { traceId, parentId };
}
