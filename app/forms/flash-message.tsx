import { Icon } from "../components/icons.tsx";
import { useFocusOn } from "./focus-on.ts";
import styles from "./flash-message.module.css";

type FlashMessageProps = {
  sentence: string;
  /** The answer that it belongs to. Each new one moves the focus here, because the pressed button may be gone. */
  cause?: object | undefined;
};

export function FlashMessage({ sentence, cause }: FlashMessageProps) {
  const line = useFocusOn<HTMLParagraphElement>(cause);
  return (
    <p ref={line} className={styles.good} role="status" tabIndex={-1}>
      <Icon name="check" />
      {sentence}
    </p>
  );
}
