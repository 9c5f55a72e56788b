import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { href } from "../../paths.ts";
import { echoOf } from "./form-answer.ts";
import type { ScreenProps } from "./screen-content.tsx";
import { StepBar } from "./step-bar.tsx";
import { useUnsentDetails } from "./unsent-details.ts";
import styles from "./details-form.module.css";
import steps from "./step.module.css";

/** Step 1: who somebody is and who pays for them (spec, section 2). What was told before is filled in, but for the password. */
export function DetailsForm({ house, screen, answer, to }: ScreenProps<"details">) {
  const { form, typed } = useUnsentDetails();
  const echo = echoOf(answer, "details");
  const values: Record<string, string> = echo?.values ?? typed ?? screen.typed ?? {};
  const errors = echo?.fieldErrors ?? {};
  const isRegistered = answer !== undefined && "isRegistered" in answer && answer.isRegistered;
  const logIn = href(`/login${to ? `?to=${encodeURIComponent(to)}` : ""}`);
  return (
    <div className={steps.step}>
      <StepBar step={1} to={to} />
      <h1 tabIndex={-1}>Create your account</h1>
      {screen.isExpired && !echo && (
        <p className={steps.notice}>
          Your sign-up was left for more than a day, so we have forgotten it. Nothing was taken. Please start again
          here.
        </p>
      )}
      <ErrorSummary echo={echo} />
      <IntentForm intent="details" className={`${steps.form} ${styles.form}`} ref={form}>
        <AccountTypes chosen={values.accountType} />
        <div className={styles.code}>
          <Field
            label={`${house.name} code`}
            name="code"
            placeholder={`${house.name} code`}
            hint={
              <>
                Your company gave you one. No code? Write to{" "}
                <a href={`mailto:${house.contactEmail}`}>{house.contactEmail}</a>
              </>
            }
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={values.code}
            errors={errors.code}
          />
        </div>
        <div className={styles.names}>
          <Field
            label="First name"
            name="firstName"
            autoComplete="given-name"
            required
            defaultValue={values.firstName}
            errors={errors.firstName}
          />
          <Field
            label="Surname"
            name="lastName"
            autoComplete="family-name"
            required
            defaultValue={values.lastName}
            errors={errors.lastName}
          />
        </div>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={values.email}
          errors={errors.email}
          remedy={
            isRegistered && (
              <p>
                <a className={styles.login} href={logIn}>
                  Log in with it
                </a>
              </p>
            )
          }
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="8 characters or more."
          required
          errors={errors.password}
        />
        <Field
          label="Confirm password"
          name="passwordConfirmation"
          type="password"
          autoComplete="new-password"
          required
          errors={errors.passwordConfirmation}
        />
        <Submit intent="details" label="Sign Up" pending="Signing up..." />
      </IntentForm>
      <p className={steps.quiet}>
        Already a member? <a href={logIn}>Log in</a>
      </p>
    </div>
  );
}

/** Corporate unless somebody says otherwise (spec, section 4). */
function AccountTypes({ chosen }: { chosen: string | undefined }) {
  const isIndividual = chosen === "individual";
  return (
    <fieldset className={styles.accountType}>
      <legend>Account type</legend>
      <label>
        <input type="radio" name="accountType" value="corporate" defaultChecked={!isIndividual} />
        Corporate
      </label>
      <label>
        <input type="radio" name="accountType" value="individual" defaultChecked={isIndividual} />
        Individual
      </label>
    </fieldset>
  );
}
