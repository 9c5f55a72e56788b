import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../../components/button.module.css";
import { Icon } from "../../components/icons.tsx";
import { focusNext, moveFocus } from "../../frame/focus.ts";
import type { Tab } from "./navigation.ts";
import styles from "./keys.module.css";

/** Inactive while a field has the focus, and can be turned off (WCAG 2.1.4). */

const STORAGE_KEY = "desk-keys";
const PANEL_ID = "desk-keys";
/** The member search, and its screen. */
const FIND = { field: "#find-member", path: "/desk/members" };

/** The screens that a key opens after `g`. */
function listLinks(tabs: Tab[]): { label: string; path: string; key: string }[] {
  const screens = tabs.flatMap(({ links, ...tab }) => [tab, ...links.filter(({ path }) => path !== tab.path)]);
  return screens.flatMap(({ label, path, key }) => (key === undefined ? [] : [{ label, path, key }]));
}

/** Listens for the keys, and lists them in a panel that `?` and the menu open. Only with script. */
export function Keys({ tabs }: { tabs: Tab[] }) {
  return useHydrated() ? <LiveKeys tabs={tabs} /> : null;
}

function LiveKeys({ tabs }: { tabs: Tab[] }) {
  const navigate = useNavigate();
  const [isOn, setIsOn] = useState(() => readChoice() !== "off");
  const isAfterG = useRef(false);
  const links = listLinks(tabs);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const wasAfterG = isAfterG.current;
    isAfterG.current = false;
    if (!isOn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return;
    const link = wasAfterG ? links.find(({ key }) => key === event.key) : undefined;
    if (link) void navigate(link.path);
    else if (event.key === "g") isAfterG.current = true;
    else if (event.key === "/") find();
    else if (event.key === "?") document.getElementById(PANEL_ID)?.showPopover();
    else return;
    event.preventDefault();
  });
  function find(): void {
    if (document.querySelector(FIND.field)) return moveFocus(FIND.field);
    focusNext(FIND.field);
    void navigate(FIND.path);
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  function turn(on: boolean): void {
    setIsOn(on);
    writeChoice(on ? undefined : "off");
  }
  return (
    <section id={PANEL_ID} popover="auto" className={styles.panel} aria-labelledby={`${PANEL_ID}-title`}>
      <div className={styles.head}>
        <h2 id={`${PANEL_ID}-title`}>Keys</h2>
        <button type="button" className={buttons.round} popoverTarget={PANEL_ID} popoverTargetAction="hide">
          <Icon name="close" />
          <span className="visually-hidden">Close the list of keys</span>
        </button>
      </div>
      <dl className={styles.list}>
        <Key keys={["/"]} what="Find a member" />
        {links.map(({ label, path, key }) => (
          <Key key={path} keys={["g", key]} what={label} />
        ))}
        <Key keys={["?"]} what="This list" />
      </dl>
      <p className={styles.note}>{isOn ? "They pause while you type in a field." : "They're off in this browser."}</p>
      <button type="button" className={buttons.quiet} onClick={() => turn(!isOn)}>
        {isOn ? "Turn the keys off" : "Turn the keys on"}
      </button>
    </section>
  );
}

function Key({ keys, what }: { keys: string[]; what: string }) {
  return (
    <div>
      <dt>
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && <span className="visually-hidden"> then </span>}
            <kbd>{key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{what}</dd>
    </div>
  );
}

export function KeysButton() {
  if (!useHydrated()) return null;
  return (
    <button type="button" className={buttons.quiet} popoverTarget={PANEL_ID}>
      Keys
    </button>
  );
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // The browser stores nothing for this site: the keys are on.
    return null;
  }
}

function writeChoice(choice: "off" | undefined): void {
  try {
    if (choice === undefined) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // As above: it lasts while this page does.
  }
}
