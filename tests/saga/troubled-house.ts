import { expect } from "vitest";

import type { Engine } from "../../server/database/database.ts";
import { openHouse, type House, type HouseOptions } from "../helpers/house.ts";
import { createInterference, type Interference } from "./interference.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";

/** A house whose gateway can be meddled with. */
export type TroubledHouse = House & { gateway: Interference };

export async function openTroubledHouse(engine: Engine, options: HouseOptions = {}): Promise<TroubledHouse> {
  const gateway = createInterference();
  const house = await openHouse(engine, { wrapCards: gateway.wrapCards, ...options });
  return Object.assign(house, { gateway });
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
