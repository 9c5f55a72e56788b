import { expect } from "vitest";

import { MINUTE_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import type { PaymentInput } from "../../server/sign-up/sign-up.ts";
import { openHouse, type House, type HouseOptions } from "../helpers/house.ts";
import { createGate, createInterference, type Interference } from "./interference.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";
import { pay } from "./visitor.ts";

/** A house whose gateway can be meddled with. */
export type TroubledHouse = House & { gateway: Interference };

export async function openTroubledHouse(engine: Engine, options: HouseOptions = {}): Promise<TroubledHouse> {
  const gateway = createInterference();
  const house = await openHouse(engine, { wrapCards: gateway.wrapCards, ...options });
  return Object.assign(house, { gateway });
}

/** A payment that was given up for lost before the gateway heard of it; `arrive` lets it through. */
export async function payTooLate(house: TroubledHouse, token: string, input: Partial<PaymentInput> = {}) {
  const gate = createGate("startPayment", "before");
  house.gateway.meddle(gate.meddling);
  const paid = pay(house, token, input);
  await gate.arrived;
  await house.pass(3 * MINUTE_IN_MS);
  return { arrive: gate.open, paid };
}

/** What the page says of paying. */
export async function findView({ rooms }: House, token: string) {
  return (await rooms.signUp.findDraft(token))?.payment;
}

/** Lets everything come to its end, and finds nothing wrong; answers how much was charged, and what of it was kept. */
export async function settleAccounts(house: House) {
  await house.comeToRest();
  const ledger = await readLedger(house.database.db);
  expect(listFaults(ledger)).toEqual([]);
  return { charges: ledger.charges.length, kept: ledger.charges.map(keptOf).filter((pence) => pence > 0), ledger };
}
