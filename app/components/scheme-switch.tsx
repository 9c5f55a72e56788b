import { useLayoutEffect, useRef } from "react";
import { Form, useLocation } from "react-router";

import { holdWhileBusy, useIsPending } from "../forms/intent-form.tsx";
import { Icon } from "./icons.tsx";
import buttons from "./button.module.css";
import styles from "./scheme-switch.module.css";

/**
 * The page has both buttons, and the style shows one: only the browser knows what the system prefers. A layout names
 * its own `action`, because not every screen takes forms. `isInMenu`: with words.
 */
export function SchemeSwitch({ action, isInMenu = false }: { action?: string; isInMenu?: boolean }) {
  const { pathname, search } = useLocation();
  const [look, words] = isInMenu ? [buttons.quiet] : [buttons.round, "visually-hidden"];
  const form = useRef<HTMLFormElement>(null);
  const isPending = useIsPending("scheme");
  // The pressed button is hidden now, with the focus. `focus()` does nothing on the hidden one, so the other gets it.
  useLayoutEffect(() => {
    if (isPending || !form.current?.contains(document.activeElement)) return;
    for (const button of form.current.querySelectorAll("button")) button.focus();
  }, [isPending]);
  return (
    <Form
      ref={form}
      method="post"
      {...(action !== undefined && { action, replace: true, preventScrollReset: true })}
      className={styles.switch}
      aria-busy={isPending}
      onSubmit={holdWhileBusy}
    >
      <input type="hidden" name="intent" value="scheme" />
      {action !== undefined && <input type="hidden" name="page" value={pathname + search} />}
      <button className={`${look} ${styles.toDawn}`} name="scheme" value="dawn" title="Dawn">
        <Icon name="sun" />
        <span className={words}>Switch to the light scheme</span>
      </button>{" "}
      <button className={`${look} ${styles.toNight}`} name="scheme" value="night" title="Night">
        <Icon name="contrast" />
        <span className={words}>Switch to the dark scheme</span>
      </button>
    </Form>
  );
}
