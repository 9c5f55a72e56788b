/** What a form may hold once its brackets are read. */
export type Params = { [name: string]: ParamValue };
export type ParamValue = string | Params | ParamValue[];

/** Reads `metadata[order_id]=7&expand[0]=payment_intent` as Stripe does: brackets nest, and numbers in them count. */
export function readForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = [...name.matchAll(/[^[\]]+/g)].map(([step]) => step);
    put(root, steps, value);
  }
  return toLists(root) as Params;
}

function put(into: Params, [step = "", ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    into[step] = value;
    return;
  }
  const next = into[step];
  const below: Params = typeof next === "object" && !Array.isArray(next) ? next : {};
  into[step] = below;
  put(below, rest, value);
}

function toLists(value: ParamValue): ParamValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, toLists(each)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** A list of texts, such as `expand`. */
export function textsOf(value: ParamValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function textOf(value: ParamValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function paramsOf(value: ParamValue | undefined): Params {
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** Metadata is text, whatever it looks like. */
export function metadataOf(value: ParamValue | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(paramsOf(value)).map(([name, each]) => [name, textOf(each) ?? ""]));
}

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
