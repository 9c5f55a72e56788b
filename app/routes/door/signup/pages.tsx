import { type ReactNode, useEffect } from "react";
import { Link, useRevalidator } from "react-router";

import { NewsletterSwitch } from "../../../forms/newsletter-switch.tsx";
import { moveFocus } from "../../../frame/focus.ts";
import { logInPath } from "../login/paths.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { fact, Facts, StepBar } from "./step-bar.tsx";
import { stepPath } from "./steps.ts";
import buttons from "../../../components/button.module.css";
import steps from "./step.module.css";

/** Step 4: paid, with the way in. */
export function Confirmation({ screen, answer, to }: ScreenProps<"confirmation">) {
  const { accountType, email, receiptNumber, amount, startsOn, endsOn, hasSession, newsletter } = screen;
  const isCorporate = accountType === "corporate";
  return (
    <div className={steps.step}>
      <StepBar step={4} to={to} />
      <h1 tabIndex={-1}>Payment Complete</h1>
      <div className={steps.outcome}>
        {isCorporate && <p>Your company pays for your membership. You haven't been charged.</p>}
        <p>
          We've sent a receipt to <strong>{email}</strong>.
        </p>
        <Facts
          facts={[
            fact("Receipt number", receiptNumber),
            ...(isCorporate ? [] : [fact("Paid", amount)]),
            fact("Membership starts", startsOn),
            fact("Membership ends", endsOn),
          ]}
        />
        <div className={steps.next}>
          {hasSession && (
            <Link className={buttons.button} to="/?view=watch">
              Go to my videos
            </Link>
          )}
          <Link className={hasSession ? buttons.quiet : buttons.button} to={hasSession ? (to ?? "/") : logInPath(to)}>
            Log In for Sleep Content
          </Link>
          {hasSession && (
            <Link className={buttons.quiet} to={`/?receipt=${encodeURIComponent(receiptNumber)}`}>
              View receipt
            </Link>
          )}
        </div>
        {newsletter && (
          <section className={steps.box} id="newsletter" aria-labelledby="newsletter-title">
            <h2 id="newsletter-title" className={steps.prompt}>
              New this month
            </h2>
            <NewsletterSwitch state={newsletter} email={email} answer={answer} anchor="newsletter" />
          </section>
        )}
      </div>
    </div>
  );
}

const CHECK_EVERY_IN_MS = 5000;

/** The payment's result is not known yet. The page asks again, and has a link as well: `path`, its own. */
export function Checking({ bar, path }: { bar: ReactNode; path: string }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => void revalidate(), CHECK_EVERY_IN_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  // The next screen has the same address, so the router does not move the focus.
  useEffect(() => () => moveFocus(), []);
  return (
    <div className={steps.step}>
      <noscript>
        <meta httpEquiv="refresh" content={String(CHECK_EVERY_IN_MS / 1000)} />
      </noscript>
      {bar}
      <h1 tabIndex={-1}>One moment</h1>
      <p role="status">We're checking your payment. You'll see the result here as soon as we know.</p>
      <p>
        <Link className={buttons.quiet} to={path}>
          Check again
        </Link>
      </p>
    </div>
  );
}

/** Paid, but no account could be made, so the money is refunded. */
export function Refunded({ product, screen, to }: ScreenProps<"refunded">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>We're refunding your payment</h1>
      <p>
        You paid {screen.amount}, but we couldn't open your membership. There is probably an account with your email
        already. We're refunding all of it to your card, which takes 5 to 10 working days.
      </p>
      <p>
        Not sure why? Write to <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a> and we'll look at
        it together.
      </p>
      <div className={steps.next}>
        <Link className={buttons.button} to={logInPath(to)}>
          Log in
        </Link>
        <Link className={buttons.quiet} to={stepPath(1, to)}>
          Sign up again
        </Link>
      </div>
    </div>
  );
}

/** Without a purchase the last step leads to the first (docs/behaviour.md, Sign-up). */
export function Improve({ screen, to }: Pick<ScreenProps<"improve">, "screen" | "to">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Improve Your Sleep</h1>
      <p>{`You have no subscription yet. Subscribe for ${screen.terms} to get every ${screen.items}.`}</p>
      <p>
        <Link className={buttons.button} to={stepPath(0, to)}>
          Sign up for a subscription
        </Link>
      </p>
    </div>
  );
}
