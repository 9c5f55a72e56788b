import { Link as RouterLink } from "react-router";

import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import type { PublicProduct } from "../../components/auth-layout.tsx";
import type { LinkScreen, OutcomeScreen } from "./email-links.ts";
import { type LinkKind, logInPath, type Outcome, resetPath } from "./paths.ts";
import buttons from "../../components/button.module.css";
import styles from "./login.module.css";

type OutcomeTexts = { title: string; sentence: string; next: "log-in" | "reset" | "contact" };

/** Each is a page with one sentence and one thing to do. */
export const outcomes: Record<Outcome, OutcomeTexts> = {
  "email-confirmed": {
    title: "Your email is confirmed",
    sentence: "You log in with it from now on, and emails go there.",
    next: "log-in",
  },
  "email-taken": {
    title: "This email is already registered",
    sentence: "Another account uses it now, so yours keeps the one it has.",
    next: "log-in",
  },
  undone: {
    title: "Your old email is back",
    sentence: "Every device is logged out, and the old password no longer works. Choose a new one now.",
    next: "reset",
  },
  "undo-taken": {
    title: "Your old email could not be given back",
    sentence: "Another account uses it now.",
    next: "contact",
  },
  closed: {
    title: "Your account is closed",
    sentence: "It will be erased in 14 days. Until then the link in the email we sent you opens it again.",
    next: "log-in",
  },
  reopened: {
    title: "Your account is open again",
    sentence: "Nothing in it is lost. Log in as before.",
    next: "log-in",
  },
  "reopen-taken": {
    title: "Your account could not be opened",
    sentence: "Another account uses its email now.",
    next: "contact",
  },
};

export function parseOutcome(text: string | null): Outcome | undefined {
  return text !== null && Object.hasOwn(outcomes, text) ? (text as Outcome) : undefined;
}

type LinkTexts = {
  title: string;
  /** For an address, where the link names one. */
  sentence: (email: string) => string;
  button: string;
  pending: string;
  /** What to do about a link that does not work. */
  remedy: string;
};

export const linkTexts: Record<LinkKind, LinkTexts> = {
  reset: {
    title: "Choose a new password",
    sentence: () => "You asked us for a new password. If that was not you, close this page and nothing will change.",
    button: "Choose a new password",
    pending: "Opening...",
    remedy: "Ask for a new code; the email with it has a new link.",
  },
  confirm: {
    title: "Confirm your email",
    sentence: (email) => `Your account gets the email ${email}. Until you press this button, the one before works.`,
    button: "Confirm my email",
    pending: "Confirming...",
    remedy: "Log in and open My Account: if your new email is not confirmed there yet, send yourself a new code.",
  },
  undo: {
    title: "Take the change back",
    sentence: (email) =>
      `Your account gets its email ${email} back. Every device is logged out, and you choose a new password.`,
    button: "Give my old email back",
    pending: "Giving it back...",
    remedy: "If you cannot log in, write to us.",
  },
  reopen: {
    title: "Open your account again",
    sentence: (email) => `The account of ${email} is closed. Open it, and everything is as you left it.`,
    button: "Open my account again",
    pending: "Opening...",
    remedy: "If 14 days have gone by, the account is erased.",
  },
};

/** The page of an email's link, with one button. */
export function Link({ screen: { kind, token, email = "" } }: { screen: LinkScreen & { name: "link" } }) {
  const { title, sentence, button, pending } = linkTexts[kind];
  const intent = `${kind}-link`;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence(email)}</p>
      <IntentForm intent={intent} action="/login">
        <input type="hidden" name="token" value={token} />
        <Submit intent={intent} label={button} pending={pending} />
      </IntentForm>
    </div>
  );
}

/** For a link that was used, is too old, or was cut short. */
export function BadLink({ screen: { kind }, product }: { screen: { kind: LinkKind }; product: PublicProduct }) {
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>This link does not work</h1>
      <p>It was used already, it is too old, or it was cut short on its way. {linkTexts[kind].remedy}</p>
      <p>
        {kind === "reset" ? (
          <RouterLink className={buttons.button} to={resetPath(1)}>
            Reset password
          </RouterLink>
        ) : (
          <RouterLink className={buttons.button} to={logInPath()}>
            Log in
          </RouterLink>
        )}
      </p>
      <Contact product={product} />
    </div>
  );
}

type OutcomeProps = { screen: OutcomeScreen; product: PublicProduct };

/** What happened to an account, and what to do now. */
export function OutcomePage({ screen: { outcome, isMember }, product }: OutcomeProps) {
  const { title, sentence, next } = outcomes[outcome];
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence}</p>
      <p>
        {next === "reset" ? (
          <RouterLink className={buttons.button} to={resetPath(1)}>
            Reset password
          </RouterLink>
        ) : (
          <RouterLink className={buttons.button} to={isMember ? "/" : logInPath()}>
            {isMember ? "Go to the dashboard" : "Log in"}
          </RouterLink>
        )}
      </p>
      {next === "contact" && <Contact product={product} />}
    </div>
  );
}

function Contact({ product: { contactEmail } }: { product: PublicProduct }) {
  return (
    <p className={styles.other}>
      Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
    </p>
  );
}
