import { describe } from "vitest";

import { createFixedContent } from "../helpers/fixed-content.ts";
import { engines } from "../helpers/databases.ts";
import { openApp } from "../helpers/app.ts";
import { openRemoteApp } from "../helpers/remote-app.ts";
import { items, membersContract } from "./members.ts";

describe.each(engines)("members of our own, on %s", (engine) => {
  membersContract(async () => {
    const app = await openApp(engine);
    return { ...app, keeper: app.services, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});

describe.each(engines)("members of a provider, sessions on %s", (engine) => {
  membersContract(async () => {
    const content = createFixedContent(items);
    const app = await openRemoteApp({ engine, served: { content }, content });
    const keeper = app.provider.site.services;
    return { ...app, keeper, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
