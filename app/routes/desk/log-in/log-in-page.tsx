import type { FieldMetadata } from "@conform-to/react";
import { href, Link, useLocation } from "react-router";

import { QrCode } from "../../../paper/code.tsx";
import { SchemeSwitch } from "../../../components/scheme-switch.tsx";
import { PlainFrame } from "../../../components/page-frame.tsx";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field, NewPasswordFields, Username } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import buttons from "../../../components/button.module.css";
import { withSearch } from "../../../frame/paths.ts";
import type { DeskAnswer } from "../acts.server.ts";
import { DeskLogo, ShownOnce } from "../desk-page.tsx";
import { LogInByPasskey } from "./passkey-button.tsx";
import screen from "../screen.module.css";
import styles from "./log-in-page.module.css";

type LogInPageProps = {
  productName: string;
  invitation: string | undefined;
  /** A form was sent after its session had ended. */
  wasTyped: boolean;
  answer: DeskAnswer | undefined;
};

/** For a browser without a session, at any address. */
export function LogInPage({ productName, invitation, wasTyped, answer }: LogInPageProps) {
  const isRefused = answer !== undefined && "result" in answer;
  const isDone = answer !== undefined && "shownOnce" in answer;
  // The answer's own page has no invitation: its link is used up.
  const title = isDone
    ? "Your recovery codes"
    : invitation === undefined
      ? "Log in to the desk"
      : "Welcome to the desk";
  return (
    <PlainFrame
      className={styles.page}
      mainClassName={styles.main}
      logo={<DeskLogo productName={productName} />}
      tools={<SchemeSwitch action={href("/desk")} />}
    >
      <title>{`${isRefused ? "Error: " : ""}${title} – ${productName} desk`}</title>
      <h1 tabIndex={-1}>{title}</h1>
      {isDone && <Ready answer={answer} />}
      {!isDone && invitation === undefined && <LogIn answer={answer} wasTyped={wasTyped} />}
      {!isDone && invitation !== undefined && <Invitation email={invitation} answer={answer} />}
    </PlainFrame>
  );
}

function Ready({ answer }: { answer: Extract<DeskAnswer, { shownOnce: string[] }> }) {
  return (
    <>
      <ShownOnce {...answer} />
      <Link className={buttons.button} to={href("/desk")} reloadDocument>
        Go to the desk
      </Link>
    </>
  );
}

type AnswerProps = { answer: DeskAnswer | undefined };

function LogIn({ answer, wasTyped }: AnswerProps & { wasTyped: boolean }) {
  const [form, fields] = useCheckedForm<{ email: string; password: string; code: string }>({ id: "log-in", answer });
  return (
    <>
      {wasTyped && (
        <p>
          We logged you out because you hadn't used the desk for a while. Log in, and your form will be as you left it.
        </p>
      )}
      <ErrorSummary form={form} fields={[fields.email, fields.password, fields.code]} />
      <IntentForm
        intent="log-in"
        form={form}
        action={withSearch(href("/desk"), { to: useReturnPath() })}
        className={styles.form}
        replace
        reloadDocument
        noValidate={false}
      >
        <Field
          field={fields.email}
          label="Email"
          type="email"
          maxLength={254}
          autoComplete="username"
          inputMode="email"
        />
        <Field
          field={fields.password}
          label="Password"
          type="password"
          maxLength={1024}
          autoComplete="current-password"
        />
        <CodeOfApp field={fields.code} />
        <Submit intent="log-in" label="Log In" pending="Logging in..." />
      </IntentForm>
      <LogInByPasskey />
    </>
  );
}

/** The requested screen; `undefined` for `/desk`. */
function useReturnPath(): string | undefined {
  const { pathname, search } = useLocation();
  if (pathname !== href("/desk")) return pathname + search;
  return new URLSearchParams(search).get("to") ?? undefined;
}

/** The key comes with the answer to its button. A refusal of the form below does not repeat it. */
function AppKey({ answer, action }: AnswerProps & { action: string }) {
  if (answer && "secret" in answer) {
    return (
      <>
        <p>Scan this with an app for one-time codes, such as the one on your phone or your password manager.</p>
        <QrCode {...answer.qrCode} label="QR code to scan with your app" />
        <p>
          Or type this key into it: <code>{answer.secret}</code>
        </p>
        <p className={screen.note}>We won't show it again. If you leave this page without it, show a new one.</p>
      </>
    );
  }
  return (
    <>
      <p>You need an app for one-time codes, such as the one on your phone or your password manager.</p>
      <IntentForm intent="show-secret" action={action} className={styles.form} replace preventScrollReset>
        <p className={screen.note}>We show the key once. A new key replaces the last one.</p>
        <Submit intent="show-secret" label="Show the key" pending="Making it..." look="quiet" />
      </IntentForm>
    </>
  );
}

type CodeOfAppProps = {
  field: FieldMetadata<string>;
  /** The account has no recovery codes yet. */
  isFirst?: boolean;
};

function CodeOfApp({ field, isFirst = false }: CodeOfAppProps) {
  return (
    <Field
      field={field}
      label="One-time code"
      hint={`The six digits in your app${isFirst ? "" : ", or a recovery code"}.`}
      autoComplete="one-time-code"
      enterKeyHint="go"
    />
  );
}

function Invitation({ email, answer }: AnswerProps & { email: string }) {
  const action = href("/desk") + useLocation().search;
  const [form, fields] = useCheckedForm<{ password: string; passwordConfirmation: string; code: string }>({
    id: "invitation",
    answer,
  });
  return (
    <>
      <p>
        This sets up the account of <strong>{email}</strong>.
      </p>
      <ErrorSummary form={form} fields={[fields.password, fields.passwordConfirmation, fields.code]} />
      <section className={screen.section}>
        <h2>1. Add the account to your app</h2>
        <AppKey answer={answer} action={action} />
      </section>
      <section className={screen.section}>
        <h2>2. Choose a password, and enter the first code</h2>
        <IntentForm
          intent="accept-invitation"
          form={form}
          action={action}
          className={styles.form}
          replace
          // The answer's page shows the codes: loading it again would show the desk instead.
          reloadDocument
        >
          <Username email={email} />
          <NewPasswordFields hint="8 characters or more." fields={fields} />
          <CodeOfApp field={fields.code} isFirst />
          <Submit intent="accept-invitation" label="Set up my account" pending="Setting it up..." />
        </IntentForm>
      </section>
    </>
  );
}
