import { join } from "node:path";

import { createBundledContent } from "../../server/adapters/bundled-content.ts";
import { listBundledAsWordpress } from "../fakes/wordpress-items.ts";
import { openContentHouse } from "../helpers/content-house.ts";
import { describeContentSource } from "./content-source.ts";

const folder = join(import.meta.dirname, "..", "..", "server", "content", "bundled");

describeContentSource("the files of the product", async () => ({
  source: createBundledContent(folder),
  [Symbol.asyncDispose]: async () => undefined,
}));

describeContentSource("WordPress", async () =>
  openContentHouse({ content: await listBundledAsWordpress(), token: "editor:abcd efgh" }),
);
