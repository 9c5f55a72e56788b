import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

import { isPlainClick } from "../../../../components/links.tsx";
import { isFocusFree } from "../../../../forms/focus-on.ts";
import { href } from "../../../../frame/paths.ts";
import { accountPath, type AccountPart } from "../view.ts";
import type { AccountScreen } from "./account-screen.ts";
import styles from "./account.module.css";

/** The rows of My Account that are open: those that are wanted, and those that were opened on this page. */
export function useRows({ part: named, closePath }: AccountScreen, wanted: AccountPart[]) {
  const [open, setOpen] = useState(wanted);
  const [pressed, setPressed] = useState<AccountPart>();
  const missing = wanted.filter((part) => !open.includes(part));
  if (missing.length > 0) setOpen([...open, ...missing]);
  return (part: AccountPart) => ({
    id: `account-${part}`,
    isOpen: open.includes(part),
    // An address without the name of a row is that of My Account itself.
    isNamed: part === named && part !== "open",
    isPressed: part === pressed,
    path: accountPath(closePath, part),
    onPress: () => {
      setOpen([...open, part]);
      setPressed(part);
    },
  });
}

export type RowProps = ReturnType<ReturnType<typeof useRows>> & {
  title: string;
  message: ReactNode;
  children: ReactNode;
};

/**
 * A row of My Account. What it holds is rendered once it is open; from then on it folds by itself, and what was typed in it stays. Its link is
 * plain, because with script it opens the row on this page, without a request.
 */
export function Row({ id, isOpen, isNamed, isPressed, path, onPress, title, message, children }: RowProps) {
  function open(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onPress();
  }
  return isOpen ? (
    <OpenRow {...{ id, isNamed, isPressed, title }}>
      {message}
      {children}
    </OpenRow>
  ) : (
    <h3 id={id} className={styles.part}>
      <a className={styles.fold} href={href(`${path}#${id}`)} onClick={open}>
        {title}
      </a>
    </h3>
  );
}

type OpenRowProps = Pick<RowProps, "id" | "isNamed" | "isPressed" | "title" | "children">;

/**
 * One that the address names comes into view with the focus, on a page without script by `autofocus`. One that was opened by its link takes
 * the focus over from it.
 */
function OpenRow({ id, isNamed, isPressed, title, children }: OpenRowProps) {
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = summary;
    if (!(isNamed || isPressed) || !isFocusFree(current)) return;
    current?.focus({ preventScroll: true });
    if (isNamed) current?.scrollIntoView();
  }, [isNamed, isPressed]);
  return (
    <details id={id} className={styles.part} open>
      <summary ref={summary} className={styles.fold} {...(isNamed && { autoFocus: true })}>
        <h3>{title}</h3>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
