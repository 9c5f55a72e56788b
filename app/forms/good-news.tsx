import { useEffect, useRef } from "react";

import { Icon } from "../ui/icons.tsx";
import styles from "./good-news.module.css";

/** A quiet line of what went well. `hasFocus`: it takes the focus, where the button that was pressed has gone. */
export function GoodNews({ sentence, hasFocus = false }: { sentence: string; hasFocus?: boolean }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (hasFocus) line.current?.focus();
  }, [hasFocus, sentence]);
  return (
    <p ref={line} className={styles.good} role="status" tabIndex={-1}>
      <Icon name="check" />
      {sentence}
    </p>
  );
}
