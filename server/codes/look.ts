import type { BillingRequest, Debit, DebitGateway, Mandate } from "../payments/debit-gateway.ts";
import type { Collection } from "./collections.ts";
import type { CompanyRow } from "./company-rows.ts";

/** What the gateway says of a company, asked just now. */
export type Sight = {
  request: BillingRequest | undefined;
  /** The mandate that counts, replacements followed. */
  mandate: Mandate | undefined;
  /** Whether that mandate comes from an agreement that is new to us. */
  isNewAgreement: boolean;
  /** How each debit that was asked about stands, by its id. */
  debits: Map<string, Debit>;
};

type Subject = {
  company: CompanyRow;
  collections: Collection[];
  /** A debit to be asked about although it was settled. */
  debitId?: string | undefined;
};

/** A mandate replaced more often than this is a circle. */
const MAX_REPLACEMENTS = 20;

/** Asks the gateway how a company stands. Throws when it cannot be asked, or does not know what it told us once. */
export async function lookAt({ company, collections, debitId }: Subject, gateway: DebitGateway): Promise<Sight> {
  const { mandate_id: mandateId, billing_request_id: requestId } = company;
  const request = requestId === null ? undefined : await gateway.findBillingRequest(requestId);
  const current = mandateId === null ? undefined : await followMandate(mandateId, gateway);
  const agreedId = request?.state === "fulfilled" ? request.mandateId : undefined;
  const isOther = agreedId !== undefined && agreedId !== mandateId;
  const agreed = isOther ? await followMandate(agreedId, gateway) : undefined;
  const debits = new Map<string, Debit>();
  for (const { gatewayId, state } of collections) {
    const isAsked = state !== "paid-out" || gatewayId === debitId;
    if (gatewayId === undefined || !isAsked) continue;
    const debit = await gateway.findDebit(gatewayId);
    if (!debit) throw new Error(`The gateway does not know debit ${gatewayId}`);
    debits.set(gatewayId, debit);
  }
  // An agreement leads to its first mandate for ever, even when we know the one that replaced it.
  const isNewAgreement = agreed !== undefined && agreed.id !== current?.id;
  return { request, mandate: isNewAgreement ? agreed : current, isNewAgreement, debits };
}

/** D7: what is collected from now on is collected under the mandate that replaced another. */
async function followMandate(id: string, gateway: DebitGateway): Promise<Mandate> {
  let nextId: string | undefined = id;
  for (let step = 0; step <= MAX_REPLACEMENTS && nextId !== undefined; step += 1) {
    const mandate = await gateway.findMandate(nextId);
    if (!mandate) throw new Error(`The gateway does not know mandate ${nextId}`);
    if (mandate.state !== "replaced") return mandate;
    nextId = mandate.replacementId;
  }
  throw new Error(`The gateway does not say what has replaced mandate ${id}`);
}

export function isCollectable(mandate: Mandate | undefined): boolean {
  return mandate?.state === "pending" || mandate?.state === "active";
}
