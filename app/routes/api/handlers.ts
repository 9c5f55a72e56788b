import * as codes from "./code-calls.ts";
import * as favourites from "./favourite-calls.ts";
import * as letters from "./letter-calls.ts";
import * as media from "./media-calls.ts";
import * as orders from "./order-calls.ts";
import * as payments from "./payment-calls.ts";
import * as people from "./people-calls.ts";
import * as resets from "./reset-calls.ts";
import * as sessions from "./session-calls.ts";
import * as subscriptions from "./subscription-calls.ts";
import type { Handlers } from "./visit.ts";

/** Who answers what. A call of the table that nobody answers does not compile. */
export const handlers: Handlers = {
  ...people,
  ...sessions,
  ...subscriptions,
  ...codes,
  ...orders,
  ...payments,
  ...media,
  ...favourites,
  ...letters,
  ...resets,
};
