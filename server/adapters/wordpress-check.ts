import type { PartCheck } from "../part-check.ts";
import type { WordpressClient } from "./wordpress-client.ts";
import { WordpressFault, WordpressRefusal } from "./wordpress-faults.ts";
import { countItems, restTypes } from "./wordpress-pages.ts";

/** Whether WordPress answers, takes our token and has the three kinds of items. */
export async function checkWordpress(
  client: WordpressClient,
  { isTokenSet }: { isTokenSet: boolean },
): Promise<PartCheck> {
  try {
    if (isTokenSet) await checkToken(client);
    const counts: string[] = [];
    for (const type of restTypes) counts.push(`${await countItems(client, type)} ${type}`);
    const manner = isTokenSet ? "" : " (asked without CMS_TOKEN)";
    return { isWell: true, says: `WordPress at ${client.base.href} answers${manner}: ${counts.join(", ")}` };
  } catch (error) {
    if (!(error instanceof WordpressFault)) throw error;
    return { isWell: false, says: error.message };
  }
}

/** Some sites hide who is asking; whether the token is right shows at the lists then. */
async function checkToken(client: WordpressClient): Promise<void> {
  try {
    await client.readJson("users/me", { query: { _fields: "id" }, isAuthorised: true });
  } catch (error) {
    const isHidden = error instanceof WordpressRefusal && error.status !== 401 && error.status !== 403;
    if (!isHidden) throw error;
  }
}
