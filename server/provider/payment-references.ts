import { z } from "zod";

import { findPlan, type PlanType } from "../membership/plans.ts";
import type { Seal } from "../seal.ts";

/**
 * What clients hold between "create a customer" and "place the order": sealed notes of ours, so that nothing is kept or charged for
 * somebody who never comes back. To a client they are the gateway's own numbers.
 */
export type PaymentReferences = {
  makeCustomer(payer: Payer): string;
  readCustomer(reference: string): Payer | undefined;
  makePayment(payment: PreparedPayment): string;
  readPayment(reference: string): PreparedPayment | undefined;
};

export type Payer = { emailKey: string; methodId: string | undefined };

export type PreparedPayment = Payer & {
  planType: PlanType | undefined;
  preparedAt: Date;
};

const payer = z.object({ emailKey: z.string(), methodId: z.string().optional() });
const prepared = payer.extend({
  planType: z.custom<PlanType>((value) => findPlan(value) !== undefined).optional(),
  preparedAt: z.iso.datetime(),
});

/** As clients know them from the card provider. */
const prefixes = { customer: "cus_", payment: "pi_" };

export function createPaymentReferences(seal: Seal): PaymentReferences {
  const write = (kind: keyof typeof prefixes, note: object) =>
    prefixes[kind] + seal.seal(JSON.stringify({ kind, ...note }));

  function read<Note>(kind: keyof typeof prefixes, schema: z.ZodType<Note>, reference: string): Note | undefined {
    const prefix = prefixes[kind];
    const opened = reference.startsWith(prefix) ? seal.open(reference.slice(prefix.length)) : undefined;
    const note: unknown = opened === undefined ? undefined : JSON.parse(opened);
    return schema.safeParse(note).data;
  }

  return {
    makeCustomer: (note) => write("customer", note),
    readCustomer(reference) {
      const note = read("customer", payer, reference);
      return note && { emailKey: note.emailKey, methodId: note.methodId };
    },
    makePayment: (note) => write("payment", { ...note, preparedAt: note.preparedAt.toISOString() }),
    readPayment(reference) {
      const note = read("payment", prepared, reference);
      if (!note) return undefined;
      const { emailKey, methodId, planType, preparedAt } = note;
      return { emailKey, methodId, planType, preparedAt: new Date(preparedAt) };
    },
  };
}
