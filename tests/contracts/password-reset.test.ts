import { describe } from "vitest";

import { engines } from "../helpers/databases.ts";
import { openApp } from "../helpers/app.ts";
import { openRemoteShop } from "../helpers/remote-shop.ts";
import { passwordResetContract } from "./password-reset.ts";

describe.each(engines)("a reset of our own on %s", (engine) => {
  passwordResetContract(async () => {
    const app = await openApp(engine);
    return { app, gateway: app, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});

describe("a reset with a provider", () => {
  passwordResetContract(async () => {
    const app = await openRemoteShop();
    return { app, gateway: app.provider, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
