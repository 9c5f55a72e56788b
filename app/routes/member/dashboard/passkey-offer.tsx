import { useEffect, useState } from "react";
import { Link } from "react-router";

import { IntentForm, Submit, useIsPending } from "../../../forms/intent-form.tsx";
import { hasScreenLock } from "../../../forms/passkeys.ts";
import { accountPath } from "./view.ts";
import styles from "./passkey-offer.module.css";

/** Below the landing, once after a log-in by password, where the device has a screen lock. */
export function PasskeyOffer() {
  const [isShown, setIsShown] = useState(false);
  const isOver = useIsPending("passkey-decline");
  useEffect(() => {
    hasScreenLock().then(setIsShown, () => undefined);
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
