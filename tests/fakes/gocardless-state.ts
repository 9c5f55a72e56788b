import type { Clock } from "../../server/clock.ts";
import {
  makeId,
  newBillingRequest,
  newFlow,
  newMandate,
  newPayment,
  notFound,
  Refused,
  type EventThing,
  type Links,
  type NewFlow,
  type NewPayment,
  type Thing,
  type Words,
} from "./gocardless-things.ts";

export type Collection = "billing_requests" | "billing_request_flows" | "mandates" | "payments";

/** What GoCardless remembers, and the rules by which it changes. Every change leaves an event. */
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

  function tell(resource_type: EventThing["resource_type"], action: string, about: Telling): void {
    events.push({
      id: makeId("EV"),
      created_at: clock().toISOString(),
      resource_type,
      action,
      links: about.links,
      details: {
        origin: "bank",
        cause: `${resource_type}_${action}`,
        description: "",
        scheme: "bacs",
        ...about.details,
      },
      metadata: {},
      resource_metadata: about.metadata ?? {},
    });
  }

  /** The second of two calls under one key is refused, with the number of what the first has made. */
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
      tell("payments", "created", { links: { payment: made.id }, metadata: made["metadata"] as Words });
      return made;
    },
  };

  return {
    all,
    events,
    find,
    tell,
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
      tell("mandates", "created", { links: { mandate: mandate.id } });
      const links = { billing_request: requestId, mandate_request_mandate: mandate.id };
      tell("billing_requests", "fulfilled", { links, metadata });
    },

    /** A mandate takes another state, by its bank or by its payer. */
    turnMandate(id: string, status: string, action = status): void {
      find("mandates", id).status = status;
      tell("mandates", action, { links: { mandate: id } });
      if (collectable.has(status) || status === "suspended_by_payer") return;
      for (const payment of all.payments.values()) {
        if (payment.links?.["mandate"] !== id || payment.status !== "pending_submission") continue;
        payment.status = "cancelled";
        tell("payments", "cancelled", { links: { payment: payment.id } });
      }
    },

    replaceMandate(id: string): string {
      const before = find("mandates", id);
      const next = { ...newMandate(before.links?.["customer"] ?? "", clock()), status: "active" };
      all.mandates.set(next.id, next);
      before.status = "cancelled";
      before.links = { ...before.links, new_mandate: next.id };
      tell("mandates", "replaced", { links: { mandate: id, new_mandate: next.id } });
      return next.id;
    },

    turnPayment(id: string, status: string, { action = status, details = {} }: Turn = {}): void {
      const payment = find("payments", id);
      payment.status = status;
      tell("payments", action, { links: { payment: id }, details, metadata: payment["metadata"] as Words });
    },
  };
}

type Telling = { links: Links; details?: Record<string, unknown>; metadata?: Words };
type Turn = { action?: string; details?: Record<string, unknown> };

const notActionable = { message: "This billing request can not be acted on", reason: "billing_request_not_pending" };
