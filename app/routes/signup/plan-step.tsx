import { getCollectionProps, getFormProps, useForm, type FieldMetadata } from "@conform-to/react";

import { toLastResult } from "../../forms/answer.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { FieldErrors, Fieldset } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { BackLink } from "../../components/links.tsx";
import type { ScreenProps } from "./sign-up-screen.ts";
import { Facts, StepBar } from "./step-bar.tsx";
import { stepPath } from "./steps.ts";
import { VerificationBox } from "./verification-box.tsx";
import buttons from "../../components/button.module.css";
import styles from "./plan-step.module.css";
import steps from "./step.module.css";

/** Step 2: which plan. None is chosen beforehand; a sign-up by a company's code has one already. */
export function PlanStep({ screen, answer, to }: ScreenProps<"plan">) {
  const { accountType, cards, chosen, facts, verification } = screen;
  const isJoining = verification.canChange;
  const isCorporate = accountType === "corporate";
  const [form, { planType }] = useForm<{ planType: string }>({
    id: "plan",
    lastResult: toLastResult(answer, "plan"),
    defaultValue: { planType: chosen?.toString() },
  });
  const [codeForm, { oneTimeCode }] = useForm<{ oneTimeCode: string }>({
    id: "verify",
    lastResult: toLastResult(answer, "verify", "resend"),
  });
  const firstPlan = { id: `${planType.id}-${cards[0]?.type}`, name: planType.name, errors: planType.errors };
  return (
    <div className={steps.step}>
      <StepBar step={2} to={to} canGoBack={isJoining} />
      <div className={steps.heading}>
        <h1 tabIndex={-1}>{isCorporate ? "Your plan" : "Choose your plan"}</h1>
        {!isJoining && <p className={steps.quiet}>You are renewing the membership of {verification.email}.</p>}
        {screen.renewed && <p className={steps.note}>{screen.renewed.sentence}</p>}
      </div>
      <VerificationBox verification={verification} answer={answer} to={to} form={codeForm} field={oneTimeCode} />
      <ErrorSummary form={form} fields={[firstPlan]} />
      <IntentForm intent="plan" className={steps.form} {...getFormProps(form, { ariaAttributes: false })}>
        {isCorporate ? (
          <>
            <Facts facts={facts} />
            <p>Your company pays for it. Nothing is taken from you.</p>
          </>
        ) : (
          <Plans cards={cards} field={planType} />
        )}
        <div className={steps.actions}>
          <BackLink className={buttons.quiet} to={stepPath(isJoining ? 1 : 0, to)}>
            Cancel
          </BackLink>{" "}
          <Submit intent="plan" label="Confirm" pending="Confirming..." />
        </div>
      </IntentForm>
    </div>
  );
}

type PlansProps = Pick<ScreenProps<"plan">["screen"], "cards"> & { field: FieldMetadata<string> };

function Plans({ cards, field }: PlansProps) {
  const options = cards.map(({ type }) => String(type));
  const radios = getCollectionProps(field, { type: "radio", options, ariaAttributes: false });
  return (
    <Fieldset title="Plan" isTitleHidden className={styles.plans} aria-describedby={field.errors && field.errorId}>
      {cards.map(({ type, label, price, today, end }, index) => (
        <div key={type}>
          <label className={styles.plan}>
            <input {...radios[index]} key={type} />
            <span className={styles.label}>{label}</span> <span className={styles.price}>{price}</span>{" "}
            <span className={styles.today}>{today}</span> <span className={styles.end}>{end}</span>
          </label>
        </div>
      ))}
      {field.errors && <FieldErrors id={field.errorId} errors={field.errors} />}
    </Fieldset>
  );
}
