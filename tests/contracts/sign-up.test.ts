import { describe } from "vitest";

import { engines } from "../helpers/databases.ts";
import { openHouse } from "../helpers/house.ts";
import { openRemoteShop } from "../helpers/remote-shop.ts";
import { signUpContract } from "./sign-up.ts";

describe.each(engines)("sign-up of our own on %s", (engine) => {
  signUpContract(async () => {
    const house = await openHouse(engine);
    return { house, gateway: house, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});

describe.each(engines)("sign-up with a provider, drafts on %s", (engine) => {
  signUpContract(async () => {
    const house = await openRemoteShop({ engine });
    return { house, gateway: house.provider, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});
