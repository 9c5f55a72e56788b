import { createCatalogue } from "../../server/content/catalogue.ts";
import { createQuietLog } from "./quiet-log.ts";

type Source = { id: number; type: "videos" | "post" | "tutorials"; [field: string]: unknown };

/** An item in the shape of a CMS; a higher id is a newer item. */
export function aSource({ id, type, ...changes }: Source): Source {
  return {
    id,
    type,
    date: new Date(Date.UTC(2026, 0, id)).toISOString().slice(0, 19),
    title: { rendered: `Item ${id}` },
    content: { rendered: `<p>The text of ${id}.</p>` },
    ...changes,
  };
}

export const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
export const videos = (count: number) => range(1, count).map((id) => aSource({ id, type: "videos" }));
export const idsOf = (cards: { id: number }[] | undefined) => cards?.map(({ id }) => id);

type AppOptions = { sources: unknown[]; cardsPerPage?: number; site?: string };

/** A catalogue over a list that a test may change; with `fault` set the source cannot be read. */
export function openCatalogue({ sources, site, cardsPerPage = 4 }: AppOptions) {
  const content: { sources: unknown[]; fault: Error | undefined } = { sources, fault: undefined };
  const log = createQuietLog();
  const catalogue = createCatalogue({
    source: {
      name: "a list",
      ...(site && { site }),
      check: async () => ({ isWell: true, says: "" }),
      listItems: () =>
        content.fault ? Promise.reject(content.fault) : Promise.resolve(structuredClone(content.sources)),
      findMedia: () => Promise.resolve(undefined),
    },
    setting: { productName: "Dormouse", basePath: "/dashboard/" },
    log,
    cardsPerPage,
  });
  return { catalogue, content, log };
}

/** The same, with what the source has taken in. */
export async function openFilledCatalogue(options: AppOptions) {
  const app = openCatalogue(options);
  await app.catalogue.refresh();
  return app;
}
