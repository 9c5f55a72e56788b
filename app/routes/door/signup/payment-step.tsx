import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

import type { CardFields } from "../../../../server/money/payments/card-gateway.ts";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorBox, ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field, FieldErrors, Fieldset } from "../../../forms/field.tsx";
import { TestCards } from "../../../forms/test-cards.tsx";
import type { CardFieldsProps } from "./card-fields/card-fields.ts";
import { useOwnDocument } from "./card-fields/own-document.ts";
import type { PaymentScreen } from "./pay.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { Facts, LegalNote, LogInLink, StepBar } from "./step-bar.tsx";
import { isRegistered } from "./steps.ts";
import { usePayment } from "./use-payment.ts";
import { StepForm, VerificationBox } from "./verification-box.tsx";
import buttons from "../../../components/button.module.css";
import styles from "./payment-step.module.css";
import steps from "./step.module.css";

type PayFields = { oneTimeCode: string; postcode: string; startsAtOnce: boolean };

type PaymentStepProps = ScreenProps<"payment"> & {
  /** In place of a sign-up's. */
  bar?: ReactNode;
};

/** Of a sign-up, and of a gift (`/give`). */
export function PaymentStep({ product, screen, answer, to, bar }: PaymentStepProps) {
  const hasOwnDocument = useOwnDocument(screen.hasCardScript);
  const payment = usePayment(screen);
  const [form, { oneTimeCode, postcode, startsAtOnce }] = useCheckedForm<PayFields>({
    id: "pay",
    answer,
    shows: ["verify", "resend"],
    defaultValue: { postcode: screen.postcode },
    onSubmit: (event) => void payment.onSubmit(event),
  });
  if (screen.leavesFor) return <Leaving address={screen.leavesFor} />;
  // No gateway is set up.
  const isClosed = screen.amount !== undefined && screen.cardFields.kind === "none";
  return (
    <div className={steps.step}>
      {bar ?? <StepBar step={3} to={to} />}
      <h1 tabIndex={-1}>Payment</h1>
      {(answer?.form === "pay" || payment.card.errors.length > 0) && (
        <ErrorSummary
          form={form}
          fields={[oneTimeCode, ...payment.card.errors, postcode, startsAtOnce]}
          cause={payment.card.found}
          remedy={isRegistered(answer) && <LogInLink to={to} />}
        />
      )}
      {!answer && screen.trouble && <Trouble {...screen.trouble} />}
      {!answer && screen.renewed && <p className={steps.note}>{screen.renewed.sentence}</p>}
      {isClosed ? (
        <>
          <Facts facts={screen.facts} />
          <div className={steps.note}>
            <p>You can't pay by card yet. You haven't been charged.</p>
            <p>
              Write to <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a> and we'll tell you when you
              can.
            </p>
          </div>
        </>
      ) : (
        <PayForm
          screen={screen}
          payment={payment}
          form={form}
          fields={{ postcode, startsAtOnce }}
          hasCardFields={hasOwnDocument}
        >
          <VerificationBox verification={screen.verification} answer={answer} to={to} form={form} field={oneTimeCode} />
        </PayForm>
      )}
    </div>
  );
}

/**
 * Leads to another host, with and without script. Browsers delay the refresh until a late script is there; the link
 * works at once.
 */
function Leaving({ address }: { address: string }) {
  return (
    <div className={steps.step}>
      <meta httpEquiv="refresh" content={`0;url=${address}`} />
      <h1 tabIndex={-1}>Taking you to the payment page</h1>
      <p>You'll go to our payment provider or your bank, then come back here. If nothing happens, press Continue.</p>
      <p>
        <a className={buttons.button} href={address}>
          Continue
        </a>
      </p>
    </div>
  );
}

/** It takes no focus, so it is an alert. */
function Trouble({ sentence, actionUrl }: NonNullable<PaymentScreen["trouble"]>) {
  return (
    <div role="alert">
      <ErrorBox>
        <p>{sentence}</p>
        {actionUrl && <p>Carry on where you left off, or use another card below.</p>}
        {actionUrl && (
          <p>
            <a className={buttons.button} href={actionUrl}>
              Continue
            </a>
          </p>
        )}
      </ErrorBox>
    </div>
  );
}

type Payment = ReturnType<typeof usePayment>;

type PayFormProps = {
  screen: PaymentScreen;
  payment: Payment;
  form: FormMetadata;
  fields: { postcode: FieldMetadata<string>; startsAtOnce: FieldMetadata<boolean> };
  /** Card fields do not load into a document that is about to be replaced. */
  hasCardFields: boolean;
  children: ReactNode;
};

