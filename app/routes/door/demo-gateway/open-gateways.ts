import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";

import type { Services } from "../../../../server/services.ts";
import { demoGateway, forms } from "../../../../server/refusals.ts";
import type { Reply } from "../../../forms/parse-form.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";

/** 404 where real gateways are configured. */
export function requireDemoGateways(context: Readonly<RouterContextProvider>): NonNullable<Services["demoGateways"]> {
  return requireServices(context).demoGateways ?? notFound();
}

/** 404 for a text that cannot be an id. */
export function requireId({ id = "" }: { id?: string | undefined }): string {
  return /^\w+$/.test(id) ? id : notFound();
}

export function notFound(): never {
  throw data(demoGateway["no-payment"], { status: 404 });
}

type Outcome = { ok: true; url: string } | { ok: false; problems: { field: string; sentence: string }[] };

/** Back to the payer's page, or the form with the gateway's problems beside its fields. */
export function answerPayer(outcome: Outcome, reply: Reply) {
  if (outcome.ok) return redirect(outcome.url, 303);
  const fieldErrors = Object.fromEntries(outcome.problems.map(({ field, sentence }) => [field, [sentence]]));
  return data(reply({ fieldErrors }), { status: 400 });
}

const text = z.string({ error: forms["text-unreadable"] }).max(100, demoGateway["text-long"]).default("");

/** The gateway itself finds mistakes in a card. */
export const card = z.object({ number: text, expiry: text, cvc: text });

export type Card = z.infer<typeof card>;

export const bankAccount = z.object({ accountHolderName: text, accountNumber: text, sortCode: text });

export type BankAccount = z.infer<typeof bankAccount>;
