import { createContext, useContext, useEffect, useRef, type FormEvent, type ReactNode } from "react";

import { forgetSettledHearts, useHeart, useHeartMessage, wishHeart } from "../hearts.ts";
import { href } from "../paths.ts";
import styles from "./heart.module.css";

/** The keys of the favourites among what a screen shows. */
export const KeptContext = createContext<ReadonlySet<string>>(new Set());

/**
 * Saves an item or lets it go. All hearts of a page share one form, and the style draws them, so that hundreds cost no
 * more than their buttons. The words remain where no style hides them; so does what others see and hear as pressed.
 */
export function Heart({ itemKey, title }: { itemKey: string; title: string }) {
  const isKept = useHeart(itemKey, useContext(KeptContext).has(itemKey));
  return (
    <button name={isKept ? "remove" : "save"} value={itemKey} className={styles.heart} aria-pressed={isKept}>
      {`Favourite: ${title}`}
      {isKept && <span aria-hidden="true"> (saved)</span>}
    </button>
  );
}

/**
 * The form of all hearts of a page, around them: text browsers do not know of buttons that name a form elsewhere. Nothing within may have
 * a form of its own. `from` is the path of the page.
 */
export function HeartForm({ from, children }: { from: string; children: ReactNode }) {
  const first = useRef(from);
  useEffect(() => {
    if (from !== first.current) forgetSettledHearts();
    first.current = from;
  }, [from]);
  return (
    <form method="post" action={href("/favourites")} data-hearts="" onSubmit={wish}>
      <input type="hidden" name="from" value={from} />
      {children}
    </form>
  );
}

function wish(event: FormEvent): void {
  const { submitter } = event.nativeEvent as SubmitEvent;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  wishHeart(submitter.value, submitter.name === "save");
}

/** What is said of the last heart that was pressed. */
export function HeartMessage() {
  const { text, isError } = useHeartMessage();
  return (
    <p aria-live="polite" className={isError ? styles.failure : "visually-hidden"}>
      {text}
    </p>
  );
}
