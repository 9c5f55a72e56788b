import { useState } from "react";

import { awakePath, href } from "../frame/paths.ts";
import { Face } from "./face.tsx";
import { Icon } from "./icons.tsx";
import { closeMenu } from "./links.tsx";
import { Logo } from "./page-frame.tsx";
import { SearchBox } from "./search-box.tsx";
import { SchemeSwitch } from "./scheme-switch.tsx";
import buttons from "./button.module.css";
import styles from "./top-bar.module.css";

export type TopBarProps = {
  site: { productName: string; memberName: string; avatar: string | undefined; hasAwake: boolean };
  /** Tabs on a wide screen, the side menu on a phone; empty for a member without access. */
  tabs: Tab[];
  /** The landing hides the tab row (docs/behaviour.md, Landing). */
  areTabsShown: boolean;
  /** `undefined` hides the search box. */
  searchTerm: string | undefined;
  /** My Account over this screen. */
  accountPath: string;
};

export type Tab = { label: string; path: string; isCurrent: boolean };

/** Its two menus are popovers, which open and close without script. */
export function TopBar({ site, tabs, areTabsShown, searchTerm, accountPath }: TopBarProps) {
  const awake = site.hasAwake && tabs.length > 0 ? [{ label: "Awake now", path: awakePath(), isCurrent: false }] : [];
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <Logo name={site.productName} />{" "}
        <a className={styles.title} href={href("/")}>
          Dashboard
        </a>
        {areTabsShown && (
          <nav className={styles.tabs} aria-label="Sections">
            <Tabs tabs={tabs} />
          </nav>
        )}
        <div className={styles.tools}>
          {awake.map(({ label, path }) => (
            <a key={path} className={`${buttons.pill} ${styles.awake}`} href={href(path)}>
              <Icon name="moon" />
              {label}
            </a>
          ))}{" "}
          {tabs.length > 0 && (
            <span className={styles.phoneOnly}>
              <a className={buttons.round} href={href("/?view=favourites")}>
                <Icon name="heart" />
                <span className="visually-hidden">Favourites</span>
              </a>{" "}
              <button type="button" className={buttons.round} popoverTarget="side-menu">
                <Icon name="menu" />
                <span className="visually-hidden">Menu</span>
              </button>
            </span>
          )}
        </div>
        <div className={styles.finding}>
          {searchTerm !== undefined && (
            // Safari does not focus a pressed button; the box keeps the focus, and so stays open.
            <div className={styles.search} tabIndex={-1}>
              <Search term={searchTerm} />
            </div>
          )}
          <AvatarButton site={site} />
        </div>
      </div>
      <SideMenu tabs={[...awake, ...tabs]} accountPath={accountPath} />
      <AccountMenu site={site} accountPath={accountPath} />
    </header>
  );
}

/** Shows the term of the results; empty after a picked suggestion. */
function Search({ term }: { term: string }) {
  const [picked, setPicked] = useState<string>();
  return <SearchBox term={term === picked ? "" : term} onPick={setPicked} />;
}

function AvatarButton({ site: { memberName, avatar } }: Pick<TopBarProps, "site">) {
  return (
    <button type="button" id="account-button" className={styles.avatar} popoverTarget="account-menu">
      <Face avatar={avatar} name={memberName} sizeInPx={44} />
      <span className="visually-hidden">{`Account of ${memberName}`}</span>
    </button>
  );
}

function AccountMenu({ site, accountPath }: Pick<TopBarProps, "site" | "accountPath">) {
  return (
    <div id="account-menu" popover="auto" className={styles.accountMenu}>
      <p className={styles.memberName}>{site.memberName}</p>
      <a href={href(accountPath)} onClick={closeMenu}>
        My Details
      </a>
      <SchemeSwitch isInMenu />
      <LogOut />
    </div>
  );
}

function SideMenu({ tabs, accountPath }: Pick<TopBarProps, "tabs" | "accountPath">) {
  return (
    <div id="side-menu" popover="auto" className={styles.sideMenu}>
      <button
        type="button"
        className={`${buttons.round} ${styles.close}`}
        popoverTarget="side-menu"
        popoverTargetAction="hide"
      >
        <Icon name="close" />
        <span className="visually-hidden">Close menu</span>
      </button>
      <nav aria-label="Menu">
        <Tabs tabs={[...tabs, { label: "My Account", path: accountPath, isCurrent: false }]} />
      </nav>
      <SchemeSwitch isInMenu />
      <LogOut />
    </div>
  );
}

function Tabs({ tabs }: { tabs: Tab[] }) {
  return (
    <ul className={styles.tabList}>
      {tabs.map(({ label, path, isCurrent }) => (
        <li key={path}>
          <a href={href(path)} aria-current={isCurrent ? "page" : undefined} onClick={closeMenu}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A page load, so that nothing of the member stays in the browser's memory. */
export function LogOut() {
  return (
    <form method="post" action={href("/")}>
      <input type="hidden" name="intent" value="log-out" />
      <button className={buttons.quiet}>Log Out</button>
    </form>
  );
}
