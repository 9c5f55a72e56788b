import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { Fieldset } from "../../forms/fieldset.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { NewPasswordFields } from "../../forms/new-password-fields.tsx";
import type { FormEcho } from "../../forms/read-submission.ts";
import { textOf } from "../../forms/text-of.ts";
import { href } from "../../paths.ts";
import type { EntranceHouse } from "../../ui/entrance.tsx";
import { logInPath } from "../login/paths.ts";
import { echoOf } from "./form-answer.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { StepBar } from "./step-bar.tsx";
import styles from "./details-form.module.css";
import steps from "./step.module.css";

/** Step 1: who somebody is and who pays for them (spec, section 2). What was told before is filled in, but for the password. */
export function DetailsForm({ house, screen, answer, to }: ScreenProps<"details">) {
  const { form, typed } = useUnsentDetails();
  const echo = echoOf(answer, "details");
  const values: FormEcho["values"] = echo?.values ?? typed ?? screen.typed ?? {};
  const errors = echo?.fieldErrors ?? {};
  const isRegistered = answer !== undefined && "isRegistered" in answer && answer.isRegistered;
  const logIn = href(logInPath(to));
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
        <Code house={house} value={values.code} errors={errors.code} />
        <Person values={values} errors={errors} remedy={isRegistered && <LogInLink href={logIn} />} />
        <NewPasswordFields hint="8 characters or more." errors={errors} />
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
    <Fieldset title="Account type" className={styles.accountType}>
      <label>
        <input type="radio" name="accountType" value="corporate" defaultChecked={!isIndividual} />
        Corporate
      </label>{" "}
      <label>
        <input type="radio" name="accountType" value="individual" defaultChecked={isIndividual} />
        Individual
      </label>
    </Fieldset>
  );
}

type CodeProps = { house: EntranceHouse; value: string | undefined; errors: string[] | undefined };

function Code({ house, value, errors }: CodeProps) {
  const contact = <a href={`mailto:${house.contactEmail}`}>{house.contactEmail}</a>;
  return (
    <div className={styles.code}>
      <Field
        label={`${house.name} code`}
        name="code"
        placeholder={`${house.name} code`}
        hint={<>Your company gave you one. No code? Write to {contact}</>}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={value}
        errors={errors}
      />
    </div>
  );
}

type PersonProps = {
  values: FormEcho["values"];
  errors: FormEcho["fieldErrors"];
  /** For an email that somebody has already. */
  remedy: ReactNode;
};

function Person({ values, errors, remedy }: PersonProps) {
  return (
    <>
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
        remedy={remedy}
      />
    </>
  );
}

function LogInLink({ href: path }: { href: string }) {
  return (
    <p>
      <a className={styles.login} href={path}>
        Log in with it
      </a>
    </p>
  );
}

/**
 * What was typed into the details and not sent, kept in this page's memory and nowhere else: from a look at another step or at
 * log-in one comes back to it. Never a password. Only a browser ever writes it.
 */
let unsent: Record<string, string> | undefined;

const kept = ["accountType", "code", "firstName", "lastName", "email"];

/** For the form's `ref`, and what was typed when it was last left. */
function useUnsentDetails(): { form: RefObject<HTMLFormElement | null>; typed: typeof unsent } {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const element = form.current;
    return () => {
      if (!element) return;
      const fields = new FormData(element);
      unsent = Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
    };
  }, []);
  return { form, typed: unsent };
}
