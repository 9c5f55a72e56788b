import type { FieldMetadata } from "@conform-to/react";
import { type KeyboardEvent, useRef } from "react";

import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { FieldErrors, Fieldset } from "../../../forms/field.tsx";
import { holdWhileBusy, Submit, useIsPending } from "../../../forms/intent-form.tsx";
import { BackLink } from "../../../components/links.tsx";
import { Radio } from "../choice.tsx";
import type { ScreenProps } from "./sign-up-screen.ts";
import { Facts, StepBar } from "./step-bar.tsx";
import { stepPath } from "./steps.ts";
import { StepForm, VerificationBox } from "./verification-box.tsx";
import buttons from "../../../components/button.module.css";
import styles from "./plan-step.module.css";
import steps from "./step.module.css";

/** Step 2. No plan is chosen beforehand; a company's code has one already. */
export function PlanStep({ screen, answer, to }: ScreenProps<"plan">) {
  const { accountType, planCards, chosen, facts, note, verification } = screen;
  const isJoining = verification.canChange;
  const isCorporate = accountType === "corporate";
  const [form, { planType, oneTimeCode }] = useCheckedForm<{ planType: string; oneTimeCode: string }>({
    id: "plan",
    answer,
    shows: ["verify", "resend"],
    defaultValue: { planType: chosen?.toString() },
    onSubmit: holdWhileBusy,
  });
  const confirm = useRef<HTMLButtonElement>(null);
  const firstPlan = { id: `${planType.id}-${planCards[0]?.type}`, name: planType.name, errors: planType.errors };
  return (
    <div className={steps.step}>
      <StepBar step={2} to={to} canGoBack={isJoining} />
      <div className={steps.heading}>
        <h1 tabIndex={-1}>{isCorporate ? "Your plan" : "Choose your plan"}</h1>
        {!isJoining && <p className={steps.quiet}>You're renewing the membership of {verification.email}.</p>}
        {screen.renewed && <p className={steps.note}>{screen.renewed.sentence}</p>}
        {note && <p className={steps.note}>{`${note} Choose a plan to join anyway.`}</p>}
      </div>
      {answer?.form === "plan" && <ErrorSummary form={form} fields={[oneTimeCode, firstPlan]} />}
      <StepForm form={form} isPending={useIsPending("plan")}>
        <VerificationBox verification={verification} answer={answer} to={to} form={form} field={oneTimeCode} />
        {isCorporate ? (
          <>
            <Facts facts={facts} />
            <p>Your company pays. You won't be charged.</p>
          </>
        ) : (
          <Plans planCards={planCards} field={planType} onEnter={() => confirm.current?.click()} />
        )}
        <div className={steps.actions}>
          <BackLink className={buttons.quiet} to={stepPath(isJoining ? 1 : 0, to)}>
            Cancel
          </BackLink>{" "}
          <Submit intent="plan" label="Confirm" pending="Confirming..." form={form.id} ref={confirm} />
        </div>
      </StepForm>
    </div>
  );
}

type PlansProps = Pick<ScreenProps<"plan">["screen"], "planCards"> & {
  field: FieldMetadata<string>;
  /** Where the form's first button is another one. */
  onEnter?: () => void;
};

export function Plans({ planCards, field, onEnter }: PlansProps) {
  /** Enter presses the first button of a form, which checks the email's code. */
  const confirmOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !onEnter) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <Fieldset
      title="Plan"
      isTitleHidden
      className={styles.plans}
      aria-describedby={field.errors && field.errorId}
      onKeyDown={confirmOnEnter}
    >
      {planCards.map(({ type, label, sum, term, price, end }) => (
        <div key={type}>
          <label className={styles.plan}>
            <Radio field={field} value={String(type)} />
            <span className={styles.label}>{label}</span> <span className={styles.sum}>{sum}</span>{" "}
            {term && <span className={styles.term}>{term}</span>}{" "}
            {price && <span className={styles.price}>{price}</span>} {end && <span className={styles.end}>{end}</span>}
          </label>
        </div>
      ))}
      {field.errors && <FieldErrors id={field.errorId} errors={field.errors} />}
    </Fieldset>
  );
}
