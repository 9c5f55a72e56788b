import { useMatches } from "react-router";

/**
 * The place of a screen in the desk's navigation, as the screen exports it. Every screen names its tab; one with an `order` is reached
 * from there. The first of a tab is what the tab opens; those with a `link` are offered below the heading of each of them.
 */
export type ScreenHandle = {
  tab: string;
  link?: string;
  order?: number;
  /** The key that opens it after `g`. */
  key?: string;
};

/** A tab of the desk, and the screens that it offers. */
export type Tab = Place & { links: Place[] };

type Place = { label: string; path: string; key: string | undefined };

/**
 * The path of a screen below `/desk`, from the name of its file, which is as in the framework's file routes: `members.$id.tsx` is
 * `members/:id`, and `_index.tsx` the desk itself.
 */
export function toScreenPath(file: string): string {
  return file
    .replace(/\.tsx$/, "")
    .replace(/^_index$/, "")
    .replaceAll(".", "/")
    .replaceAll("$", ":");
}

/** The tabs in their order, from the files of the screens and what each exports. */
export function listTabs(screens: Record<string, ScreenHandle | undefined>): Tab[] {
  const reached = Object.entries(screens)
    .map(([file, handle]) => {
      if (!handle) throw new Error(`${file} must export a \`handle\` that names its tab.`);
      const { tab, link, order, key } = handle;
      return { tab, link, order, key, path: `/desk/${toScreenPath(file.replace(/^.*\//, ""))}`.replace(/\/$/, "") };
    })
    .filter(({ order }) => order !== undefined)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return [...Map.groupBy(reached, ({ tab }) => tab)].map(([label, [first, ...others]]) => ({
    label,
    path: first?.path ?? "",
    key: first?.key,
    links: [first, ...others].flatMap((screen) =>
      screen?.link === undefined ? [] : [{ label: screen.link, path: screen.path, key: screen.key }],
    ),
  }));
}

/** The label of the tab that the screen shown belongs to. */
export function useCurrentTab(): string | undefined {
  return (useMatches().at(-1)?.handle as ScreenHandle | undefined)?.tab;
}
