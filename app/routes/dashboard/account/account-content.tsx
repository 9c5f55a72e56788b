import { type FormMetadata, getFormProps, useForm } from "@conform-to/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";

import buttons from "../../../components/button.module.css";
import { NewsletterSwitch } from "../../../forms/newsletter-switch.tsx";
import { toLastResult } from "../../../forms/answer.ts";
import { isFocusFree } from "../../../forms/focus-on.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { CodeField, Field, NewPasswordFields } from "../../../forms/field.tsx";
import { FlashMessage } from "../../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { href } from "../../../paths.ts";
import { resetPath } from "../../login/paths.ts";
import type { AccountPart } from "../view.ts";
import { type AccountAnswer, CONTENT_ID } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import type { Passwords } from "./actions.ts";
import { DetailsPart } from "./details-form.tsx";
import { Devices } from "./devices.tsx";
import { flashMessages } from "./flash-messages.ts";
import { Membership } from "./membership.tsx";
import { WhereYouStopped } from "./where-you-stopped.tsx";
import styles from "./account.module.css";

export function AccountContent({ account, answer, avatar }: AccountProps) {
  const { profile, membership, devices, unsent, capabilities, contactEmail } = account;
  const answered = answer && "flash" in answer ? answer.flash : undefined;
  // An answer to a form replaces the flash message of the address.
  const key = answer ? answered : account.flash;
  const isWaiting = key === "saved" && profile.pendingEmail !== undefined;
  const flash = key && flashMessages[isWaiting ? "saved-email-waits" : key];
  const message = flash && <FlashMessage sentence={flash.sentence} cause={answered && answer} />;
  // A part and the form in it have one name.
  const form = answer && "form" in answer ? answer.form : undefined;
  const refused = form === "positions-switch" ? "stopped" : form;
  const toPartProps = (part: AccountPart) => ({
    part,
    isTarget: part === account.part,
    isOpen: [account.part, flash?.part, refused].includes(part),
  });
  return (
    <>
      {flash?.part === "open" && message}
      {unsent && !answer && <p className={styles.note}>{unsentText(unsent)}</p>}
      {profile.pendingEmail !== undefined && <PendingEmail account={account} answer={answer} />}
      <DetailsPart account={account} answer={answer} avatar={avatar} />
      <div id={CONTENT_ID} className={styles.parts}>
        <Part {...toPartProps("membership")} title="Membership">
          <Membership membership={membership} contactEmail={contactEmail} />
        </Part>
        <Part {...toPartProps("password")} title="Change password">
          {flash?.part === "password" && message}
          {capabilities.canChangePassword ? <ChangePassword answer={answer} /> : <ChangeByCode />}
        </Part>
        <Part {...toPartProps("devices")} title="Devices">
          {flash?.part === "devices" && message}
          <Devices devices={devices} closePath={account.closePath} answer={answer} />
        </Part>
        <Part {...toPartProps("stopped")} title="Where you stopped">
          {flash?.part === "stopped" && message}
          <WhereYouStopped isRemembering={account.isRemembering} answer={answer} />
        </Part>
        {account.newsletter && (
          <Part {...toPartProps("newsletter")} title="New this month">
            {flash?.part === "newsletter" && message}
            <NewsletterSwitch
              state={account.newsletter}
              email={profile.email}
              answer={answer}
              place="account-newsletter"
            />
          </Part>
        )}
        <Part {...toPartProps("data")} title="Your data">
          <YourData holdsAll={capabilities.holdsAll} contactEmail={contactEmail} />
        </Part>
        <Part {...toPartProps("close")} title="Close my account">
          {capabilities.canClose ? <CloseAccount answer={answer} /> : <CloseByEmail contactEmail={contactEmail} />}
        </Part>
      </div>
    </>
  );
}

function unsentText(values: Record<string, string>): string {
  const isSaved = Object.keys(values).length > 0;
  return `You had been logged out. ${isSaved ? "This is what you had typed." : "Please type it again."}`;
}

type PartProps = { part: AccountPart; title: string; isTarget: boolean; isOpen: boolean; children: ReactNode };

/**
 * A part of My Account that folds up. Its forms lead back to it by the fragment of the address. One that the address asks for by its name
 * comes into view with the focus, on a page without script by `autofocus`.
 */
function Part({ part, title, isTarget, isOpen, children }: PartProps) {
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = summary;
    if (!isTarget || !isFocusFree(current)) return;
    current?.focus({ preventScroll: true });
    current?.scrollIntoView();
  }, [isTarget]);
  return (
    <details id={`account-${part}`} className={styles.part} open={isOpen}>
      <summary ref={summary} {...(isTarget && { autoFocus: true })}>
        <h3>{title}</h3>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}

type AnswerProps = { answer: AccountAnswer | undefined };

type AccountFormProps = { form: FormMetadata; intent: string; place: string; children: ReactNode };

