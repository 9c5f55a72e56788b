import { toLinkKey } from "../../content/items/links.ts";
import { type WordpressClient, WordpressFault } from "./client.ts";
import { PER_PAGE } from "./pages.ts";

/** The pages that are no items, such as `/about/`: a link may lead there. */
export type SitePages = ReturnType<typeof createSitePages>;

/** A site has few; thousands would be unusual. */
const MOST_REQUESTS = 20;

export function createSitePages(client: WordpressClient) {
  let isTried = false;
  let known: Set<string> | undefined;

  async function readAll(): Promise<Set<string> | undefined> {
    const found = new Set<string>();
    for (let page = 1; page <= MOST_REQUESTS; page += 1) {
      const query = { per_page: String(PER_PAGE), page: String(page), _fields: "link" };
      const { body } = await client.readJson("pages", { query, itemCount: PER_PAGE });
      if (!Array.isArray(body)) return undefined;
      for (const each of body as ({ link?: unknown } | null)[]) {
        const address = URL.parse(String(each?.link), client.base);
        if (address) found.add(toLinkKey(address));
      }
      if (body.length < PER_PAGE) return found;
    }
    return undefined;
  }

  return {
    /** Reads them at first and from time to time. Where WordPress does not show them, the last answer stays. */
    async read({ again }: { again: boolean } = { again: false }): Promise<void> {
      if (isTried && !again) return;
      isTried = true;
      try {
        known = (await readAll()) ?? known;
      } catch (error) {
        if (!(error instanceof WordpressFault)) throw error;
      }
    },
    /** True as long as we have not read them. */
    has: (address: URL): boolean => known === undefined || known.has(toLinkKey(address)),
  };
}
