import { randomBytes } from "node:crypto";

import { after, type Clock, DAY_IN_MS } from "../../server/platform/clock.ts";

type Links = Record<string, string>;
type Thing = { id: string; created_at: string; status?: string; links?: Links } & Record<string, unknown>;
type Words = Record<string, string>;

export type EventThing = {
  id: string;
  created_at: string;
  resource_type: "billing_requests" | "mandates" | "payments" | "payouts";
  action: string;
  links: Links;
  details: Record<string, unknown>;
  metadata: Words;
  resource_metadata: Words;
};

/** https://developer.gocardless.com/api-reference, "Errors". */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;
  readonly fault: { message: string; reason?: string; field?: string; links?: Links };

  constructor(status: number, type: string, fault: Refused["fault"]) {
    super(fault.message);
    this.status = status;
    this.type = type;
    this.fault = fault;
  }
}

export function toRefusal({ status, type, fault, message }: Refused) {
  return {
    error: {
      message,
      type,
      code: status,
      request_id: "00000000-0000-4000-8000-000000000000",
      documentation_url: "https://developer.gocardless.com/api-reference#errors",
      errors: [fault],
    },
  };
}

export const notFound = () =>
  new Refused(404, "invalid_api_usage", { message: "Resource not found", reason: "resource_not_found" });

export function makeId(prefix: string): string {
  return prefix + randomBytes(7).toString("hex").toUpperCase().slice(0, 13);
}

const CREDITOR = "CR000FAKE";

type NewRequest = { mandate_request: { scheme: string; currency: string }; metadata?: Words };

function newThing(prefix: string, now: Date, known: Omit<Thing, "id" | "created_at">): Thing {
  return { id: makeId(prefix), created_at: now.toISOString(), ...known };
}

function newBillingRequest({ mandate_request, metadata = {} }: NewRequest, now: Date): Thing {
  const links = { creditor: CREDITOR, customer: makeId("CU"), mandate_request: makeId("MRQ") };
  return newThing("BRQ", now, { status: "pending", mandate_request, metadata, links });
}

type NewFlow = { redirect_uri: string; exit_uri: string; links: { billing_request: string } };

function newFlow(wanted: NewFlow, { now, origin }: { now: Date; origin: string }): Thing {
  const made = newThing("BRF", now, { ...wanted, expires_at: after(now, 7 * DAY_IN_MS).toISOString() });
  return { ...made, authorisation_url: `${origin}/flow?id=${made.id}` };
}

function newMandate(customer: string, now: Date): Thing {
  const links = { creditor: CREDITOR, customer, customer_bank_account: makeId("BA") };
  return newThing("MD", now, { status: "pending_submission", scheme: "bacs", reference: makeId("DORM-"), links });
}

type NewPayment = { amount: number; currency: string; metadata?: Words; links: { mandate: string } };

function newPayment(wanted: NewPayment, now: Date): Thing {
  const { metadata = {}, links } = wanted;
  const known = { ...wanted, metadata, links: { creditor: CREDITOR, ...links } };
  return newThing("PM", now, { status: "pending_submission", scheme: "bacs", ...known });
}

export const creditor = {
  id: CREDITOR,
  created_at: "2026-01-01T12:00:00.000Z",
  name: "Sleep Well Ltd",
  country_code: "GB",
  verification_status: "successful",
  links: {},
};

export type Collection = "billing_requests" | "billing_request_flows" | "mandates" | "payments";

/** Every change of state leaves an event. */
export type GoCardlessState = ReturnType<typeof createGoCardlessState>;

const collectable = new Set(["pending_customer_approval", "pending_submission", "submitted", "active"]);

