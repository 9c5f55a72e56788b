import type { ItemKind } from "../../../server/content/item.ts";

/** The sections by the names that members know them by (spec, section 2). */
export const sections: Record<ItemKind, { label: string; empty: string; emptyFavourites: string }> = {
  watch: {
    label: "Videos",
    empty: "There are no videos yet.",
    emptyFavourites: "No videos among your favourites yet.",
  },
  read: {
    label: "Read",
    empty: "There are no articles yet.",
    emptyFavourites: "No articles among your favourites yet.",
  },
  learn: {
    label: "Webinars",
    empty: "There are no webinars yet.",
    emptyFavourites: "No webinars among your favourites yet.",
  },
};

/** In the order of the tabs. */
export const sectionKinds = Object.keys(sections) as ItemKind[];
