import { z } from "zod";

import type { RawAnswer } from "./answer.ts";

/** Why GoCardless refused, as far as it says. */
export type Refusal = {
  status: number;
  /** `invalid_state`, `validation_failed` and so on; `unknown` when the answer is not GoCardless's own. */
  type: string;
  /** Machine-readable: `mandate_is_inactive`. */
  reasons: string[];
  /** Which fields were wrong, and how. Never what stood in them. */
  faults: string[];
  /** What was made under the same key before. */
  conflictId: string | undefined;
  /** For whoever writes to GoCardless about it. */
  requestId: string | undefined;
};

/** GoCardless has answered, and it was no. */
export class GoCardlessError extends Error {
  readonly refusal: Refusal;

  constructor(asked: string, refusal: Refusal) {
    const { status, type, reasons, faults, requestId } = refusal;
    const details = [type, ...reasons, ...faults, requestId && `request ${requestId}`].filter(Boolean).join(", ");
    super(`GoCardless answered ${status} to ${asked} (${details})`);
    this.name = "GoCardlessError";
    this.refusal = refusal;
  }
}

const CONFLICT = "idempotent_creation_conflict";

const answer = z.object({
  error: z.object({
    type: z.string(),
    request_id: z.string().optional().catch(undefined),
    errors: z
      .array(
        z.object({
          reason: z.string().optional(),
          field: z.string().optional(),
          message: z.string().optional(),
          links: z.object({ conflicting_resource_id: z.string().optional() }).optional().catch(undefined),
        }),
      )
      .catch([]),
  }),
});

/** Of an answer that is no success; https://developer.gocardless.com/api-reference, "Errors". */
export function readRefusal({ status, body }: RawAnswer): Refusal {
  const error = answer.safeParse(body).data?.error;
  const errors = error?.errors ?? [];
  return {
    status,
    type: error?.type ?? "unknown",
    reasons: errors.flatMap(({ reason }) => reason ?? []),
    faults: errors.flatMap(({ field, message = "" }) => (field ? `${field} ${message}`.trim().slice(0, 200) : [])),
    conflictId: errors.find(({ reason }) => reason === CONFLICT)?.links?.conflicting_resource_id,
    requestId: error?.request_id,
  };
}
