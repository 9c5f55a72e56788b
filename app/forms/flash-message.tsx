import { Icon } from "../components/icons.tsx";
import { useFocusOn } from "./focus-on.ts";
import styles from "./flash-message.module.css";

type FlashMessageProps = {
  sentence: string;
  /** The answer that it is part of. Each new one gives it the focus, because the button that was pressed may be gone. */
  cause?: object | undefined;
};

/** A line that says what went well. */
export function FlashMessage({ sentence, cause }: FlashMessageProps) {
  const line = useFocusOn<HTMLParagraphElement>(cause);
  return (
    <p ref={line} className={styles.good} role="status" tabIndex={-1}>
      <Icon name="check" />
      {sentence}
    </p>
  );
}
