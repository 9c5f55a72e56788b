import { useEffect } from "react";
import { Link, useRevalidator } from "react-router";

import { NewsletterSwitch } from "../../forms/newsletter-switch.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { moveFocus } from "../../focus.ts";
import { logInPath } from "../login/paths.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { fact, Facts, StepBar } from "./step-bar.tsx";
import { checkingPath, renewPath, stepPath } from "./steps.ts";
import buttons from "../../components/button.module.css";
import steps from "./step.module.css";

/** Step 0: what this is, and the two ways in. */
export function Welcome({ to }: { to: string | undefined }) {
  return (
    <>
      <div className={steps.welcome}>
        <h1 tabIndex={-1}>A quiet place for bad nights</h1>
        <p>
          Videos to watch in the dark, articles to read at lunch, webinars to follow in your own time: about falling
          asleep, waking in the night, snoring, shift work and more, from people who know how long three in the morning
          can be.
        </p>
        <h2 className={steps.prompt}>Log in or Sign up</h2>
        <p className={steps.entry}>
          <Link className={buttons.button} to={stepPath(1, to)}>
            Sign up
          </Link>{" "}
          <Link className={buttons.quiet} to={logInPath(to)}>
            Log in
          </Link>
        </p>
      </div>
      <StepBar step={0} to={to} />
    </>
  );
}

/** Step 4: it is paid, and this is the way in. */
export function Confirmation({ screen, answer, to }: ScreenProps<"confirmation">) {
  const { accountType, email, receiptNumber, amount, startsOn, endsOn, hasSession, newsletter } = screen;
  const isCorporate = accountType === "corporate";
  return (
    <div className={steps.step}>
      <StepBar step={4} to={to} />
      <h1 tabIndex={-1}>Payment Complete</h1>
      <div className={steps.outcome}>
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
        <div className={steps.next}>
          <Link className={buttons.button} to={hasSession ? (to ?? "/") : logInPath(to)}>
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
            <NewsletterSwitch state={newsletter} email={email} answer={answer} place="newsletter" />
          </section>
        )}
      </div>
    </div>
  );
}

const CHECK_EVERY_IN_MS = 5000;

/** The gateway has not said yet whether the payment succeeded. The page asks again by itself, and has a link as well. */
export function Checking({ to }: { to: string | undefined }) {
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
      <StepBar step={3} to={to} canGoBack={false} />
      <h1 tabIndex={-1}>One moment</h1>
      <p role="status">We are checking your payment. Nothing is lost; this page shows the result as soon as we know.</p>
      <p>
        <Link className={buttons.quiet} to={checkingPath(to)}>
          Check again
        </Link>
      </p>
    </div>
  );
}

/** Paid, but no account could be made, so the money goes back. */
export function Refunded({ product, screen, to }: ScreenProps<"refunded">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Your payment was returned</h1>
      <p>
        You paid {screen.amount}, and we could not open your membership: most likely an account with your email was made
        in the meantime. All of it goes back to your card. Your bank may take up to ten days to show it.
      </p>
      <p>
        If you do not know why, write to <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a> and we
        will look at it together.
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

/** The last step without a purchase leads to the first (docs/behaviour.md, Sign-up). */
export function Improve({ screen, to }: Pick<ScreenProps<"improve">, "screen" | "to">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Improve Your Sleep</h1>
      <p>
        You have no subscription yet. It opens every {screen.items} here, for {screen.terms}.
      </p>
      <p>
        <Link className={buttons.button} to={stepPath(0, to)}>
          Sign up for a subscription
        </Link>
      </p>
    </div>
  );
}

/** The links of emails open these pages, which have one button. */

export function VerifyLink({ screen }: Pick<ScreenProps<"verify-link">, "screen">) {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Verify your email</h1>
      <p>
        Someone is signing up with <strong>{screen.email}</strong>. If that is not you, close this page and nothing
        happens.
      </p>
      <IntentForm intent="verify-link" action="/signup">
        <input type="hidden" name="token" value={screen.token} />
        <Submit intent="verify-link" label="Verify my email" pending="Verifying..." />
      </IntentForm>
    </div>
  );
}

export function Verified() {
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Your email is verified.</h1>
      <p>Go back to the window where you were signing up; it is waiting for you.</p>
    </div>
  );
}

export function Renewal({ screen }: Pick<ScreenProps<"renewal">, "screen">) {
  const { token, firstName, endsOn } = screen;
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>Welcome back, {firstName}</h1>
      <p>{endsOn ? `Your membership runs until ${endsOn}. A new term begins then.` : "Your membership has ended."}</p>
      <p>Choose a plan and pay for it. Your favourites and your details are as you left them.</p>
      <IntentForm intent="renew" action="/signup">
        <input type="hidden" name="token" value={token} />
        <Submit intent="renew" label="Renew my membership" pending="Opening..." />
      </IntentForm>
    </div>
  );
}

export function Company({ product, screen }: Pick<ScreenProps<"company">, "product" | "screen">) {
  const contact = <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a>;
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>{screen.hasAgreed ? "Your Direct Debit is set up" : "Your Direct Debit is not set up yet"}</h1>
      {screen.hasAgreed ? (
        <p>Thank you. Your company's code works within a minute or so. Give it to your people, and they can join.</p>
      ) : (
        <p>Nothing was agreed. The page in our email works for a week; write to {contact} for a new one.</p>
      )}
    </div>
  );
}

export function BadLink({ product, screen, to }: Omit<ScreenProps<"bad-link">, "answer">) {
  const contact = <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a>;
  return (
    <div className={steps.step}>
      <h1 tabIndex={-1}>This link does not work</h1>
      {screen.kind === "verify" ? (
        <p>
          It was used already, or it is too old. Go back to the window where you were signing up: if your email is not
          verified there yet, send yourself a new code.
        </p>
      ) : (
        <p>It is too old, or it was cut short on its way. Write to {contact} and we will send you a new one.</p>
      )}
      <p>
        <Link className={buttons.button} to={screen.kind === "verify" ? stepPath(0, to) : logInPath(renewPath(to))}>
          {screen.kind === "verify" ? "Go to sign up" : "Log in"}
        </Link>
      </p>
    </div>
  );
}
