import type { Services } from "../../../../server/services.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import buttons from "../../../components/button.module.css";
import dormouse from "../../../components/dormouse.module.css";
import { LogOut } from "../../../components/top-bar.tsx";
import { href } from "../../../frame/paths.ts";
import { renewPath } from "../../door/signup/steps.ts";
import styles from "./locked.module.css";

/** For a member without an active subscription. */
export type LockedScreen = {
  name: "locked";
  contactUrl: string;
  title: string;
  sentence: string;
  renew: string | undefined;
};

/** `isUnknown`: the subscription cannot be looked up now. */
export async function findLocked(
  { product, signUp }: Pick<Services, "product" | "signUp">,
  { memberId, isUnknown }: { memberId: number; isUnknown: boolean },
): Promise<LockedScreen> {
  const canRenew = !isUnknown && (await signUp.findOwnRenewal(memberId)) !== undefined;
  const renew = canRenew ? href(renewPath()) : undefined;
  return {
    name: "locked",
    contactUrl: product.contactUrl,
    title: isUnknown ? "We can't see your subscription" : "No active subscription",
    sentence: isUnknown
      ? "Something on our side isn't answering. Your account and favourites are safe. Please try again in a few minutes."
      : `Your favourites are safe. ${renew ? "Renew to carry on, or contact us." : "Contact us and we'll look at it together."}`,
    renew,
  };
}

export function Locked({ contactUrl, title, sentence, renew }: LockedScreen) {
  return (
    <section className={`${styles.locked} ${dormouse.asleep}`}>
      <h1 tabIndex={-1}>{`${title}.`}</h1>
      <p>{sentence}</p>
      <div className={styles.actions}>
        {renew && (
          <>
            <a className={buttons.button} href={renew}>
              Renew
            </a>{" "}
          </>
        )}
        <OutsideLink className={buttons.quiet} href={contactUrl}>
          Contact us
        </OutsideLink>
        <LogOut />
      </div>
    </section>
  );
}
