import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { People } from "../people.ts";
import { createSeal } from "../seal.ts";
import type { createShop } from "../shop.ts";
import { createDrafts } from "../sign-up/drafts.ts";
import { createLimits } from "../sign-up/verification.ts";
import { createApiDrafts } from "./api-drafts.ts";
import { type ApiLimits, createApiLimits } from "./api-limits.ts";
import { type ApiOrders, createApiOrders } from "./api-orders.ts";
import { createPaymentReferences, type PaymentReferences } from "./api-payment-references.ts";
import { type ApiReset, createApiReset } from "./api-reset.ts";
import { type ApiSignUp, createApiSignUp } from "./api-sign-up.ts";
import { describeApi, type OpenApi } from "./openapi.ts";

/** The provider's API as we serve it to other servers: who may ask, how often, and what no page of ours asks for. */
export type ServedApi = {
  /** In constant time. */
  isKey(given: string | null): boolean;
  limits: ApiLimits;
  /** The person's address as the key's owner tells it, else the one that the request came from. */
  addressOf(told: string | null, from: string): string;
  /** Whether codes and passwords may stand in a query, for clients of the old reset service. */
  takesQueryCredentials: boolean;
  signUp: ApiSignUp;
  orders: ApiOrders;
  references: PaymentReferences;
  reset: ApiReset;
  /** The links that a bank's page leads back to; made and read here alone. */
  returns: { write(to: Return): string; read(sealed: string): Return | undefined };
  describe(base: string): OpenApi;
};

/** `to` is where the front wants the browser. */
export type Return = { draftId: number; to: string | undefined };

type ServedRooms = Context & People & ReturnType<typeof createShop> & { config: Config };

/** `undefined` where no key is set: then there is no API. */
export function createServedApi(rooms: ServedRooms): ServedApi | undefined {
  const { config, keyedHash, rateLimiter, challenges } = rooms;
  if (!config.api) return undefined;
  const productName = config.product.name;
  const key = digest(config.api.key);
  const drafts = createDrafts({ ...rooms, hash: keyedHash("draft") });
  const seal = createSeal(config.sessionSecret, "api-return");
  return {
    isKey: (given) => given !== null && timingSafeEqual(digest(given), key),
    limits: createApiLimits({ rateLimiter, key: config.api.key }),
    addressOf: (told, from) => (told !== null && isIP(told) !== 0 ? told : from),
    takesQueryCredentials: config.api.takesQueryCredentials,
    signUp: createApiSignUp({ ...rooms, productName }),
    orders: createApiOrders({
      ...rooms,
      drafts: createApiDrafts({ ...rooms, drafts, challenges }),
      limits: createLimits(rooms),
      productName,
    }),
    references: createPaymentReferences(createSeal(config.sessionSecret, "api-payment")),
    reset: createApiReset(rooms),
    returns: {
      write: (to) => seal.seal(JSON.stringify(to)),
      read(sealed) {
        const opened = seal.open(sealed);
        return opened === undefined ? undefined : (JSON.parse(opened) as Return);
      },
    },
    describe: (base) => describeApi({ productName, base }),
  };
}

/** Of one length, whatever was given. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
