import { describe } from "vitest";

import { createFixedContent } from "../helpers/fixed-content.ts";
import { engines } from "../helpers/databases.ts";
import { openHouse } from "../helpers/house.ts";
import { openRemoteHouse } from "../helpers/remote-house.ts";
import { items, membersContract } from "./members.ts";

describe.each(engines)("members of our own, on %s", (engine) => {
  membersContract(async () => {
    const house = await openHouse(engine);
    return { ...house, keeper: house.rooms, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});

describe.each(engines)("members of a provider, sessions on %s", (engine) => {
  membersContract(async () => {
    const content = createFixedContent(items);
    const house = await openRemoteHouse({ engine, served: { content }, content });
    const keeper = house.provider.site.rooms;
    return { ...house, keeper, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
  });
});
