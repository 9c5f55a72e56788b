import { Link } from "react-router";

import { AskAddress } from "./ask-address.tsx";
import type { AskLinkScreen } from "./log-in-link.ts";
import { askLinkPath, logInPath } from "./paths.ts";
import type { LogInAnswer } from "./reset.ts";
import styles from "./login.module.css";

export function askLinkTitle({ isSent }: AskLinkScreen): string {
  return isSent ? "Check your email" : "Log in without a password";
}

type AskLinkProps = { screen: AskLinkScreen; answer: LogInAnswer | undefined; to: string | undefined };

export function AskLink({ screen, answer, to }: AskLinkProps) {
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{askLinkTitle(screen)}</h1>
      {screen.isSent ? (
        <Sent to={to} />
      ) : (
        <AskAddress
          intent="link-request"
          answer={answer}
          hint="We'll send a link if this email has an account."
          label="Email me a link"
          pending="Sending..."
        />
      )}
      <p className={styles.other}>
        Have your password? <Link to={logInPath(to)}>Return to login</Link>
      </p>
    </div>
  );
}

function Sent({ to }: Pick<AskLinkProps, "to">) {
  return (
    <>
      <p>
        If your email has an account, we've sent it a link. It works once, for ten minutes, and logs in the device where
        you open it.
      </p>
      <p className={styles.other}>
        No email after a minute? <Link to={askLinkPath("ask", to)}>Send a new link</Link>
      </p>
    </>
  );
}