function AccountForm({ form, children, ...intent }: AccountFormProps) {
  const props = getFormProps(form, { ariaAttributes: false });
  return (
    <IntentForm {...intent} {...props} className={styles.form} replace>
      {children}
    </IntentForm>
  );
}

/** A new address that is not confirmed yet. */
function PendingEmail({ account: { profile, pendingUntil }, answer }: AnswerProps & Pick<AccountProps, "account">) {
  const [form, { emailCode }] = useForm<{ emailCode: string }>({
    id: "email-code",
    lastResult: toLastResult(answer, "email-code", "email-resend"),
  });
  const cancel = (
    <IntentForm intent="email-cancel" place="account-title" replace>
      <Submit intent="email-cancel" label="Keep my old email" pending="Keeping it..." look="plain" />
    </IntentForm>
  );
  if (pendingUntil) {
    return (
      <section className={styles.pending} aria-label="Waiting for its day">
        <p>
          <strong>{profile.pendingEmail}</strong> is confirmed. It counts from {pendingUntil}, because our support was
          asked for it; <strong>{profile.email}</strong> works until then.
        </p>
        <div className={styles.ways}>{cancel}</div>
      </section>
    );
  }
  return (
    <section className={styles.pending} aria-label="Waiting for a code">
      <p>
        We have sent a code to <strong>{profile.pendingEmail}</strong>. <strong>{profile.email}</strong> works until it
        is confirmed.
      </p>
      <ErrorSummary form={form} fields={[emailCode]} />
      <AccountForm form={form} intent="email-code" place="account-title">
        <CodeField label="Validation code" field={emailCode} />
        <Submit intent="email-code" label="Check code" pending="Checking..." look="quiet" />
      </AccountForm>
      <div className={styles.ways}>
        <IntentForm intent="email-resend" place="account-title" replace>
          <Submit intent="email-resend" label="Send a new code" pending="Sending..." look="plain" />
        </IntentForm>
        {cancel}
      </div>
    </section>
  );
}

function ChangePassword({ answer }: AnswerProps) {
  const [form, fields] = useForm<Passwords>({
    id: "password",
    lastResult: toLastResult(answer, "password"),
  });
  const { oldPassword, password, passwordConfirmation } = fields;
  return (
    <>
      <ErrorSummary form={form} fields={[oldPassword, password, passwordConfirmation]} />
      <AccountForm form={form} intent="password" place="account-password">
        <Field field={oldPassword} label="Current password" type="password" autoComplete="current-password" />
        <NewPasswordFields
          label="New password"
          hint="8 characters or more. Every other device is signed out."
          fields={fields}
        />
        <Submit intent="password" label="Change password" pending="Changing password..." look="quiet" />
      </AccountForm>
      <p className={styles.quiet}>
        Forgot your password? <Link to="/login?reset=1">Reset password</Link>
      </p>
    </>
  );
}

/** Where another back end owns the passwords. */
function ChangeByCode() {
  return (
    <>
      <p>We write you a code, and with it you choose a new password. Every device is signed out then.</p>
      <p>
        <Link className={buttons.quiet} to={resetPath(1)}>
          Get a code
        </Link>
      </p>
    </>
  );
}

function YourData({ holdsAll, contactEmail }: { holdsAll: boolean; contactEmail: string }) {
  return (
    <>
      {holdsAll ? (
        <p>Everything that we hold about you, as one file that other programs can read (JSON).</p>
      ) : (
        <p>
          What this site holds about you, as one file that other programs can read (JSON). For the rest of your account,
          such as your payments, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      <p>
        <a className={buttons.quiet} href={href("/account-data")}>
          Download my data
        </a>
      </p>
      <p>
        What you keep on a device is on that device alone, and gone when you log out.{" "}
        <a href={href("/kept")}>See what is kept on this one</a>
      </p>
    </>
  );
}

function CloseByEmail({ contactEmail }: { contactEmail: string }) {
  return (
    <p>
      Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> from the email address of your account, and we will
      close it for you.
    </p>
  );
}

function CloseAccount({ answer }: AnswerProps) {
  const [form, { closingPassword }] = useForm<{ closingPassword: string }>({
    id: "close",
    lastResult: toLastResult(answer, "close"),
  });
  return (
    <>
      <p>
        You are signed out everywhere at once. In 14 days your account is erased, with your details, your picture, your
        favourites and where you stopped; until then a link in the email that we send you opens it again.
      </p>
      <p>
        What was paid for and when is kept for 6 years, without your name, because the law asks us to. What is left of
        your membership ends with it.
      </p>
      <ErrorSummary form={form} fields={[closingPassword]} />
      <AccountForm form={form} intent="close" place="account-close">
        <Field field={closingPassword} label="Your password" type="password" autoComplete="current-password" />
        <Submit intent="close" label="Close my account" pending="Closing..." look="quiet" />
      </AccountForm>
    </>
  );
}
