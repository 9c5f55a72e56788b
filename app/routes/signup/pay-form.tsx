import type { CardFields } from "../../../server/payments/card-gateway.ts";
import { Field } from "../../forms/field.tsx";
import { Fieldset } from "../../forms/fieldset.tsx";
import { useIsPending } from "../../forms/use-is-pending.ts";
import { usePageAddress } from "../../forms/use-page-address.ts";
import buttons from "../../ui/button.module.css";
import { useCardFields } from "./card-fields/use-card-fields.ts";
import { echoOf, type FormAnswer } from "./form-answer.ts";
import type { PaymentScreen } from "./payment-screen.ts";
import { usePayment } from "./use-payment.ts";
import steps from "./step.module.css";
import styles from "./pay-form.module.css";

type PayFormProps = {
  screen: PaymentScreen;
  answer: FormAnswer | undefined;
  /** Whether the card fields may come: not into a document that is about to be replaced. */
  hasCardFields: boolean;
};

/** For the fields and buttons of the same form that stand elsewhere on the page. */
export const PAY_FORM_ID = "pay";

/** The form that pays, or that joins where a company pays. What was typed stays, whatever is pressed and becomes of it. */
export function PayForm({ screen, answer, hasCardFields }: PayFormProps) {
  const { stage, isElsewhere, onSubmit, ...card } = usePayment(screen);
  const isPending = stage !== "idle";
  const isChecking = useIsPending("verify");
  const isResending = useIsPending("resend");
  const typed = answer && "echo" in answer ? answer.echo.values.postcode : undefined;
  const labels = {
    idle: screen.amount ? payLabel(screen.amount, isElsewhere) : "Submit and join",
    processing: "Processing...",
    joined: "Sign up successful, logging you in...",
    waiting: "Please wait...",
  };
  return (
    <form
      id={PAY_FORM_ID}
      method="post"
      action={usePageAddress()}
      noValidate
      data-step=""
      className={steps.form}
      aria-busy={isPending || isChecking || isResending}
      onSubmit={onSubmit}
    >
      {screen.plan && <input type="hidden" name="plan" value={screen.plan} />}
      {screen.amount && <Card setting={screen.cardFields} hasFields={hasCardFields} {...card} />}
      <div className={styles.postcode}>
        <Field
          label="Postal code"
          name="postcode"
          autoComplete="postal-code"
          autoCapitalize="characters"
          enterKeyHint="go"
          required
          defaultValue={typed ?? screen.postcode}
          errors={echoOf(answer, "pay")?.fieldErrors.postcode}
        />
      </div>
      <p className={styles.submit}>
        <button className={buttons.button} name="intent" value="pay" aria-disabled={isPending}>
          {labels[stage]}
        </button>
      </p>
      {screen.amount && <p className={steps.quiet}>{screen.amount} is taken once. Nothing is renewed by itself.</p>}
    </form>
  );
}

function payLabel(amount: string, isElsewhere: boolean): string {
  return isElsewhere ? `Pay ${amount} on the next page` : `Submit payment of ${amount}`;
}

type CardProps = Pick<ReturnType<typeof usePayment>, "cardFields" | "onElsewhere"> & {
  setting: CardFields;
  hasFields: boolean;
};

/** The card fields, or the word that the next page has them. */
function Card({ setting, hasFields, cardFields, onElsewhere }: CardProps) {
  const card = useCardFields(setting.kind);
  return (
    <Fieldset title="Your card" className={styles.card}>
      {card && hasFields ? (
        <card.Fields ref={cardFields} setting={setting} onElsewhere={onElsewhere} />
      ) : (
        <p className={styles.elsewhere}>
          You will enter your card on the next page, which belongs to our payment provider.
        </p>
      )}
    </Fieldset>
  );
}
