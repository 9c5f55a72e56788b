import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";

import type { Services } from "../../../../server/services.ts";
import { demoGateway, forms } from "../../../../server/refusals.ts";
import type { Reply } from "../../../forms/parse-form.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";

/** The demo's gateways; 404 where real ones are configured. */
export function requireDemoGateways(context: Readonly<RouterContextProvider>): NonNullable<Services["demoGateways"]> {
  return requireServices(context).demoGateways ?? notFound();
}

/** The id in a page's address; 404 for a text that cannot be one. */
export function requireId({ id = "" }: { id?: string | undefined }): string {
  return /^\w+$/.test(id) ? id : notFound();
}

export function notFound(): never {
  throw data(demoGateway["no-payment"], { status: 404 });
}

type Outcome = { ok: true; url: string } | { ok: false; problems: { field: string; sentence: string }[] };

/** Back to where the payer came from, or the form again with the gateway's problems beside its fields. */
export function answerPayer(outcome: Outcome, reply: Reply) {
  if (outcome.ok) return redirect(outcome.url, 303);
  const fieldErrors = Object.fromEntries(outcome.problems.map(({ field, sentence }) => [field, [sentence]]));
  return data(reply({ fieldErrors }), { status: 400 });
}

const text = z.string({ error: forms["text-unreadable"] }).max(100, demoGateway["text-long"]).default("");

/** A card as a form sends it. The gateway itself finds what is wrong with it. */
export const card = z.object({ number: text, expiry: text, cvc: text });

export type Card = z.infer<typeof card>;

export const bankAccount = z.object({ accountHolderName: text, accountNumber: text, sortCode: text });

export type BankAccount = z.infer<typeof bankAccount>;
