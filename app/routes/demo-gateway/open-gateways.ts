import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";

import type { Services } from "../../../server/services.ts";
import { demoGateway, forms } from "../../../server/refusals.ts";
import type { Reply } from "../../forms/parse-form.ts";
import { requireServices } from "../../middleware/guards.ts";

/** The demo's payment providers. Where real ones are configured these pages do not exist. */
export function requireDemoGateways(context: Readonly<RouterContextProvider>): NonNullable<Services["demoGateways"]> {
  return requireServices(context).demoGateways ?? notFound();
}

/** The id in a page's address, as far as it can be one: not every text may be looked up. */
export function requireId({ id = "" }: { id?: string | undefined }): string {
  return /^\w+$/.test(id) ? id : notFound();
}

export function notFound(): never {
  throw data(demoGateway.ours["no-payment"], { status: 404 });
}

type Outcome = { ok: true; url: string } | { ok: false; problems: { field: string; sentence: string }[] };

/** On to where the payer came from, or the form again with what the provider finds wrong with its fields. */
export function answerPayer(outcome: Outcome, reply: Reply) {
  if (outcome.ok) return redirect(outcome.url, 303);
  const fieldErrors = Object.fromEntries(outcome.problems.map(({ field, sentence }) => [field, [sentence]]));
  return data(reply({ fieldErrors }), { status: 400 });
}

const text = z.string({ error: forms.ours["text-unreadable"] }).max(100, demoGateway.ours["text-long"]).default("");

/** A card as a form sends it. What is wrong with it is for the provider to say. */
export const card = z.object({ number: text, expiry: text, cvc: text });

export type Card = z.infer<typeof card>;

export const bankAccount = z.object({ accountHolderName: text, accountNumber: text, sortCode: text });

export type BankAccount = z.infer<typeof bankAccount>;
