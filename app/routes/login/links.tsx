import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import type { EntranceHouse } from "../../ui/entrance.tsx";
import type { LinkKind, LinkScreen } from "./link-screen.ts";
import type { LogInScreen } from "./log-in-screen.ts";
import { outcomes } from "./outcomes.ts";
import { logInPath, resetPath } from "./paths.ts";
import styles from "./log-in-form.module.css";

type LinkWords = {
  title: string;
  /** Of whose address it is, where the link says so. */
  sentence: (email: string) => string;
  button: string;
  pending: string;
  /** What to do about a link that does not work. */
  remedy: string;
};

export const linkWords: Record<LinkKind, LinkWords> = {
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

/** What the link of an email opens: a page with one button. */
export function Link({ screen: { kind, token, email = "" } }: { screen: LinkScreen & { name: "link" } }) {
  const { title, sentence, button, pending } = linkWords[kind];
  const intent = `${kind}-link`;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence(email)}</p>
      <IntentForm intent={intent} action={href("/login")}>
        <input type="hidden" name="token" value={token} />
        <Submit intent={intent} label={button} pending={pending} />
      </IntentForm>
    </div>
  );
}

/** A link that was used, is too old, or was cut in two on its way. */
export function BadLink({ screen: { kind }, house }: { screen: { kind: LinkKind }; house: EntranceHouse }) {
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>This link does not work</h1>
      <p>It was used already, it is too old, or it was cut short on its way. {linkWords[kind].remedy}</p>
      <p>
        {kind === "reset" ? (
          <a className={buttons.button} href={href(resetPath(1))}>
            Reset password
          </a>
        ) : (
          <a className={buttons.button} href={href(logInPath())}>
            Log in
          </a>
        )}
      </p>
      <Contact house={house} />
    </div>
  );
}

type OutcomeProps = { screen: LogInScreen & { name: "outcome" }; house: EntranceHouse };

/** What became of an account, and what to do now. */
export function OutcomePage({ screen: { outcome, isMember }, house }: OutcomeProps) {
  const { title, sentence, next } = outcomes[outcome];
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{sentence}</p>
      <p>
        {next === "reset" ? (
          <a className={buttons.button} href={href(resetPath(1))}>
            Reset password
          </a>
        ) : (
          <a className={buttons.button} href={href(isMember ? "/" : logInPath())}>
            {isMember ? "Go to the dashboard" : "Log in"}
          </a>
        )}
      </p>
      {next === "contact" && <Contact house={house} />}
    </div>
  );
}

function Contact({ house: { contactEmail } }: { house: EntranceHouse }) {
  return (
    <p className={styles.other}>
      Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
    </p>
  );
}
