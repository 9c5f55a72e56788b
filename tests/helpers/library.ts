import { createBundledContent } from "../../server/adapters/bundled/bundled.ts";
import { type Catalogue, createCatalogue } from "../../server/content/catalogue/catalogue.ts";
import { createQuietLog } from "./quiet-log.ts";

/** A catalogue of the bundled content alone, without settings and services. */
export async function openLibrary({ cardsPerPage = 24 } = {}): Promise<Catalogue> {
  const catalogue = createCatalogue({
    source: createBundledContent("server/content/bundled"),
    setting: { productName: "Dormouse", basePath: "/" },
    log: createQuietLog(),
    cardsPerPage,
  });
  await catalogue.refresh();
  return catalogue;
}
