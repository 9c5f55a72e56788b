import { z } from "zod";

const reading = z.object({
  type: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  statusCode: z.int().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/** What the log may hold of a gateway's refusal. Its own words are left out: they may quote what it was sent, the payer's address too. */
export function toFaultFacts(error: unknown): object {
  const { type, code, statusCode, requestId } = reading.safeParse(error).data ?? {};
  return {
    type: type ?? (error instanceof Error ? error.name : typeof error),
    ...(code !== undefined && { code }),
    ...(statusCode !== undefined && { status: statusCode }),
    ...(requestId !== undefined && { requestId }),
  };
}
