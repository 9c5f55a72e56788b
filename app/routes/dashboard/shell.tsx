import type { ReactNode } from "react";

import { Footer } from "../../ui/footer.tsx";
import { SkipLink } from "../../ui/skip-link.tsx";
import { TopBar, type Tab } from "../../ui/top-bar.tsx";
import type { DashboardScreen, House } from "../dashboard.tsx";
import { screenTitle } from "./screen-title.ts";
import { sectionKinds, sections } from "./sections.ts";
import styles from "./shell.module.css";

/** What stands round every screen of the dashboard. While a video plays over it, the page behind is out of reach. */
export function Shell({ house, screen, children }: { house: House; screen: DashboardScreen; children: ReactNode }) {
  const isPlaying = screen.name === "item" && screen.isPlaying;
  const isLocked = screen.name === "locked" || (screen.name === "receipt" && !screen.isActive);
  return (
    <>
      <title>{`${screenTitle(screen)} – ${house.productName}`}</title>
      <div inert={isPlaying}>
        <SkipLink />
        <TopBar
          productName={house.productName}
          memberName={house.memberName}
          tabs={isLocked ? [] : tabsOf(screen)}
          searchTerm={isLocked ? undefined : screen.name === "search" ? screen.term : ""}
          areTabsShown={screen.name !== "landing" && !isLocked}
        />
      </div>
      <main id="main" className={styles.main}>
        {children}
      </main>
      <div inert={isPlaying}>
        <Footer productName={house.productName} agency={house.agency} />
      </div>
    </>
  );
}

function tabsOf(screen: DashboardScreen): Tab[] {
  const current = sectionOf(screen);
  const tabs = sectionKinds.map((kind) => ({ label: sections[kind].label, view: kind as string }));
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
