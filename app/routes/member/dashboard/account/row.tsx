import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

import { isPlainClick } from "../../../../components/links.tsx";
import { isFocusFree } from "../../../../forms/focus-on.ts";
import { href } from "../../../../frame/paths.ts";
import { accountPath, type AccountRow } from "../view.ts";
import type { AccountScreen } from "./account-screen.ts";
import styles from "./account.module.css";

/** Open rows: the wanted ones, and those opened on this page. */
export function useRows({ row: named, closePath }: AccountScreen, wanted: AccountRow[]) {
  const [open, setOpen] = useState(wanted);
  const [pressed, setPressed] = useState<AccountRow>();
  const missing = wanted.filter((row) => !open.includes(row));
  if (missing.length > 0) setOpen([...open, ...missing]);
  return (row: AccountRow) => ({
    id: `account-${row}`,
    isOpen: open.includes(row),
    // An address without a row names My Account itself.
    isNamed: row === named && row !== "open",
    isPressed: row === pressed,
    path: accountPath(closePath, row),
    onPress: () => {
      setOpen([...open, row]);
      setPressed(row);
    },
  });
}

export type RowProps = ReturnType<ReturnType<typeof useRows>> & {
  title: string;
  message: ReactNode;
  children: ReactNode;
};

/**
 * Renders its content once it is open; from then on it folds, and typed text stays. Its link is plain: with script it
 * opens the row without a request.
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
 * A row in the address comes into view with the focus, without script by `autofocus`. One opened by its link takes the
 * focus from it.
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
