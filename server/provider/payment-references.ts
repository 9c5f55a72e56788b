import { z } from "zod";

import { findPlan, type PlanType } from "../money/membership/plans.ts";
import type { Seal } from "../platform/seal.ts";

const payer = z.object({ emailKey: z.string(), methodId: z.string().optional() });
const preparedPayment = payer.extend({
  planType: z.custom<PlanType>((value) => findPlan(value) !== undefined).optional(),
  preparedAt: z.iso.datetime().transform((instant) => new Date(instant)),
});

type Payer = z.output<typeof payer>;
export type PreparedPayment = z.output<typeof preparedPayment>;

export type PaymentReferences = ReturnType<typeof createPaymentReferences>;

/**
 * Sealed notes between "create a customer" and "place the order", so that nothing is stored or charged for a visitor
 * who never returns. To a client they look like the gateway's numbers, with its prefixes.
 */
export function createPaymentReferences(seal: Seal) {
  const write = (prefix: string, note: Payer) => prefix + seal.seal(JSON.stringify(note));

  function read<Note>(reference: string, prefix: string, schema: z.ZodType<Note>): Note | undefined {
    const opened = reference.startsWith(prefix) ? seal.open(reference.slice(prefix.length)) : undefined;
    return opened === undefined ? undefined : schema.safeParse(JSON.parse(opened)).data;
  }

  return {
    makeCustomer: (note: Payer) => write("cus_", note),
    readCustomer: (reference: string) => read(reference, "cus_", payer),
    makePayment: (note: PreparedPayment) => write("pi_", note),
    readPayment: (reference: string) => read(reference, "pi_", preparedPayment),
  };
}
