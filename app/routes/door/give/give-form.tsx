import { type FieldMetadata } from "@conform-to/react";
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field, Fieldset, TextArea } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { href } from "../../../frame/paths.ts";
import { Choice } from "../choice.tsx";
import { Plans } from "../signup/plan-step.tsx";
import { GiveBar, LegalNote } from "../signup/step-bar.tsx";
import type { GiveAnswer, GiveFields } from "./actions.ts";
import type { GiveScreen } from "./give-screen.ts";
import { giftPath } from "./paths.ts";
import steps from "../signup/step.module.css";
import styles from "./give.module.css";

const EXPIRED = "You started this gift more than a day ago, so we've cleared it. You haven't been charged.";

type GiveFormProps = {
  title: string;
  screen: Extract<GiveScreen, { name: "details" }>;
  answer: GiveAnswer | undefined;
};

/** The plan, from whom, to whom, and when. */
export function GiveForm({ title, screen, answer }: GiveFormProps) {
  const [form, fields] = useCheckedForm<GiveFields>({
    id: "give",
    answer,
    defaultValue: screen.typed,
  });
  const { planType, giverName, giverEmail, recipientName, recipientEmail, message, day } = fields;
  const firstPlan = { id: `${planType.id}-${screen.plans[0]?.type}`, name: planType.name, errors: planType.errors };
  return (
    <div className={steps.step}>
      <GiveBar at={1} />
      <h1 tabIndex={-1}>{title}</h1>
      <p>You pay once. They don't pay anything, and it doesn't renew.</p>
      {screen.isExpired && !answer && <p className={steps.note}>{EXPIRED}</p>}
      <ErrorSummary
        form={form}
        fields={[firstPlan, giverName, giverEmail, recipientName, recipientEmail, message, day]}
      />
      <IntentForm intent="give" form={form} className={styles.form}>
        <Plans planCards={screen.plans} field={planType as FieldMetadata<string>} />
        <Fieldset title="From you" className={steps.group}>
          <Field field={giverName} label="Your name" autoComplete="name" />
          {screen.email === undefined ? (
            <Field
              field={giverEmail}
              label="Your email"
              type="email"
              hint="For the receipt, and to see your gift later."
              autoComplete="email"
            />
          ) : (
            <p>
              The receipt goes to <strong>{screen.email}</strong>.
            </p>
          )}
        </Fieldset>
        <ForThem screen={screen} fields={fields} />
        <Submit intent="give" label="Review and pay" pending="Saving..." />
      </IntentForm>
      <LegalNote />
      <p className={steps.quiet}>
        Were you given one? <a href={href(giftPath())}>Take up a gift</a>
      </p>
    </div>
  );
}

type ForThemProps = Pick<GiveFormProps, "screen"> & {
  fields: { [Name in keyof GiveFields]: FieldMetadata<GiveFields[Name]> };
};

function ForThem({ screen, fields }: ForThemProps) {
  return (
    <Fieldset title="For them" className={steps.group}>
      <Field field={fields.recipientName} label="Their name" autoComplete="off" />
      <Choice title="How it arrives" field={fields.by} labels={ways} />
      <div className={styles.byEmail}>
        <Field field={fields.recipientEmail} label="Their email" type="email" required={false} autoComplete="off" />
      </div>
      <p className={styles.bySheet}>You can print it as soon as you've paid, and give it by hand.</p>
      <Message field={fields.message} />
      <div className={styles.byEmail}>
        <Field
          field={fields.day}
          label="The day it arrives"
          type="date"
          min={screen.today}
          max={screen.lastDay}
          hint={`At 8:00 in London. Any day until ${screen.lastDayText}.`}
          autoComplete="off"
        />
      </div>
    </Fieldset>
  );
}

const ways: Record<GiveFields["by"], string> = { email: "By email", sheet: "A sheet to print" };

/** Counted as the server counts: in characters. */
const MOST = 300;

function Message({ field }: { field: FieldMetadata<string> }) {
  const { key, id, name, formId, initialValue = "", errors } = field;
  const isHydrated = useHydrated();
  const [length, setLength] = useState(toLength(initialValue));
  return (
    <TextArea
      key={key}
      {...{ id, name, errors }}
      form={formId}
      defaultValue={initialValue}
      label="A line from you (optional)"
      hint={isHydrated && length > 0 ? countText(length) : `Up to ${MOST} characters. We show it as you type it.`}
      rows={3}
      // Something may have been typed before script came.
      onFocus={({ currentTarget }) => setLength(toLength(currentTarget.value))}
      onInput={({ currentTarget }) => setLength(toLength(currentTarget.value))}
    />
  );
}

function toLength(text: string): number {
  return Array.from(text).length;
}

function countText(length: number): string {
  return length > MOST ? `${length - MOST} characters too many.` : `${MOST - length} characters left.`;
}
