import { createContext, useContext } from "react";

import { useHeart, useHeartMessage } from "../hearts.ts";
import { href } from "../paths.ts";
import styles from "./heart.module.css";

/** The keys of the favourites among what a screen shows. */
export const KeptContext = createContext<ReadonlySet<string>>(new Set());

const FORM_ID = "hearts";

/** Whether an item was a favourite when its page was made. */
export function useIsKept(itemKey: string): boolean {
  return useContext(KeptContext).has(itemKey);
}

type HeartProps = { itemKey: string; title: string };

export function Heart({ itemKey, title }: HeartProps) {
  return <HeartButton itemKey={itemKey} title={title} isKept={useIsKept(itemKey)} />;
}

/**
 * Saves an item or lets it go. All hearts of a page share one form, and the style draws them, so that hundreds cost no
 * more than their buttons. It is told how its page has it, and shows what was pressed since.
 */
export function HeartButton({ itemKey, title, isKept }: HeartProps & { isKept: boolean }) {
  const isPressed = useHeart(itemKey, isKept);
  return (
    <button
      form={FORM_ID}
      name={isPressed ? "remove" : "save"}
      value={itemKey}
      className={styles.heart}
      aria-pressed={isPressed}
      aria-label={`Favourite: ${title}`}
    />
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
      <p role="status" className={isError ? styles.failure : "visually-hidden"}>
        {text}
      </p>
    </>
  );
}
