import buttons from "../../components/button.module.css";
import { LogOut } from "../../components/top-bar.tsx";
import styles from "./locked.module.css";

/** All that a member without an active subscription sees; `isUnknown` where we cannot find out just now whether there is one. */
export type LockedScreen = { name: "locked"; contactUrl: string; isUnknown: boolean; canRenew: boolean };

export function Locked({ contactUrl, isUnknown, canRenew }: LockedScreen) {
  return (
    <section className={styles.locked}>
      <h1 tabIndex={-1}>{isUnknown ? "We cannot see your subscription." : "No active subscription."}</h1>
      <p>
        {isUnknown
          ? "Something of ours does not answer just now. Your account is here, and nothing in it is lost. Please come back in a few minutes."
          : `Your account is here, and nothing in it is lost. ${canRenew ? "You can renew under Membership in My Account, or write to us." : "Write to us and we will look at it together."}`}
      </p>
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
