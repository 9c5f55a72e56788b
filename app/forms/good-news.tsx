import { Icon } from "../ui/icons.tsx";
import { useFocusOn } from "./use-focus-on.ts";
import styles from "./good-news.module.css";

type GoodNewsProps = {
  sentence: string;
  /** What it is said of. Each new one has it take the focus, for the button that was pressed may be gone. */
  cause?: object | undefined;
};

/** A quiet line of what went well. */
export function GoodNews({ sentence, cause }: GoodNewsProps) {
  const line = useFocusOn<HTMLParagraphElement>(cause);
  return (
    <p ref={line} className={styles.good} role="status" tabIndex={-1}>
      <Icon name="check" />
      {sentence}
    </p>
  );
}
