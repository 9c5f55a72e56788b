import type { ItemKind } from "../../../server/content/item.ts";

/** The sections by the names that members know them by (spec, section 2). */
export const sections: Record<ItemKind, { label: string; empty: string }> = {
  watch: { label: "Videos", empty: "There are no videos yet." },
  read: { label: "Read", empty: "There are no articles yet." },
  learn: { label: "Webinars", empty: "There are no webinars yet." },
};

/** In the order of the tabs. */
export const sectionKinds = Object.keys(sections) as ItemKind[];
