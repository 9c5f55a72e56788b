import { useEffect } from "react";
import { useRevalidator } from "react-router";

import { moveFocus } from "../../move-focus.ts";
import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { logInPath } from "../login/paths.ts";
import { Facts } from "./facts.tsx";
import { fact } from "./fact.ts";
import type { ScreenProps } from "./screen-content.tsx";
import { StepBar } from "./step-bar.tsx";
import { checkingPath, stepPath } from "./steps.ts";
import styles from "./confirmation.module.css";
import steps from "./step.module.css";

/** Step 4: it is paid, and this is the way in (spec, section 2). */
export function Confirmation({ screen, to }: ScreenProps<"confirmation">) {
  const { accountType, email, receiptNumber, amount, startsOn, endsOn, hasSession } = screen;
  const isCorporate = accountType === "corporate";
  const wanted = to ?? "/";
  return (
    <div className={steps.step}>
      <StepBar step={4} to={to} />
      <h1 tabIndex={-1}>Payment Complete</h1>
      <div className={styles.outcome}>
        {isCorporate && <p>Your company pays for your membership. Nothing was taken from you.</p>}
        <p>
          A receipt has been sent to <strong>{email}</strong>.
        </p>
        <Facts
          facts={[
            fact("Receipt number", receiptNumber),
            ...(isCorporate ? [] : [fact("Paid", amount)]),
            fact("Membership starts", startsOn),
            fact("Membership ends", endsOn),
          ]}
        />
        <div className={styles.actions}>
          <a className={buttons.button} href={href(hasSession ? wanted : logInPath(to))}>
            Log In for Sleep Content
          </a>
          {hasSession && (
            <a className={buttons.quiet} href={href(`/?receipt=${encodeURIComponent(receiptNumber)}`)}>
              View receipt
            </a>
          )}
        </div>
      </div>
    </div>
  );
}

const CHECK_EVERY_IN_MS = 5000;

/** Paid or not, the gateway has not said. The page asks again by itself where it can, and has a link where it cannot. */
export function Checking({ to }: { to: string | undefined }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => void revalidate(), CHECK_EVERY_IN_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  // What comes next has the same address, so nobody else says that it is another screen.
  useEffect(() => () => moveFocus(), []);
  return (
    <div className={steps.step}>
      <noscript>
        <meta httpEquiv="refresh" content={String(CHECK_EVERY_IN_MS / 1000)} />
      </noscript>
      <StepBar step={3} to={to} canGoBack={false} />
      <h1 tabIndex={-1}>One moment</h1>
      <p role="status">We are checking your payment. Nothing is lost; this page shows the result as soon as we know.</p>
      <p>
        <a className={buttons.quiet} href={href(checkingPath(to))}>
          Check again
        </a>
      </p>
    </div>
  );
}

/** Paid for, but no account could be made of it. */
export function Refunded({ house, screen, to }: ScreenProps<"refunded">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Your payment was returned</h1>
      <p>
        You paid {screen.amount}, and we could not open your membership: most likely an account with your email was made
        in the meantime. All of it goes back to your card. Your bank may take up to ten days to show it.
      </p>
      <p>
        If you do not know why, write to <a href={`mailto:${house.contactEmail}`}>{house.contactEmail}</a> and we will
        look at it together.
      </p>
      <div className={styles.actions}>
        <a className={buttons.button} href={href(logInPath(to))}>
          Log in
        </a>
        <a className={buttons.quiet} href={href(stepPath(1, to))}>
          Sign up again
        </a>
      </div>
    </div>
  );
}

/** The last step for somebody who has bought nothing: five steps back is the way in (spec, section 2). */
export function Improve({ to }: { to: string | undefined }) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Improve Your Sleep</h1>
      <p>You have no subscription yet. It opens every video, article and webinar here, for one month or for a year.</p>
      <p>
        <a className={buttons.button} href={href(stepPath(0, to))}>
          Sign up for a subscription
        </a>
      </p>
    </div>
  );
}
