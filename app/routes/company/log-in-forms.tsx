import { href, Link } from "react-router";

import buttons from "../../components/button.module.css";
import { useCheckedForm } from "../../forms/checked-form.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { CodeField, Field } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { withSearch } from "../../frame/paths.ts";
import type { CompanyAnswer } from "./contact.ts";
import { CompanyPage } from "./company-page.tsx";
import styles from "./company.module.css";

type FormProps = { answer: CompanyAnswer | undefined };

export function LogInForm({ answer }: FormProps) {
  const [form, { email }] = useCheckedForm<{ email: string }>({ id: "company-log-in", answer });
  return (
    <CompanyPage title="Your company's page" answer={answer}>
      <p>
        This page is for companies that pay for their staff. If we invited you, type the email address that we wrote to.
      </p>
      <ErrorSummary form={form} fields={[email]} />
      <IntentForm
        intent="company-log-in"
        form={form}
        action={href("/company")}
        className={styles.form}
        noValidate={false}
      >
        <Field
          field={email}
          label="Email"
          type="email"
          maxLength={254}
          autoComplete="username"
          inputMode="email"
          enterKeyHint="go"
        />
        <Submit intent="company-log-in" label="Send me a link and a code" pending="Sending..." />
      </IntentForm>
    </CompanyPage>
  );
}

export function CodeForm({ answer }: FormProps) {
  const [form, { code }] = useCheckedForm<{ code: string }>({ id: "company-code", answer });
  return (
    <CompanyPage title="Check your email" answer={answer}>
      <p>
        If we know that address, we've sent it a link and a six-digit code. Press the link, or type the code here. Both
        work for ten minutes.
      </p>
      <ErrorSummary form={form} fields={[code]} />
      <IntentForm
        intent="company-code"
        form={form}
        action={withSearch(href("/company"), { step: "code" })}
        className={styles.form}
        replace
      >
        <CodeField label="Code" field={code} />
        <Submit intent="company-code" label="Log In" pending="Logging in..." />
      </IntentForm>
      <p>
        Nothing after a minute? <Link to={href("/company")}>Start again</Link>
      </p>
    </CompanyPage>
  );
}

export function LinkForm({ token }: { token: string }) {
  return (
    <CompanyPage title="Log in to your company's page">
      <p>Press the button to log in on this browser.</p>
      <IntentForm intent="company-link" action={href("/company")} className={styles.form} replace>
        <input type="hidden" name="token" value={token} />
        <Submit intent="company-link" label="Log In" pending="Logging in..." />
      </IntentForm>
    </CompanyPage>
  );
}

export function BadLink() {
  return (
    <CompanyPage title="This link doesn't work">
      <p>You may have used it already, or it may be over ten minutes old or incomplete.</p>
      <p>
        <Link className={buttons.button} to={href("/company")}>
          Ask for a new one
        </Link>
      </p>
    </CompanyPage>
  );
}
