import type { Accounts } from "../accounts/accounts.ts";
import { KeptElsewhereError } from "./kept-elsewhere.ts";
import type { ProviderClient } from "./provider-client.ts";

/** Accounts that the provider keeps. Here are only the members who have been seen, and none is added but by the provider. */
export function createRemoteAccounts(own: Accounts, client: ProviderClient): Accounts {
  return {
    ...own,

    async findByEmail(email) {
      const outcome = await client.call("grabuserid", { email: email.trim() });
      if (!outcome.ok) return undefined;
      const { id } = outcome.answer;
      const known = await own.findMember(id);
      return known ?? { id, email: email.trim(), firstName: "", lastName: "", accountType: "individual" };
    },

    findMemberByPassword: async () => undefined,
    register: refuse,
    admit: refuse,
  };
}

/** Two that number members would give one number twice. */
async function refuse(): Promise<never> {
  throw new KeptElsewhereError("Accounts");
}
