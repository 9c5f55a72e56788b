import { expect, test } from "vitest";
import { openHouse } from "../helpers/house.ts";
import { listFaults, readLedger } from "./ledger.ts";
import { pay, prepareDraft } from "./visitor.ts";
test("x", async () => {
  for (const engine of ["sqlite", "postgres"] as const) {
  await using house = await openHouse(engine);
  const token = await prepareDraft(house);
  console.log(await pay(house, token));
  await house.comeToRest();
  const ledger = await readLedger(house.database.db);
  expect(listFaults(ledger)).toEqual([]);
  console.log(ledger.charges);
  }
});
