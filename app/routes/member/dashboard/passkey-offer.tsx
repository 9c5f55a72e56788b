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
    hasScreenLock().then(setIsShown, () => undefined);
  }, []);
  if (!isShown || isOver) return null;
  return (
    <aside ref={noteInView} className={styles.offer} aria-label="Log in without a password">
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

/** It is below the tiles, and counts once it was in view. */
function noteInView(offer: HTMLElement) {
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    // Offline it is offered again after another log-in.
    noteOffer().catch(() => undefined);
  });
  observer.observe(offer);
  return () => observer.disconnect();
}
