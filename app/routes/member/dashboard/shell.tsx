import { type Section, sections } from "../../../../server/content/items/kinds.ts";
import { useEffect, type ReactNode } from "react";
import { useNavigation } from "react-router";

import { Footer, SkipLink } from "../../../components/page-frame.tsx";
import { usePlainLinks } from "../../../components/links.tsx";
import { href } from "../../../frame/paths.ts";
import { TopBar, type Tab } from "../../../components/top-bar.tsx";
import { UntilLanding } from "./landing.tsx";
import type { Screen } from "./screen.ts";
import { accountPath } from "./view.ts";
import styles from "./shell.module.css";

export type Site = {
  productName: string;
  /** From this request. */
  origin: string;
  agency: { name: string; url: string };
  memberId: number;
  memberName: string;
  /** The hash of the member's picture, if any. */
  avatar: string | undefined;
  sections: Section[];
  /** A CMS may have no pieces of Awake now. */
  hasAwake: boolean;
  /** Items of a CMS with the tag "Help". */
  hasHelp: boolean;
};

type ShellProps = {
  site: Site;
  screen: Screen;
  heading: ReturnType<typeof findHeading>;
  path: string;
  /** My Account's title, while it is open. */
  cover: string | undefined;
  children: ReactNode;
};

/** A player or My Account makes it inert. */
export function Shell({ site, screen, heading, path, cover, children }: ShellProps) {
  useLeaveOnceLoggedOut();
  useOfflinePage();
  usePlainLinks();
  const isCovered = cover !== undefined;
  const isAside = isCovered || (screen.name === "item" && screen.isPlaying);
  const isLocked = screen.name === "locked" || (screen.name === "receipt" && !screen.isActive);
  return (
    <>
      <title>{`${cover ?? heading.title} – ${site.productName}`}</title>
      <div inert={isAside}>
        <SkipLink to={isCovered ? "account-title" : undefined} />
        <TopBar
          site={site}
          tabs={isLocked ? [] : listTabs(site.sections, heading.tab)}
          searchTerm={isLocked ? undefined : findTyped(screen)}
          areTabsShown={screen.name !== "landing" && !isLocked}
          accountPath={accountPath(path)}
        />
      </div>
      <main id="main" className={styles.main} inert={isCovered}>
        <UntilLanding isOff={isLocked || screen.name === "landing"} sections={site.sections}>
          {children}
        </UntilLanding>
        {!isLocked && <Skeleton path={path} />}
      </main>
      <div inert={isAside}>
        <Footer productName={site.productName} agency={site.agency} hasHelp={site.hasHelp && !isLocked} />
      </div>
    </>
  );
}

/**
 * Shapes of the next list, item or results over the present screen. Their style waits a moment, so that a fast page
 * shows none. My Account and a player keep the present screen.
 */
function Skeleton({ path }: { path: string }) {
  const { search = "" } = useNavigation().location ?? {};
  const params = new URLSearchParams(search);
  const shape = ["q", "item", "view"].find((name) => params.get(name));
  const isHere = path.replace("&play=1", "") === `/${search}`;
  if (!shape || isHere || /\b(?:account|play)=/.test(search)) return null;
  return (
    <div className={styles.skeleton} data-shape={shape}>
      {Array.from("1234567", (each) => (
        <i key={each} />
      ))}
    </div>
  );
}

/**
 * Over plain http WebKit caches `no-store` pages for Back, also after log-out. A restored page checks the session, and
 * reloads without one.
 */
function useLeaveOnceLoggedOut(): void {
  useEffect(() => {
    function askAgain({ persisted }: PageTransitionEvent): void {
      if (!persisted || location.protocol !== "http:") return;
      void fetch(location.href, { method: "HEAD", redirect: "manual" }).then(
        ({ type }) => type === "opaqueredirect" && location.reload(),
        () => undefined,
      );
    }
    addEventListener("pageshow", askAgain);
    return () => removeEventListener("pageshow", askAgain);
  }, []);
}

/** Lets the browser show a page of ours without a network (public/service-worker.js), where it can. */
function useOfflinePage(): void {
  useEffect(() => {
    const worker = href("/service-worker.js");
    void navigator.serviceWorker?.register(worker, { updateViaCache: "none" }).catch(() => undefined);
  }, []);
}

function listTabs(shown: Section[], current: string | undefined): Tab[] {
  const tabs = shown.map((section) => ({ label: sections[section].tab, view: section as string }));
  return [...tabs, { label: "Favourites", view: "favourites" }].map(({ label, view }) => ({
    label,
    path: `/?view=${view}`,
    isCurrent: view === current,
  }));
}

/** Title, without the product's name, and tab: on the server, so that browsers need no texts of other screens. */
export function findHeading(screen: Screen): { title: string; tab: string | undefined } {
  return { title: findTitle(screen), tab: findTab(screen) };
}

function findTyped(screen: Screen): string {
  if (screen.name === "help") return screen.search.term;
  return screen.name === "search" ? screen.term : "";
}

function findTab(screen: Screen): string | undefined {
  if (screen.name === "list") return screen.section;
  if (screen.name === "item" && !screen.isFavourites) return screen.item.isForHelp ? undefined : screen.section;
  return ["item", "favourites", "favourite-list"].includes(screen.name) ? "favourites" : undefined;
}

function findTitle(screen: Screen): string {
  switch (screen.name) {
    case "locked":
      return screen.title;
    case "landing":
      return "Dashboard";
    case "list":
      return sections[screen.section].tab;
    case "item":
      return screen.item.title;
    case "favourites":
      return "Favourites";
    case "favourite-list":
      return `${sections[screen.section].one}s you saved`;
    case "topics":
      return "Search";
    case "help-list":
      return "Help";
    case "search":
      return `Search results for ${screen.searched}`;
    case "help":
      return screen.card.heading;
    case "receipt":
      return `Receipt ${screen.number}`;
    case "missing":
      return "Not found";
  }
}
