import type { Services } from "../../../server/services.ts";
import buttons from "../../components/button.module.css";
import dormouse from "../../components/dormouse.module.css";
import { LogOut } from "../../components/top-bar.tsx";
import styles from "./locked.module.css";

/** All that a member without an active subscription sees. */
export type LockedScreen = { name: "locked"; contactUrl: string; title: string; sentence: string };

/** `isUnknown`: we cannot find out just now whether there is a subscription. */
export function findLocked({ product, capabilities }: Services, isUnknown: boolean): LockedScreen {
  const wayOn = capabilities.canRenew
    ? "You can renew under Membership in My Account, or write to us."
    : "Write to us and we will look at it together.";
  return {
    name: "locked",
    contactUrl: product.contactUrl,
    title: isUnknown ? "We cannot see your subscription" : "No active subscription",
    sentence: isUnknown
      ? "Something of ours does not answer just now. Your account is here, and nothing in it is lost. Please come back in a few minutes."
      : `Your account is here, and nothing in it is lost. ${wayOn}`,
  };
}

export function Locked({ contactUrl, title, sentence }: LockedScreen) {
  return (
    <section className={`${styles.locked} ${dormouse.asleep}`}>
      <h1 tabIndex={-1}>{`${title}.`}</h1>
      <p>{sentence}</p>
      <div className={styles.actions}>
        <a className={buttons.button} href={contactUrl} target="_blank" rel="noopener noreferrer">
          Contact us
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
        <LogOut />
      </div>
    </section>
  );
}
