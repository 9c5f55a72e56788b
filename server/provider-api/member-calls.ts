import type { ProviderClient, ProviderOutcome } from "./provider-client.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import { calls, type CallInput, type CallName } from "./wire.ts";

/**
 * Makes a call for a member, with a token of theirs. A token that the provider no longer takes ends the session that it was got for,
 * and the next of the member is tried; a member without any is refused with 401, and logs in again.
 * @throws {ProviderError}
 */
export type CallForMember = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  member: { memberId: number; address?: string | undefined },
) => Promise<ProviderOutcome<Name>>;

/** Spec, section 7: these have the token in their body too. */
const inBody = new Set<CallName>(["login", "patchuser"]);

export function createCallForMember(client: ProviderClient, tokens: ProviderTokens): CallForMember {
  return async (name, input, { memberId, address }) => {
    for (let held = await tokens.find(memberId); held; held = await tokens.find(memberId)) {
      const { token } = held;
      const outcome = await client.call(name, inBody.has(name) ? { ...input, token } : input, { token, address });
      if (outcome.ok || !isOver(name, outcome.status)) return outcome;
      await tokens.drop(held);
    }
    return { ok: false, status: 401, message: "Please log in." };
  };
}

/** Some providers say 403 of a token that is over; of calls that ask for a subscription as well it says that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}
