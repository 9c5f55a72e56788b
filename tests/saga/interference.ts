import { expect, test as base } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import type { PaymentInput } from "../../server/money/sign-up/sign-up.ts";
import { settleAll, openApp, type App, type AppOptions } from "../helpers/app.ts";
import { findRemainder, listFaults, readLedger } from "./ledger.ts";
import { pay, prepareDraft } from "./visitor.ts";

/** Between the app and the gateway: slow, out of reach, or losing answers, as the test decides. */
export type Interference = {
  wrapCardGateway(gateway: CardGateway): CardGateway;
  /** Called before and after each call: a throw is a fault, a promise is slowness. */
  meddle(how: Meddling): void;
  stop(): void;
  calls: GatewayCall[];
};

export type GatewayCall =
  | "createCustomer"
  | "startPayment"
  | "startHostedPayment"
  | "findPayment"
  | "listPaymentsFor"
  | "cancelPayment"
  | "refund"
  | "findRefund"
  | "findRefunded"
  | "findPartRefund";

export type Moment = "before" | "after";

export type Meddling = (call: GatewayCall, moment: Moment) => unknown;

/** `step` is called at each moment, before the interference. */
export function createInterference(step: () => void = () => undefined): Interference {
  const calls: GatewayCall[] = [];
  const leave: Meddling = () => undefined;
  let meddling = leave;

  function between<Input, Output>(name: GatewayCall, call: (input: Input) => Promise<Output>) {
    return async (input: Input): Promise<Output> => {
      calls.push(name);
      step();
      await meddling(name, "before");
      const answer = await call(input);
      step();
      await meddling(name, "after");
      return answer;
    };
  }

  return {
    calls,
    meddle: (how) => void (meddling = how),
    stop: () => void (meddling = leave),
    wrapCardGateway: (gateway) => ({
      ...gateway,
      createCustomer: between("createCustomer", gateway.createCustomer),
      startPayment: between("startPayment", gateway.startPayment),
      startHostedPayment: between("startHostedPayment", gateway.startHostedPayment),
      findPayment: between("findPayment", gateway.findPayment),
      listPaymentsFor: between("listPaymentsFor", gateway.listPaymentsFor),
      cancelPayment: between("cancelPayment", gateway.cancelPayment),
      refund: between("refund", gateway.refund),
      findRefund: between("findRefund", gateway.findRefund),
      findRefunded: between("findRefunded", gateway.findRefunded),
      findPartRefund: between("findPartRefund", gateway.findPartRefund),
    }),
  };
}

/** Every time by default, or only the first times. */
export function failing(call: GatewayCall, moment: Moment, times = Number.POSITIVE_INFINITY): Meddling {
  let left = times;
  return (name, now) => {
    if (name !== call || now !== moment || left <= 0) return;
    left -= 1;
    throw new Error(`The gateway gives no answer (${moment} ${call})`);
  };
}

/** `arrived` settles once a call waits at the gate. */
export function createGate(call: GatewayCall, moment: Moment) {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const meddling: Meddling = (name, now) => {
    if (name !== call || now !== moment) return;
    arrival.resolve();
    return opening.promise;
  };
  return { meddling, arrived: arrival.promise, open: () => opening.resolve() };
}

/** An app whose gateway can be disturbed. */
export type TroubledApp = App & { gateway: Interference };

export async function openTroubledApp(engine: Engine, options: AppOptions = {}): Promise<TroubledApp> {
  const gateway = createInterference();
  const app = await openApp({ engine, wrapCardGateway: gateway.wrapCardGateway, ...options });
  return Object.assign(app, { gateway });
}

/** A payment given up as lost before the gateway got it; `arrive` lets it through. */
export async function payTooLate(app: TroubledApp, token: string, input: Partial<PaymentInput> = {}) {
  const gate = createGate("startPayment", "before");
  app.gateway.meddle(gate.meddling);
  const paid = pay(app, token, input);
  await gate.arrived;
  await app.pass(3 * MINUTE_IN_MS);
  return { arrive: gate.open, paid };
}

/** The page's message about paying. */
export async function findView({ services }: App, token: string) {
  return (await services.signUp.findDraft(token))?.payment;
}

/** Lets the app come to rest, and checks its books; returns the charges and what was not refunded. */
export async function settleAccounts(app: App) {
  await settleAll(app);
  const ledger = await readLedger(app.database.db);
  expect(listFaults(ledger)).toEqual([]);
  return {
    charges: ledger.charges.length,
    charged: ledger.charges.map(findRemainder).filter((pence) => pence > 0),
    ledger,
  };
}

export { expect } from "vitest";

/** One draft to be paid for, on a suite's engine. */
export const test = base.extend<{ engine: Engine }>({ engine: "sqlite" }).extend<{ app: TroubledApp; token: string }>({
  app: async ({ engine }, use) => {
    await using app = await openTroubledApp(engine);
    await use(app);
  },
  token: async ({ app }, use) => use(await prepareDraft(app)),
});
