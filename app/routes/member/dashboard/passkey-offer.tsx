import { useEffect, useState } from "react";
import { Link } from "react-router";

import { IntentForm, Submit, useIsPending } from "../../../forms/intent-form.tsx";
import { hasScreenLock, noteOffer } from "../../../forms/passkeys.ts";
import { accountPath } from "./view.ts";
import styles from "./passkey-offer.module.css";

/** Below the landing after a log-in by password, where the device has a screen lock: once in a member's life. */
export function PasskeyOffer() {
  const [isShown, setIsShown] = useState(false);
  const isOver = useIsPending("passkey-decline");
  useEffect(() => {
    async function show(): Promise<void> {
      if (!(await hasScreenLock())) return;
      setIsShown(true);
      await noteOffer();
    }
    // Offline it is offered again after another log-in.
    show().catch(() => undefined);
  }, []);
  if (!isShown || isOver) return null;
  return (
    <aside className={styles.offer} aria-label="Log in without a password">
      <p>Next time, log in with your face, finger or screen lock.</p>
      <p className={styles.ways}>
        <Link to={accountPath("/", "passkeys")}>Add a passkey</Link>
      </p>
      <IntentForm intent="passkey-decline">
        <Submit intent="passkey-decline" label="No, thanks" pending="No, thanks" look="plain" />
      </IntentForm>
    </aside>
  );
}
