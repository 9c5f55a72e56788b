import type { CardFields } from "../../../server/payments/card-gateway.ts";
import { Field } from "../../forms/field.tsx";
import type { FormEcho } from "../../forms/read-submission.ts";
import buttons from "../../ui/button.module.css";
import { useCardFields } from "./card-fields/use-card-fields.ts";
import type { PaymentScreen } from "./payment-screen.ts";
import { usePayment } from "./use-payment.ts";
import steps from "./step.module.css";
import styles from "./pay-form.module.css";

type PayFormProps = {
  screen: PaymentScreen;
  echo: FormEcho | undefined;
  /** Whether the card fields may come: not into a document that is about to be replaced. */
  hasCardFields: boolean;
};

/** The form that pays, or that joins where a company pays. What was typed stays, whatever becomes of the try. */
export function PayForm({ screen, echo, hasCardFields }: PayFormProps) {
  const { stage, isElsewhere, onSubmit, ...card } = usePayment(screen);
  const isPending = stage !== "idle";
  const labels = {
    idle: screen.amount ? payLabel(screen.amount, isElsewhere) : "Submit and join",
    processing: "Processing...",
    joined: "Sign up successful, logging you in...",
    waiting: "Please wait...",
  };
  return (
    <form method="post" noValidate data-step="" className={steps.form} aria-busy={isPending} onSubmit={onSubmit}>
      <input type="hidden" name="intent" value="pay" />
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
          defaultValue={echo?.values.postcode ?? screen.postcode}
          errors={echo?.fieldErrors.postcode}
        />
      </div>
      <p className={styles.submit}>
        <button className={buttons.button} aria-disabled={isPending}>
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
    <fieldset className={styles.card}>
      <legend>Your card</legend>
      {card && hasFields ? (
        <card.Fields ref={cardFields} setting={setting} onElsewhere={onElsewhere} />
      ) : (
        <p className={styles.elsewhere}>
          You will enter your card on the next page, which belongs to our payment provider.
        </p>
      )}
    </fieldset>
  );
}
