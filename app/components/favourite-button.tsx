import { createContext, useContext, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { PrefetchPageLinks, useFetcher, useFetchers, useSubmit } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { moveFocus } from "../frame/focus.ts";
import { href } from "../frame/paths.ts";
import styles from "./favourite-button.module.css";

/** By item keys, of what a screen shows. */
export const FavouritedContext = createContext<ReadonlySet<string>>(new Set());

/** The key of an item's fetcher begins with this. */
const FETCHER = "favourite ";

/**
 * All buttons of a page share one form, and the style draws them, so hundreds cost only their markup. Browsers without
 * style show the label, with "(saved)" for a pressed button.
 */
export function FavouriteButton({ itemKey, title }: { itemKey: string; title: string }) {
  const isFavourited = useContext(FavouritedContext).has(itemKey);
  return (
    <button
      name={isFavourited ? "remove" : "save"}
      value={itemKey}
      className={styles.button}
      aria-pressed={isFavourited}
    >
      {`Favourite: ${title}`}
      {isFavourited && <span aria-hidden="true"> (saved)</span>}
    </button>
  );
}

type FavouriteFormProps = {
  from: string;
  favourited: string[];
  children: ReactNode;
};

/**
 * The form of all favourite buttons of a page. It surrounds them, because text browsers ignore a button's `form`
 * attribute, so no form may be within. With script each item has a fetcher, and a press shows at once.
 */
export function FavouriteForm({ from, favourited, children }: FavouriteFormProps) {
  const { shown, toggle } = useToggles(favourited, from);
  const [pressed, setPressed] = useState<{ itemKey: string; from: string }>();
  const keepFocusNear = useFocusNear();
  const isHydrated = useHydrated();

  function onSubmit(event: FormEvent): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    keepFocusNear(submitter);
    setPressed({ itemKey: submitter.value, from });
    // After the event: React reads the button again, and this may remove it.
    queueMicrotask(() => void toggle(submitter.value, submitter.name === "save"));
  }

  return (
    <FavouritedContext value={shown}>
      <form method="post" action={href("/favourites")} onSubmit={onSubmit}>
        <input type="hidden" name="from" value={from} />
        {children}
      </form>
      <Message itemKey={pressed?.from === from ? pressed.itemKey : ""} />
      {/* Fetched ahead: if the first press finds no connection, the request fails and not the script. */}
      {isHydrated && <PrefetchPageLinks page="/favourites" />}
    </FavouritedContext>
  );
}

/**
 * The favourites as the reader sees them, and their toggle. Each item has one request at a time, and the next sends the
 * latest press: concurrent requests could leave the server with an older one.
 */
function useToggles(favourited: string[], from: string) {
  const submit = useSubmit();
  const fetchers = useFetchers();
  /** The latest press of each item with a request under way. */
  const latest = useRef(new Map<string, boolean>());
  /** `undefined` once they are sent. */
  const [waiting, setWaiting] = useState<ReadonlyMap<string, boolean | undefined>>(new Map());

  const wait = (itemKey: string, isWanted?: boolean) => setWaiting((others) => new Map(others).set(itemKey, isWanted));

  async function toggle(itemKey: string, isWanted: boolean): Promise<void> {
    const isUnderWay = latest.current.has(itemKey);
    latest.current.set(itemKey, isWanted);
    if (isUnderWay) return wait(itemKey, isWanted);
    let sent: boolean | undefined;
    do {
      sent = latest.current.get(itemKey);
      const answered = submit(
        { [sent ? "save" : "remove"]: itemKey, from },
        { method: "post", action: "/favourites", navigate: false, fetcherKey: FETCHER + itemKey, flushSync: true },
      );
      wait(itemKey);
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await answered;
    } while (latest.current.get(itemKey) !== sent);
    latest.current.delete(itemKey);
    wait(itemKey);
  }

  const shown = new Set(favourited);
  const show = (itemKey: string, isFavourited?: boolean) => {
    if (isFavourited) shown.add(itemKey);
    else if (isFavourited === false) shown.delete(itemKey);
  };
  for (const { key, formData } of fetchers) {
    if (formData && key.startsWith(FETCHER)) show(key.slice(FETCHER.length), formData.has("save"));
  }
  for (const [itemKey, isWanted] of waiting) show(itemKey, isWanted);
  return { shown, toggle };
}

/** When the focused button disappears, the focus moves to its replacement, to the next card's, or to the heading. */
function useFocusNear(): (button: HTMLButtonElement) => void {
  const last = useRef<{ button: HTMLButtonElement; near: (Element | null | undefined)[] }>(undefined);
  useEffect(() => {
    if (!last.current || last.current.button.isConnected) return;
    const { near } = last.current;
    last.current = undefined;
    if (document.activeElement !== document.body) return;
    const buttons = near.map((card) => card?.querySelector<HTMLElement>("button[name=save], button[name=remove]"));
    const button = buttons.find((each) => each?.isConnected);
    if (!button) return moveFocus();
    button.focus({ preventScroll: true });
    // The thing in a card's place is lower than the card, and may be above the window where the pressed button was in view.
    button.scrollIntoView({ block: "nearest" });
  });
  return (button) => {
    const card = button.closest("li");
    const next = card?.nextElementSibling ?? card?.previousElementSibling;
    last.current = document.activeElement === button ? { button, near: [card, next] } : undefined;
  };
}

/** Whether the item is a favourite now, or `null` where that could not be saved. */
export type FavouriteAnswer = { isFavourited: boolean | null } | null;

/** For screen readers; a failure is shown as well. */
function Message({ itemKey }: { itemKey: string }) {
  const { state, data } = useFetcher<FavouriteAnswer>({ key: FETCHER + itemKey });
  const answer = state === "idle" ? data : undefined;
  const isFailure = answer?.isFavourited === null;
  const done = answer?.isFavourited ? "Saved to" : "Removed from";
  return (
    <p aria-live="polite" className={isFailure ? styles.failure : "visually-hidden"}>
      {isFailure ? "We couldn't save that. Please try again." : answer && `${done} your favourites.`}
    </p>
  );
}
