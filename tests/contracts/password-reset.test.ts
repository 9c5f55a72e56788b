import { describe } from "vitest";

import { engines } from "../helpers/databases.ts";
import { openHouse } from "../helpers/house.ts";
import { openRemoteShop } from "../helpers/remote-shop.ts";
import { passwordResetContract } from "./password-reset.ts";

describe.each(engines)("a reset of our own on %s", (engine) => {
  passwordResetContract(async () => {
    const house = await openHouse(engine);
    return { house, gateway: house, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});

describe("a reset with a provider", () => {
  passwordResetContract(async () => {
    const house = await openRemoteShop();
    return { house, gateway: house.provider, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});
