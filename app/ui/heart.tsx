import { createContext, useContext } from "react";

import { useHeart, useHeartMessage } from "../hearts.ts";
import { href } from "../paths.ts";
import styles from "./heart.module.css";

/** The keys of the favourites among what a screen shows. */
export const KeptContext = createContext<ReadonlySet<string>>(new Set());

const FORM_ID = "hearts";

/**
 * Saves an item or lets it go. All hearts of a page share one form, and the style draws them, so that hundreds cost no
 * more than their buttons. The words remain where no style hides them; so does what others see and hear as pressed.
 */
export function Heart({ itemKey, title }: { itemKey: string; title: string }) {
  const isKept = useHeart(itemKey, useContext(KeptContext).has(itemKey));
  return (
    <button
      form={FORM_ID}
      name={isKept ? "remove" : "save"}
      value={itemKey}
      className={styles.heart}
      aria-pressed={isKept}
    >
      {`Favourite: ${title}`}
      {isKept && <span aria-hidden="true"> (saved)</span>}
    </button>
  );
}

/** The form behind the hearts, and what is said of the last one pressed. `from` is the path of the page. */
export function HeartForm({ from }: { from: string }) {
  const { text, isError } = useHeartMessage();
  return (
    <>
      <form id={FORM_ID} method="post" action={href("/favourites")} data-hearts="">
        <input type="hidden" name="from" value={from} />
      </form>
      <p aria-live="polite" className={isError ? styles.failure : "visually-hidden"}>
        {text}
      </p>
    </>
  );
}
