import { useMatches } from "react-router";

/**
 * A screen exports its place in the navigation. Every screen names its tab; one with an `order` is reached from there.
 * The tab opens the first; screens with a `link` are offered below each heading.
 */
export type ScreenHandle = {
  tab: string;
  link?: string;
  order?: number;
  /** The key that opens it after `g`. */
  key?: string;
};

export type Tab = MenuLink & { links: MenuLink[] };

type MenuLink = { label: string; path: string; key: string | undefined };

/** From the file's name, as in the framework's routes: `members.$id.tsx` is `members/:id`, `_index.tsx` the desk. */
export function toScreenPath(file: string): string {
  return file
    .replace(/\.tsx$/, "")
    .replace(/^_index$/, "")
    .replaceAll(".", "/")
    .replaceAll("$", ":");
}

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

export function useCurrentTab(): string | undefined {
  return (useMatches().at(-1)?.handle as ScreenHandle | undefined)?.tab;
}
