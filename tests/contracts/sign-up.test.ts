import { describe } from "vitest";

import { engines } from "../helpers/databases.ts";
import { openApp } from "../helpers/app.ts";
import { openRemoteShop } from "../helpers/remote-shop.ts";
import { signUpContract } from "./sign-up.ts";

describe.each(engines)("sign-up of our own on %s", (engine) => {
  signUpContract(async () => {
    const app = await openApp(engine);
    return { app, gateway: app, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});

describe.each(engines)("sign-up with a provider, drafts on %s", (engine) => {
  signUpContract(async () => {
    const app = await openRemoteShop({ engine });
    return { app, gateway: app.provider, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
