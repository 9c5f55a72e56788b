import type { CodeCheck } from "../codes/code-checks.ts";
import type { Codes } from "../codes/codes.ts";
import type { Clock } from "../clock.ts";
import { isAnySold } from "../membership/plans.ts";
import type { ProviderClient } from "./provider-client.ts";
import { isAway, toError } from "./provider-errors.ts";
import { codes as words } from "../refusals.ts";

type CodesSetting = { client: Pick<ProviderClient, "call">; clock: Clock };

/**
 * Codes that a provider keeps: it says which are good, and seats are taken there, by its orders.
 * @throws {ProviderError} from `check` where it does not say.
 */
export function createRemoteCodes(own: Codes, { client, clock }: CodesSetting): Codes {
  return {
    ...own,

    async check(code) {
      const productCode = code.trim();
      if (productCode === "") return { isValid: false, reason: "unknown", message: words.ours.empty };
      const checked = await client.call("checkcouponvalidity", { productCode });
      if (!checked.ok) {
        if (isAway(checked) || checked.status === 401) throw toError(checked);
        return { isValid: false, reason: "unknown", message: checked.message };
      }
      const { valid, message } = checked.answer;
      if (!valid) return { isValid: false, reason: "unknown", message: message?.trim() || words.ours["not-valid"] };
      return checkProducts(productCode);
    },

    takeSeat: async ({ code }) => ({ isValid: true, code: toView(code, []) }),
    releaseSeat: async () => undefined,
    endSeat: async () => undefined,
    releaseEnded: async () => 0,
    create: refuseToKeep,
    revoke: refuseToKeep,
  };

  /** A good code of a shop may be for something that is not sold here. */
  async function checkProducts(productCode: string): Promise<CodeCheck> {
    const unlocked = await client.call("checkcouponproducts", { productCode });
    if (!unlocked.ok) throw toError(unlocked);
    const { product_ids: products } = unlocked.answer;
    return isAnySold(products)
      ? { isValid: true, code: toView(productCode, products) }
      : { isValid: false, reason: "unknown", message: words.ours["not-sold"] };
  }

  /** What is known of a code whose seats others count. */
  function toView(code: string, products: number[]) {
    const unknown = { endsAt: undefined, revokedAt: undefined, company: undefined, fault: undefined };
    return { code, products, seats: 0, seatsTaken: 0, startsAt: clock(), createdAt: clock(), ...unknown };
  }
}

function refuseToKeep(): Promise<never> {
  return Promise.reject(new Error("Codes are kept by the provider at API_URL: make and end them there"));
}
