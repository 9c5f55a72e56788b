import { itemKinds, kinds } from "../../../server/content/kinds.ts";
import { useEffect, type ReactNode } from "react";

import { Footer } from "../../ui/footer.tsx";
import { usePlainLinks } from "../../ui/links.tsx";
import { SkipLink } from "../../ui/skip-link.tsx";
import { TopBar, type Tab } from "../../ui/top-bar.tsx";
import type { House } from "../dashboard.tsx";
import { accountPath } from "./account/account-path.ts";
import type { DashboardScreen } from "./content.ts";
import { UntilLanding } from "./landing.tsx";
import { screenTitle } from "./screen-title.ts";
import styles from "./shell.module.css";

type ShellProps = {
  house: House;
  screen: DashboardScreen;
  /** Of this screen. */
  path: string;
  /** The title of what lies over it, if anything does. */
  cover: string | undefined;
  children: ReactNode;
};

/** What stands round every screen of the dashboard. What plays or lies over it has the page to itself. */
export function Shell({ house, screen, path, cover, children }: ShellProps) {
  useLeaveOnceLoggedOut();
  const isCovered = cover !== undefined;
  const isAside = isCovered || (screen.name === "item" && screen.isPlaying);
  const isLocked = screen.name === "locked" || (screen.name === "receipt" && !screen.isActive);
  return (
    <>
      <title>{`${cover ?? screenTitle(screen)} – ${house.productName}`}</title>
      <div inert={isAside}>
        <SkipLink to={isCovered ? "account-title" : undefined} />
        <TopBar
          house={house}
          tabs={isLocked ? [] : tabsOf(screen)}
          searchTerm={isLocked ? undefined : screen.name === "search" ? screen.term : ""}
          areTabsShown={screen.name !== "landing" && !isLocked}
          accountPath={accountPath(path)}
        />
      </div>
      {/* It listens for links within, each of which has the keyboard's way too. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <main id="main" className={styles.main} inert={isCovered} onClick={usePlainLinks()}>
        <UntilLanding isOff={isLocked || screen.name === "landing"}>{children}</UntilLanding>
      </main>
      <div inert={isAside}>
        <Footer productName={house.productName} agency={house.agency} />
      </div>
    </>
  );
}

/**
 * WebKit keeps what may not be stored for Back if it came over plain http, also after log-out. What comes back so asks whether
 * its member may still see it; nothing else of it changes.
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

function tabsOf(screen: DashboardScreen): Tab[] {
  const current = sectionOf(screen);
  const tabs = itemKinds.map((kind) => ({ label: kinds[kind].tab, view: kind as string }));
  return [...tabs, { label: "Favourites", view: "favourites" }].map(({ label, view }) => ({
    label,
    path: `/?view=${view}`,
    isCurrent: view === current,
  }));
}

/** Which tab a screen belongs to. */
function sectionOf(screen: DashboardScreen): string | undefined {
  if (screen.name === "list") return screen.kind;
  if (screen.name === "item" && !screen.isFavourites) return screen.item.kind;
  return ["item", "favourites", "favourite-list"].includes(screen.name) ? "favourites" : undefined;
}
