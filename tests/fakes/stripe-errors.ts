/** An error as Stripe words it: a status and what stands under `error`. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> & { type: string } };
  /** Refused before anything began: nothing is kept under the idempotency key. */
  readonly isBeforehand: boolean;

  constructor(status: number, error: Record<string, unknown> & { type: string }, isBeforehand = false) {
    super(String(error.message));
    this.status = status;
    this.body = { error };
    this.isBeforehand = isBeforehand;
  }
}

const INVALID = "invalid_request_error";

export function invalid(message: string, more: { param?: string; code?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { type: INVALID, message, ...more }, true);
}

export function missing(what: string, { id, param }: { id: string; param: string }): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  // One that a path names is 404, one that a parameter names is 400.
  return new StripeRefusal(
    param === "id" ? 404 : 400,
    { type: INVALID, code: "resource_missing", message, param },
    true,
  );
}

/** Right in itself, and impossible as things stand. */
export function impossible(message: string, more: Record<string, unknown> = {}): StripeRefusal {
  return new StripeRefusal(400, { type: INVALID, message, ...more });
}

export function unauthorised(key: string): StripeRefusal {
  const shown = key === "" ? "You did not provide an API key." : `Invalid API Key provided: ${key.slice(0, 8)}****`;
  return new StripeRefusal(401, { type: INVALID, message: shown }, true);
}
