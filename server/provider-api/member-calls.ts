import type { ActingSession } from "./acting-session.ts";
import type { ProviderClient, ProviderOutcome } from "./provider-client.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import type { TakenTokens } from "./taken-tokens.ts";
import { calls, type CallInput, type CallName } from "./wire.ts";
import { api as words } from "../refusals.ts";

/**
 * Makes a call for a member: for one of their sessions with its own token and no other, so that nobody lives on what somebody else has
 * logged in for; else with the newest they have. A token that the provider no longer takes ends the session that it was got for. Where
 * none is left the call is refused with 401, and the member logs in again.
 * @throws {ProviderError}
 */
export type CallForMember = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  member: { memberId: number; address?: string | undefined },
) => Promise<ProviderOutcome<Name>>;

/** Spec, section 7: these have the token in their body too. */
const inBody = new Set<CallName>(["login", "patchuser"]);

type CallParts = { client: ProviderClient; tokens: ProviderTokens; acting: ActingSession; taken: TakenTokens };

export function createCallForMember({ client, tokens, acting, taken }: CallParts): CallForMember {
  return async (name, input, { memberId, address }) => {
    const session = acting.findHash(memberId);
    const find = () => (session === undefined ? tokens.find(memberId) : tokens.findOf(session));
    for (let held = await find(); held; held = await find()) {
      const { token } = held;
      const outcome = await client.call(name, inBody.has(name) ? { ...input, token } : input, { token, address });
      if (outcome.ok) taken.note(held);
      if (outcome.ok || !isOver(name, outcome.status)) return outcome;
      await tokens.drop(held);
    }
    return { ok: false, status: 401, message: words.ours["not-logged-in"] };
  };
}

/** Some providers say 403 of a token that is over; of calls that ask for a subscription as well it says that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}
