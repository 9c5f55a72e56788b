import { ErrorSummary } from "../../forms/error-summary.tsx";
import { FieldErrors } from "../../forms/field.tsx";
import { Fieldset } from "../../forms/fieldset.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { href } from "../../paths.ts";
import { echoOf } from "./form-answer.ts";
import type { PlanCard, ScreenProps } from "./sign-up-screen.ts";
import { Facts, StepBar } from "./step-bar.tsx";
import { stepPath } from "./steps.ts";
import { VerificationBox } from "./verification-box.tsx";
import buttons from "../../ui/button.module.css";
import styles from "./plan-step.module.css";
import steps from "./step.module.css";

/** Step 2: which plan. None is chosen beforehand; who joins by a company's code has one already. */
export function PlanStep({ screen, answer, to }: ScreenProps<"plan">) {
  const { purpose, accountType, cards, chosen, facts, verification } = screen;
  const isJoining = purpose === "join";
  const isCorporate = accountType === "corporate";
  const echo = echoOf(answer, "plan");
  return (
    <div className={steps.step}>
      <StepBar step={2} to={to} canGoBack={isJoining} />
      <div className={steps.heading}>
        <h1 tabIndex={-1}>{isCorporate ? "Your plan" : "Choose your plan"}</h1>
        {!isJoining && <p className={steps.quiet}>You are renewing the membership of {verification.email}.</p>}
      </div>
      <VerificationBox verification={verification} answer={answer} to={to} />
      <ErrorSummary echo={echo} />
      <IntentForm intent="plan" className={steps.form}>
        {isCorporate ? (
          <>
            <Facts facts={facts} />
            <p>Your company pays for it. Nothing is taken from you.</p>
          </>
        ) : (
          <Plans cards={cards} chosen={chosen} errors={echo?.fieldErrors.planType ?? []} />
        )}
        <div className={steps.actions}>
          <a className={buttons.quiet} href={href(stepPath(isJoining ? 1 : 0, to))} data-back="">
            Cancel
          </a>{" "}
          <Submit intent="plan" label="Confirm" pending="Confirming..." />
        </div>
      </IntentForm>
    </div>
  );
}

type PlansProps = { cards: PlanCard[]; chosen: number | undefined; errors: string[] };

function Plans({ cards, chosen, errors }: PlansProps) {
  const isWrong = errors.length > 0;
  return (
    <Fieldset
      title="Plan"
      isTitleHidden
      className={styles.plans}
      aria-describedby={isWrong ? "planType-errors" : undefined}
    >
      {cards.map(({ type, label, price, today, end }, index) => (
        <div key={type}>
          <label className={styles.plan}>
            <input
              type="radio"
              name="planType"
              value={type}
              id={index === 0 ? "planType" : undefined}
              defaultChecked={type === chosen}
            />
            <span className={styles.label}>{label}</span> <span className={styles.price}>{price}</span>{" "}
            <span className={styles.today}>{today}</span> <span className={styles.end}>{end}</span>
          </label>
        </div>
      ))}
      {isWrong && <FieldErrors id="planType-errors" errors={errors} />}
    </Fieldset>
  );
}
