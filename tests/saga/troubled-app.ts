import { expect } from "vitest";

import { MINUTE_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import type { PaymentInput } from "../../server/sign-up/sign-up.ts";
import { openApp, type App, type AppOptions } from "../helpers/app.ts";
import { createGate, createInterference, type Interference } from "./interference.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";
import { pay } from "./visitor.ts";

/** An app whose gateway can be meddled with. */
export type TroubledApp = App & { gateway: Interference };

export async function openTroubledApp(engine: Engine, options: AppOptions = {}): Promise<TroubledApp> {
  const gateway = createInterference();
  const app = await openApp(engine, { wrapCards: gateway.wrapCards, ...options });
  return Object.assign(app, { gateway });
}

/** A payment that was given up for lost before the gateway heard of it; `arrive` lets it through. */
export async function payTooLate(app: TroubledApp, token: string, input: Partial<PaymentInput> = {}) {
  const gate = createGate("startPayment", "before");
  app.gateway.meddle(gate.meddling);
  const paid = pay(app, token, input);
  await gate.arrived;
  await app.pass(3 * MINUTE_IN_MS);
  return { arrive: gate.open, paid };
}

/** What the page says of paying. */
export async function findView({ services }: App, token: string) {
  return (await services.signUp.findDraft(token))?.payment;
}

/** Lets everything come to its end, and finds nothing wrong; answers how much was charged, and what of it was kept. */
export async function settleAccounts(app: App) {
  await app.comeToRest();
  const ledger = await readLedger(app.database.db);
  expect(listFaults(ledger)).toEqual([]);
  return { charges: ledger.charges.length, kept: ledger.charges.map(keptOf).filter((pence) => pence > 0), ledger };
}
