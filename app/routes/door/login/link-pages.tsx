import { Link as RouterLink } from "react-router";

import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { PublicProduct } from "./auth-layout.tsx";
import type { LinkScreen, OutcomeScreen } from "./email-links.ts";
import { linkTexts, outcomes, type LinkKind } from "./link-texts.ts";
import { askLinkPath, logInPath, resetPath } from "./paths.ts";
import buttons from "../../../components/button.module.css";
import styles from "./login.module.css";

/** One button, or two for a question. */
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
          <Submit intent="keep-link" label="Keep my address" pending="Keeping..." />
        </IntentForm>
      )}
      <IntentForm intent={intent} action="/login">
        <input type="hidden" name="token" value={token} />
        <Submit intent={intent} label={button} pending={pending} {...(kind === "answer" && { look: "quiet" })} />
      </IntentForm>
    </div>
  );
}

const ways = {
  reset: { to: resetPath(1), label: "Reset password" },
  enter: { to: askLinkPath("ask"), label: "Email me a link" },
  other: { to: logInPath(), label: "Log in" },
};

/** Used, too old, or cut short. */
export function BadLink({ screen: { kind }, product }: { screen: { kind: LinkKind }; product: PublicProduct }) {
  const { to, label } = ways[kind === "reset" || kind === "enter" ? kind : "other"];
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>This link doesn't work</h1>
      <p>You may have used it already, or it may be too old or incomplete. {linkTexts[kind].remedy}</p>
      <p>
        <RouterLink className={buttons.button} to={to}>
          {label}
        </RouterLink>
      </p>
      <Contact product={product} />
    </div>
  );
}

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
