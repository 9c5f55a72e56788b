import { Link as RouterLink } from "react-router";

import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import type { PublicProduct } from "../../components/auth-layout.tsx";
import type { LinkScreen, OutcomeScreen } from "./email-links.ts";
import { logInPath, resetPath } from "./paths.ts";
import buttons from "../../components/button.module.css";
import styles from "./login.module.css";

/** The outcome of an email's link or a form for an account. */
export type Outcome = keyof typeof outcomes;

/** Each is a page with one sentence and one thing to do. */
export const outcomes = {
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
  "email-held": {
    title: "Your email is confirmed",
    sentence:
      "It counts once your old address has agreed, or three days after our support was asked for it. Until then you log in with the old one.",
    next: "log-in",
  },
  "address-kept": {
    title: "Your address stays as it is",
    sentence: "The new one is forgotten. If you did not ask our support for it, please write to us.",
    next: "contact",
  },
  "address-agreed": {
    title: "You have agreed to the new address",
    sentence: "It counts as soon as it is confirmed: open the email that we sent to it.",
    next: "log-in",
  },
  "address-moved": {
    title: "Your email is changed",
    sentence: "You log in with the new one from now on, and emails go there.",
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
} as const;

export function parseOutcome(text: string | null): Outcome | undefined {
  return text !== null && Object.hasOwn(outcomes, text) ? (text as Outcome) : undefined;
}

/** To choose a new password, to prove a new address, to give the old one back, to open a closed account. */
export type LinkKind = keyof typeof linkTexts;

/** The page of each link; `remedy` is what to do about one that does not work. */
export const linkTexts = {
  reset: {
    title: "Choose a new password",
    sentence: () => "You asked us for a new password. If that was not you, close this page and nothing will change.",
    button: "Choose a new password",
    pending: "Opening...",
    remedy: "Ask for a new code; the email with it has a new link.",
  },
  confirm: {
    title: "Confirm your email",
    sentence: (email: string) =>
      `Your account gets the email ${email}. Until you press this button, the one before works.`,
    button: "Confirm my email",
    pending: "Confirming...",
    remedy: "Log in and open My Account: if your new email is not confirmed there yet, send yourself a new code.",
  },
  answer: {
    title: "Is this your new email?",
    sentence: (email: string, until = "") =>
      `Our support was asked to give your account the email ${email}. It counts from ${until}, once it is confirmed there, or as soon as you agree. If that was not you, keep your address.`,
    button: "Agree to the new address",
    pending: "Agreeing...",
    remedy: "If your address was changed against your will, write to us.",
  },
  undo: {
    title: "Take the change back",
    sentence: (email: string) =>
      `Your account gets its email ${email} back. Every device is logged out, and you choose a new password.`,
    button: "Give my old email back",
    pending: "Giving it back...",
    remedy: "If you cannot log in, write to us.",
  },
  reopen: {
    title: "Open your account again",
    sentence: (email: string) => `The account of ${email} is closed. Open it, and everything is as you left it.`,
    button: "Open my account again",
    pending: "Opening...",
    remedy: "If 14 days have gone by, the account is erased.",
  },
};

/** The page of an email's link, with one button; with two where it asks a question. */
export function Link({ screen: { kind, token, email = "", until } }: { screen: LinkScreen & { name: "link" } }) {
  const { title, sentence, button, pending } = linkTexts[kind];
  const intent = `${kind}-link`;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence(email, until)}</p>
      {kind === "answer" && (
        <IntentForm intent="keep-link" action="/login">
          <input type="hidden" name="token" value={token} />
          <Submit intent="keep-link" label="Keep my address" pending="Keeping it..." />
        </IntentForm>
      )}
      <IntentForm intent={intent} action="/login">
        <input type="hidden" name="token" value={token} />
        <Submit intent={intent} label={button} pending={pending} {...(kind === "answer" && { look: "quiet" })} />
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
        <RouterLink className={buttons.button} to={kind === "reset" ? resetPath(1) : logInPath()}>
          {kind === "reset" ? "Reset password" : "Log in"}
        </RouterLink>
      </p>
      <Contact product={product} />
    </div>
  );
}

/** The outcome for an account, and the next step. */
export function OutcomePage({ screen, product }: { screen: OutcomeScreen; product: PublicProduct }) {
  const { title, sentence, next } = outcomes[screen.outcome];
  const home = screen.isMember ? { to: "/", label: "Go to the dashboard" } : { to: logInPath(), label: "Log in" };
  const link = next === "reset" ? { to: resetPath(1), label: "Reset password" } : home;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence}</p>
      <p>
        <RouterLink className={buttons.button} to={link.to}>
          {link.label}
        </RouterLink>
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
