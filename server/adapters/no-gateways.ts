import type { CardCharges } from "../payments/card-gateway.ts";
import type { DebitGateway } from "../payments/debit-gateway.ts";

/**
 * The card gateway of an installation without a payment provider: no payment can begin, so nothing is charged. The demo's gateways
 * are never used there, because they would accept any test card as money.
 */
export function createNoCards(): CardCharges {
  const refuse = refuseTo("card payments");
  return {
    name: "no-cards",
    fields: { kind: "none" },
    createCustomer: refuse,
    startPayment: refuse,
    startHostedPayment: refuse,
    findPayment: async () => undefined,
    listPaymentsOf: async () => [],
    cancelPayment: refuse,
    check: async () => ({
      isWell: true,
      says: "None are configured, so nobody can pay by card: joining is closed but for codes. STRIPE_SECRET_KEY opens it.",
    }),
  };
}

/** The same for Direct Debits. */
export function createNoDebits(): DebitGateway {
  const refuse = refuseTo("Direct Debits");
  return {
    name: "no-debits",
    createBillingRequest: refuse,
    openFlow: refuse,
    findBillingRequest: async () => undefined,
    findMandate: async () => undefined,
    collect: refuse,
    findDebit: async () => undefined,
    readEvents: () => undefined,
    listEventsSince: async () => [],
    check: async () => ({
      isWell: true,
      says: "None are configured, so no company can be added. GOCARDLESS_ACCESS_TOKEN opens it.",
    }),
  };
}

function refuseTo(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`No ${what} are configured`));
}
