import { join } from "node:path";

import { createBundledContent } from "../../server/adapters/bundled/bundled.ts";
import { createProviderContent } from "../../server/adapters/provider/content.ts";
import { createProviderClient } from "../../server/provider/client/client.ts";
import { listBundledAsWordpress } from "../fakes/wordpress-items.ts";
import { API_KEY } from "../helpers/api-client.ts";
import { openContentApp } from "../helpers/content-app.ts";
import { openFolder } from "../helpers/folder.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { openProvider } from "../helpers/remote-app.ts";
import { describeContentSource } from "./content-source.ts";

const bundled = join(import.meta.dirname, "..", "..", "server", "content", "bundled");

describeContentSource("the files of the product", async () => ({
  source: createBundledContent(bundled),
  [Symbol.asyncDispose]: async () => undefined,
}));

describeContentSource("WordPress", async () =>
  openContentApp({ content: await listBundledAsWordpress(), token: "editor:abcd efgh" }),
);

describeContentSource("a provider", async () => {
  const { site, api, url, ...provider } = await openProvider();
  const { folder, ...removal } = await openFolder();
  const token = await api.grabToken("member@dormouse.example");
  const setting = { clock: site.clock, log: createQuietLog() };
  const client = createProviderClient({ url, key: API_KEY, ...setting });
  const held = { memberId: 1, token, sessionHash: "" };
  const tokens = { find: async () => held, listNewest: async () => [held], drop: async () => undefined };
  return {
    source: createProviderContent({ ...setting, client, tokens, folder }),
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
});