function PayForm({ screen, payment, form, fields, hasCardFields, children }: PayFormProps) {
  const { stage, isElsewhere } = payment;
  const isPending = stage !== "idle";
  const pay = isElsewhere ? `Pay ${screen.amount} on the next page` : `Submit payment of ${screen.amount}`;
  const labels = {
    idle: screen.amount ? pay : "Submit and join",
    processing: "Processing...",
    joined: screen.isGift ? "Paid. One moment..." : "Sign up successful, logging you in...",
    waiting: "Please wait...",
  };
  return (
    <StepForm form={form} isPending={isPending}>
      {children}
      <Facts facts={screen.facts} />
      {screen.plan && <input type="hidden" name="plan" value={screen.plan} />}
      {screen.renewed && <input type="hidden" name="knownReceipt" value={screen.renewed.receipt} />}
      {screen.amount && (
        <Card
          setting={screen.cardFields}
          hasFields={hasCardFields}
          payment={payment}
          onChange={(name) => {
            payment.card.drop(name);
            // Another card was declined for this reason.
            if (form.errors) form.validate({ name: "" });
          }}
        />
      )}
      {screen.amount && <TestCards cards={screen.cardFields.testCards} />}
      <div className={styles.postcode}>
        <Field
          field={fields.postcode}
          label="Postal code"
          autoComplete="postal-code"
          autoCapitalize="characters"
          enterKeyHint="go"
        />
      </div>
      {screen.cancelling === "start-at-once" && <StartAtOnce field={fields.startsAtOnce} />}
      <p className={styles.submit}>
        <button className={buttons.button} name="intent" value="pay" aria-disabled={isPending}>
          {labels[stage]}
        </button>
      </p>
      {screen.amount && (
        <p className={steps.quiet}>
          {`You pay ${screen.amount} once. It doesn't renew.${screen.cancelling === "within-days" ? cancellingText(screen) : ""}`}
        </p>
      )}
      <LegalNote />
    </StepForm>
  );
}

function cancellingText({ isGift }: PaymentScreen): string {
  return isGift
    ? " Change your mind within 14 days, before anyone takes it up, and we'll refund all of it."
    : " Change your mind within 14 days and we'll refund all of it.";
}

/** Never ticked beforehand (Consumer Contracts Regulations 2013, regulation 37). Without it nothing is charged. */
function StartAtOnce({ field }: { field: FieldMetadata<boolean> }) {
  const { key, id, name, formId, initialValue, errors, errorId } = field;
  return (
    <div className={styles.start}>
      <label>
        <input
          key={key}
          type="checkbox"
          {...{ id, name }}
          form={formId}
          defaultChecked={initialValue === "on"}
          aria-invalid={errors !== undefined}
          aria-describedby={errors && errorId}
        />
        <span>Start my membership now. I understand that I lose my right to cancel.</span>
      </label>
      {errors && <FieldErrors id={errorId} errors={errors} />}
    </div>
  );
}

type CardProps = Pick<CardFieldsProps, "setting" | "onChange"> & { payment: Payment; hasFields: boolean };

/** Or the note that the next page has them. */
function Card({ setting, hasFields, payment: { cardFields, onElsewhere, card: wrong }, onChange }: CardProps) {
  const card = useCardFields(setting.kind);
  return (
    <Fieldset title="Your card" className={`${steps.group} ${styles.card}`}>
      {card && hasFields ? (
        <card.default
          ref={cardFields}
          setting={setting}
          onElsewhere={onElsewhere}
          problems={wrong.problems}
          onChange={onChange}
        />
      ) : (
        <p className={styles.elsewhere}>You'll enter your card on our payment provider's page, which is next.</p>
      )}
    </Fieldset>
  );
}

type CardFieldsModule = { default: ComponentType<CardFieldsProps> };

/** A gateway without fields leads every browser to its own page. */
const sources = import.meta.glob<CardFieldsModule>("./card-fields/*-card-fields.tsx");

/** Until they have loaded, the gateway's own page takes the card. */
function useCardFields(kind: CardFields["kind"]): CardFieldsModule | undefined {
  const [fields, setFields] = useState<CardFieldsModule>();
  useEffect(() => {
    const load = sources[`./card-fields/${kind}-card-fields.tsx`];
    if (!load) return;
    load().then(setFields, () => {});
  }, [kind]);
  return fields;
}
