import { useLayoutEffect, useRef } from "react";
import { Form } from "react-router";

import { holdWhileBusy } from "../forms/intent-form.tsx";
import { useIsPending } from "../forms/use-is-pending.ts";
import { Icon } from "./icons.tsx";
import buttons from "./button.module.css";
import styles from "./scheme-switch.module.css";

/** Night or dawn. Both buttons are there and the style shows the one that leads away: only the browser knows what the system prefers. */
export function SchemeSwitch() {
  const form = useRef<HTMLFormElement>(null);
  const isPending = useIsPending("scheme");
  // The button that was pressed goes out of sight, and its focus is about to go with it. The one that stays hidden takes none.
  useLayoutEffect(() => {
    if (isPending || !form.current?.contains(document.activeElement)) return;
    for (const button of form.current.querySelectorAll("button")) button.focus();
  }, [isPending]);
  return (
    <Form ref={form} method="post" className={styles.switch} aria-busy={isPending} onSubmit={holdWhileBusy}>
      <input type="hidden" name="intent" value="scheme" />
      <button className={`${buttons.round} ${styles.toDawn}`} name="scheme" value="dawn" title="Dawn">
        <Icon name="sun" />
        <span className="visually-hidden">Switch to the light scheme</span>
      </button>{" "}
      <button className={`${buttons.round} ${styles.toNight}`} name="scheme" value="night" title="Night">
        <Icon name="moon" />
        <span className="visually-hidden">Switch to the dark scheme</span>
      </button>
    </Form>
  );
}