export function createGoCardlessState({ clock, origin }: { clock: Clock; origin: string }) {
  const all: Record<Collection, Map<string, Thing>> = {
    billing_requests: new Map(),
    billing_request_flows: new Map(),
    mandates: new Map(),
    payments: new Map(),
  };
  const keys = new Map<string, string>();
  const events: EventThing[] = [];

  function find(collection: Collection, id: string): Thing {
    const found = all[collection].get(id);
    if (!found) throw notFound();
    return found;
  }

  function addEvent(resource_type: EventThing["resource_type"], action: string, about: Telling): void {
    events.push({
      id: makeId("EV"),
      created_at: clock().toISOString(),
      resource_type,
      action,
      links: about.links,
      details: { origin: "bank", cause: `${resource_type}_${action}`, ...about.details },
      metadata: {},
      resource_metadata: about.metadata ?? {},
    });
  }

  /** A second call under one key is refused, with the id of the first object. */
  function once(collection: Collection, key: string | undefined, make: () => Thing): Thing {
    const before = key === undefined ? undefined : keys.get(`${collection} ${key}`);
    if (before !== undefined) {
      throw new Refused(409, "invalid_state", {
        message: "A resource has already been created with this idempotency key",
        reason: "idempotent_creation_conflict",
        links: { conflicting_resource_id: before },
      });
    }
    const made = make();
    all[collection].set(made.id, made);
    if (key !== undefined) keys.set(`${collection} ${key}`, made.id);
    return made;
  }

  const create: Record<Collection, (wanted: never) => Thing> = {
    billing_requests: (wanted: Parameters<typeof newBillingRequest>[0]) => newBillingRequest(wanted, clock()),
    billing_request_flows(wanted: NewFlow) {
      const { status } = find("billing_requests", wanted.links.billing_request);
      if (status !== "pending") throw new Refused(422, "invalid_state", notActionable);
      return newFlow(wanted, { now: clock(), origin });
    },
    mandates() {
      throw notFound();
    },
    payments(wanted: NewPayment) {
      const mandate = find("mandates", wanted.links.mandate);
      if (mandate.links?.["new_mandate"]) {
        const links = { new_mandate: mandate.links["new_mandate"] };
        const fault = { message: "This mandate has been replaced", reason: "mandate_replaced", links };
        throw new Refused(422, "invalid_state", fault);
      }
      if (!collectable.has(mandate.status ?? "")) {
        const fault = { message: "Mandate is failed, cancelled or expired", reason: "mandate_is_inactive" };
        throw new Refused(422, "invalid_state", fault);
      }
      const made = newPayment(wanted, clock());
      addEvent("payments", "created", { links: { payment: made.id }, metadata: made["metadata"] as Words });
      return made;
    },
  };

  return {
    all,
    events,
    find,
    addEvent,
    create: (collection: Collection, wanted: unknown, key?: string) =>
      once(collection, key, () => create[collection](wanted as never)),

    /** The company has agreed on the page: its request is fulfilled, and a mandate made. */
    fulfil(requestId: string): void {
      const request = find("billing_requests", requestId);
      if (request.status !== "pending") return;
      const mandate = newMandate(request.links?.["customer"] ?? "", clock());
      all.mandates.set(mandate.id, mandate);
      request.status = "fulfilled";
      request.links = { ...request.links, mandate_request_mandate: mandate.id };
      const metadata = request["metadata"] as Words;
      addEvent("mandates", "created", { links: { mandate: mandate.id } });
      const links = { billing_request: requestId, mandate_request_mandate: mandate.id };
      addEvent("billing_requests", "fulfilled", { links, metadata });
    },

    /** By its bank or by its payer. */
    turnMandate(id: string, status: string, action = status): void {
      find("mandates", id).status = status;
      addEvent("mandates", action, { links: { mandate: id } });
      if (collectable.has(status) || status === "suspended_by_payer") return;
      for (const payment of all.payments.values()) {
        if (payment.links?.["mandate"] !== id || payment.status !== "pending_submission") continue;
        payment.status = "cancelled";
        addEvent("payments", "cancelled", { links: { payment: payment.id } });
      }
    },

    replaceMandate(id: string): string {
      const before = find("mandates", id);
      const next = { ...newMandate(before.links?.["customer"] ?? "", clock()), status: "active" };
      all.mandates.set(next.id, next);
      before.status = "cancelled";
      before.links = { ...before.links, new_mandate: next.id };
      addEvent("mandates", "replaced", { links: { mandate: id, new_mandate: next.id } });
      return next.id;
    },

    turnPayment(id: string, status: string, { action = status, details = {} }: Turn = {}): void {
      const payment = find("payments", id);
      payment.status = status;
      addEvent("payments", action, { links: { payment: id }, details, metadata: payment["metadata"] as Words });
    },
  };
}

type Telling = { links: Links; details?: Record<string, unknown>; metadata?: Words };
type Turn = { action?: string; details?: Record<string, unknown> };

const notActionable = { message: "This billing request can not be acted on", reason: "billing_request_not_pending" };

