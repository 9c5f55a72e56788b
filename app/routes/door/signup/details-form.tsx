import { type FieldMetadata } from "@conform-to/react";
import { useLayoutEffect, useRef } from "react";
import { Link } from "react-router";

import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field, NewPasswordFields } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { readText } from "../../../forms/read-text.ts";
import { href } from "../../../frame/paths.ts";
import { Choice } from "../choice.tsx";
import { logInPath } from "../login/paths.ts";
import type { Details } from "./actions.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { LegalNote, LogInLink, StepBar } from "./step-bar.tsx";
import { giftSignUpPath, isGiftCode, isRegistered } from "./steps.ts";
import styles from "./details-form.module.css";
import steps from "./step.module.css";

const EXPIRED =
  "You started signing up more than a day ago, so we've cleared it. You haven't been charged. Please start again.";

const forCode = { accountType: "corporate" as const };

/** Step 1. Earlier answers are filled in, but no password. */
export function DetailsForm({ product, screen, answer, to }: ScreenProps<"details">) {
  const { element, typed } = useUnsentDetails();
  const [form, fields] = useCheckedForm<Details>({
    id: "details",
    answer,
    defaultValue: { accountType: "corporate", ...(typed ?? screen.typed), ...(screen.isForCode && forCode) },
  });
  const { code, firstName, lastName, email, password, passwordConfirmation } = fields;
  const { gift } = screen;
  const logIn = logInPath(to);
  return (
    <div className={steps.step}>
      <StepBar step={1} to={to} isGift={gift !== undefined} />
      <h1 tabIndex={-1}>Create your account</h1>
      {screen.isExpired && answer === undefined && <p className={steps.note}>{EXPIRED}</p>}
      <GiftNote screen={screen} answer={answer} />
      <ErrorSummary form={form} fields={[code, firstName, lastName, email, password, passwordConfirmation]} />
      <IntentForm intent="details" form={form} className={`${steps.form} ${styles.form}`} ref={element}>
        <AccountType product={product} gift={gift} fields={fields} answer={answer} />
        <div className={styles.names}>
          <Field field={firstName} label="First name" autoComplete="given-name" />
          <Field field={lastName} label="Surname" autoComplete="family-name" />
        </div>
        <Field
          field={email}
          label="Email"
          type="email"
          autoComplete="email"
          remedy={isRegistered(answer) && <LogInLink to={to} />}
        />
        <NewPasswordFields hint="8 characters or more." fields={fields} />
        <Submit intent="details" label="Sign Up" pending="Signing up..." />
      </IntentForm>
      <LegalNote />
      <p className={steps.quiet}>
        Already a member? <Link to={logIn}>Log in</Link>
      </p>
    </div>
  );
}

type DetailsProps = Pick<ScreenProps<"details">, "screen" | "answer">;

/** The gift that pays for it, or why it can't. */
function GiftNote({ screen: { gift, giftRefusal }, answer }: DetailsProps) {
  if (gift) {
    return (
      <p className={steps.note}>
        {`${gift.from} is giving you ${gift.what}. You don't pay anything. `}
        <Link to={giftSignUpPath("")}>Sign up without it</Link>
      </p>
    );
  }
  return giftRefusal && answer === undefined ? <p className={steps.note}>{giftRefusal}</p> : null;
}

type AccountTypeProps = Pick<ScreenProps<"details">, "product" | "answer"> & {
  gift: DetailsProps["screen"]["gift"];
  fields: { accountType: FieldMetadata<Details["accountType"]>; code: FieldMetadata<string> };
};

/** With a company's code. A gift has one type. */
function AccountType({ product, gift, fields, answer }: AccountTypeProps) {
  if (gift) {
    return (
      <>
        <input type="hidden" name="accountType" value="individual" />
        <input type="hidden" name="giftCode" value={gift.code} />
      </>
    );
  }
  const contact = <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a>;
  return (
    <>
      <Choice title="Account type" field={fields.accountType} labels={accountTypes} />
      <div className={styles.code}>
        <Field
          field={fields.code}
          label={`${product.name} code`}
          placeholder={`${product.name} code`}
          required={false}
          hint={<>Your employer gave you one. No code? Write to {contact}</>}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          remedy={isGiftCode(answer) && <GiftLink />}
        />
      </div>
    </>
  );
}

/** For a gift's code that was typed as a company's. */
function GiftLink() {
  return (
    <p>
      <a className={steps.login} href={href("/gift")}>
        Take up a gift
      </a>
    </p>
  );
}

/** Corporate by default (docs/behaviour.md, Sign-up). */
const accountTypes = { corporate: "Corporate", individual: "Individual" };

/**
 * Unsent text, in this page's memory only: it survives a look at another step or at log-in. Never a password. Only
 * browsers write it.
 */
let unsent: Partial<Details> | undefined;

const textFields = ["accountType", "code", "firstName", "lastName", "email"];

/** The form's `ref`, and the text from when it was last left. */
function useUnsentDetails() {
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const form = element.current;
    return () => {
      if (!form) return;
      const fields = new FormData(form);
      unsent = Object.fromEntries(textFields.map((name) => [name, readText(fields, name)]));
    };
  }, []);
  return { element, typed: unsent };
}
