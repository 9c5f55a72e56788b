import type { PartCheck } from "../part-check.ts";
import { ProviderError } from "../provider-api/provider-client-refusal.ts";
import type { ListAnswer, ProviderClient } from "../provider-api/provider-client.ts";
import { listNames } from "./provider-lists.ts";
import type { AnyMember } from "./provider-member.ts";
import { restTypes } from "./wordpress-pages.ts";

/** Whether the provider shows its content, and how much of it there is. */
export async function checkProviderContent(
  client: ProviderClient,
  askForList: AnyMember["askForList"],
): Promise<PartCheck> {
  const counts: string[] = [];
  try {
    for (const type of restTypes) {
      const answer = await askForList<ListAnswer & { status?: number }>((token) =>
        client.readList(listNames[type], { token, page: { page: 1, size: 1 } }),
      );
      if (!answer) {
        const says = `nobody was found logged in here who has a subscription: the provider at ${client.base.href} shows its content to no other`;
        return { isWell: true, says };
      }
      if (!answer.ok) return { isWell: false, says: `the provider refuses its list of “${type}” (${answer.status})` };
      const count = answer.total ?? ("items" in answer ? answer.items.length : 0);
      counts.push(`${count} ${type}`);
    }
  } catch (error) {
    if (error instanceof ProviderError) return { isWell: false, says: error.message };
    throw error;
  }
  return { isWell: true, says: `the provider at ${client.base.href} shows its content: ${counts.join(", ")}` };
}