/** The acts of banks, payers and time. */
export function createGoCardlessControls(state: GoCardlessState) {
  const { turnMandate, turnPayment, replaceMandate } = state;
  return {
    activate: (mandateId: string) => turnMandate(mandateId, "active"),
    failMandate: (mandateId: string) => turnMandate(mandateId, "failed"),
    cancelMandate: (mandateId: string) => turnMandate(mandateId, "cancelled"),
    expireMandate: (mandateId: string) => turnMandate(mandateId, "expired"),
    blockMandate: (mandateId: string) => turnMandate(mandateId, "blocked"),
    suspendMandate: (mandateId: string) => turnMandate(mandateId, "suspended_by_payer"),
    resumeMandate: (mandateId: string) => turnMandate(mandateId, "active", "resumed_by_payer"),
    reinstateMandate: (mandateId: string) => turnMandate(mandateId, "active", "reinstated"),
    /** The payer has changed banks, and the mandate with it. */
    transferMandate: (mandateId: string) => turnMandate(mandateId, "active", "transferred"),
    replaceMandate,

    submit: (paymentId: string) => turnPayment(paymentId, "submitted"),
    confirm: (paymentId: string) => turnPayment(paymentId, "confirmed"),
    payOut: (paymentId: string) => turnPayment(paymentId, "paid_out"),
    cancelPayment: (paymentId: string) => turnPayment(paymentId, "cancelled"),
    /** An empty or closed account; also weeks after the payout. */
    failPayment: (paymentId: string, { willRetry = false } = {}) =>
      turnPayment(paymentId, "failed", {
        details: { will_attempt_retry: willRetry, cause: "insufficient_funds", reason_code: "ARUDD-0" },
      }),
    /** By GoCardless, or by an operator at its dashboard. */
    retryPayment: (paymentId: string) =>
      turnPayment(paymentId, "pending_submission", { action: "resubmission_requested" }),
    chargeBack: (paymentId: string) =>
      turnPayment(paymentId, "charged_back", {
        details: { cause: "direct_debit_not_authorised", reason_code: "DDIC-1" },
      }),
    cancelChargeback: (paymentId: string) => turnPayment(paymentId, "paid_out", { action: "chargeback_cancelled" }),
    announcePayout: () => state.addEvent("payouts", "paid", { links: { payout: "PO000FAKE" } }),
  };
}

type PageAnswer = { status: number; location?: string; html?: string };

type Visit = { method: string; id: string; form: URLSearchParams };

/** GoCardless's page, on which a company agrees or leaves. Without a posted form it is shown. */
export function answerPage(
  { method, id, form }: Visit,
  { state, clock }: { state: GoCardlessState; clock: Clock },
): PageAnswer {
  const flow = state.all.billing_request_flows.get(id);
  const links = flow?.links as { billing_request: string } | undefined;
  if (!flow || !links) return { status: 404, html: page("<p>There is no such page.</p>") };
  const { status } = state.find("billing_requests", links.billing_request);
  const isOver = status === "cancelled" || clock().toISOString() >= String(flow["expires_at"]);
  if (isOver) return { status: 410, html: page("<p>This link is over. Please ask for another.</p>") };
  if (method === "GET") return { status: 200, html: page(agreementForm) };
  if (form.get("intent") !== "agree") return { status: 303, location: String(flow["exit_uri"]) };
  if (!/^\d{8}$/.test(form.get("account_number") ?? "") || !/^\d{6}$/.test(form.get("branch_code") ?? "")) {
    return { status: 422, html: page(`<p role="alert">Please check the account.</p>${agreementForm}`) };
  }
  state.fulfil(links.billing_request);
  return { status: 303, location: String(flow["redirect_uri"]) };
}

/** The account that GoCardless's sandbox takes. */
const agreementForm = `<form method="post">
  <label>Account holder <input name="account_holder_name" value="Acme Ltd"></label>
  <label>Sort code <input name="branch_code" value="200000"></label>
  <label>Account number <input name="account_number" value="55779911"></label>
  <button name="intent" value="agree">Set up this Direct Debit</button>
  <button name="intent" value="exit">Leave</button>
</form>`;

function page(inner: string): string {
  return `<!doctype html><html lang="en"><title>Set up a Direct Debit</title><main><h1>Direct Debit</h1>${inner}</main></html>`;
}
