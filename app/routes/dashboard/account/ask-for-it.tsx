import { href } from "../../../paths.ts";
import buttons from "../../../ui/button.module.css";
import { resetPath } from "../../login/paths.ts";

/** In place of a form where the account is kept elsewhere: how a member gets there all the same. */

export function AskForPassword() {
  return (
    <>
      <p>We write you a code, and with it you choose a new password. Every device is signed out then.</p>
      <p>
        <a className={buttons.quiet} href={href(resetPath(1, undefined))}>
          Get a code
        </a>
      </p>
    </>
  );
}

export function AskToClose({ contactEmail }: { contactEmail: string }) {
  return (
    <p>
      Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> from the email address of your account, and we will
      close it for you.
    </p>
  );
}
