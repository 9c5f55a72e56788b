import { createContext, useContext, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { PrefetchPageLinks, useFetcher, useFetchers, useSubmit } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { moveFocus } from "../frame/focus.ts";
import { href } from "../frame/paths.ts";
import styles from "./favourite-button.module.css";

/** The keys of the favourites among what a screen shows. */
export const FavouritedContext = createContext<ReadonlySet<string>>(new Set());

/** A fetcher's key is this and the item's. */
const FETCHER = "favourite ";

/**
 * Saves or removes a favourite. All buttons of a page share one form, and the style draws them, so that hundreds cost no
 * more than their markup. Browsers without style show the label, with "(saved)" where others show the button as pressed.
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
  /** The path of the page. */
  from: string;
  /** The keys of its favourites, as the server knows them. */
  favourited: string[];
  children: ReactNode;
};

/**
 * The form of all favourite buttons of a page. It is around them, because text browsers ignore a button's `form` attribute, so nothing
 * within may have a form of its own. Where script runs each item has a fetcher, and a press shows at once.
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
    // After the event: React reads the button once more, and this may take it away.
    queueMicrotask(() => void toggle(submitter.value, submitter.name === "save"));
  }

  return (
    <FavouritedContext value={shown}>
      <form method="post" action={href("/favourites")} onSubmit={onSubmit}>
        <input type="hidden" name="from" value={from} />
        {children}
      </form>
      <Message itemKey={pressed?.from === from ? pressed.itemKey : ""} />
      {/* Fetched ahead: without a connection at the first press, the answer fails and not the script. */}
      {isHydrated && <PrefetchPageLinks page="/favourites" />}
    </FavouritedContext>
  );
}

/**
 * The favourites as the reader sees them, and how one is toggled. Each item has one request at a time, and the next sends the latest
 * press: requests that overtook one another would leave the server with an older one.
 */
function useToggles(favourited: string[], from: string) {
  const submit = useSubmit();
  const fetchers = useFetchers();
  /** The latest press of each item that has a request under way. */
  const latest = useRef(new Map<string, boolean>());
  /** Those that are not sent yet; `undefined` once they are. */
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

/**
 * When the focused button disappears, the focus moves to the button that took its place, Undo or the favourite button; else to that of
 * the next card, or to the heading.
 */
function useFocusNear(): (button: HTMLButtonElement) => void {
  const last = useRef<{ button: HTMLButtonElement; near: (Element | null | undefined)[] }>(undefined);
  useEffect(() => {
    if (!last.current || last.current.button.isConnected) return;
    const { near } = last.current;
    last.current = undefined;
    if (document.activeElement !== document.body) return;
    const buttons = near.map((card) => card?.querySelector<HTMLElement>("button[name=save], button[name=remove]"));
    const button = buttons.find((each) => each?.isConnected);
    if (button) button.focus({ preventScroll: true });
    else moveFocus();
  });
  return (button) => {
    const card = button.closest("li");
    const next = card?.nextElementSibling ?? card?.previousElementSibling;
    last.current = document.activeElement === button ? { button, near: [card, next] } : undefined;
  };
}

/** The answer to a press: whether the item is a favourite now, or `null` where it could not be saved. */
export type FavouriteAnswer = { isFavourited: boolean | null } | null;

/** The outcome of the last press, for screen readers; a failure is shown as well. */
function Message({ itemKey }: { itemKey: string }) {
  const { state, data } = useFetcher<FavouriteAnswer>({ key: FETCHER + itemKey });
  const answer = state === "idle" ? data : undefined;
  const isFailure = answer?.isFavourited === null;
  const done = answer?.isFavourited ? "Saved to" : "Removed from";
  return (
    <p aria-live="polite" className={isFailure ? styles.failure : "visually-hidden"}>
      {isFailure ? "That could not be saved. Please try again." : answer && `${done} your favourites.`}
    </p>
  );
}
