import { after, MINUTE_IN_MS, type Clock } from "../clock.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { ProviderClient } from "./provider-client.ts";

/**
 * Makes sure that a 401 is about the member, and not about our own key: a key that was changed there must not log everybody out here.
 * @throws {ProviderError} where the provider does not take our key.
 */
export type RequireKey = () => Promise<void>;

const GOOD_FOR_MS = MINUTE_IN_MS;

export function createRequireKey({ client, clock }: { client: ProviderClient; clock: Clock }): RequireKey {
  let goodUntil: Date | undefined;
  return async () => {
    if (goodUntil && clock() < goodUntil) return;
    const outcome = await client.call("fetchCustomers", { per_page: 1 });
    if (!outcome.ok && (outcome.status === 401 || outcome.status === 403)) {
      throw new ProviderError("the provider does not take our key: is API_KEY right?", { isUnreachable: true });
    }
    goodUntil = after(clock(), GOOD_FOR_MS);
  };
}
