import { getFormProps, useForm, type FieldMetadata } from "@conform-to/react";
import { type ReactNode, useId } from "react";
import { useActionData, useLoaderData } from "react-router";

import { type Act, mayDo, REASON_MAX_LENGTH } from "../../../server/operators/rules.ts";
import { useFocusOn } from "../../forms/focus-on.ts";
import { lastResultOf } from "../../forms/answer.ts";
import { ErrorBox, ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldErrors } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import type { loader } from "../desk.tsx";
import type { DeskAnswer } from "./acts.ts";
import { formNameOf } from "./view.ts";
import styles from "./desk.module.css";

/** A field of an act. With `options` it is a list to choose from, with `lines` a text of several lines. */
export type ActField = {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autoComplete?: string;
  value?: string;
  hint?: string;
  options?: { value: string; label: string }[];
  lines?: number;
  isOptional?: boolean;
};

type ActFormProps = {
  act: Act;
  /** What the act is about, where a screen has several forms of it: the number of an email, say. */
  subject?: string | number;
  title: string;
  button: string;
  pending: string;
  fields?: ActField[];
  note?: ReactNode;
  /** Acts on the operator's own access ask for no reason. */
  needsReason?: boolean;
};

const reasonField: ActField = {
  name: "reason",
  label: "Reason",
  hint: "It is kept with what you do. No names, please.",
  lines: 2,
};

/** For acts that change how the operator logs in: a session that was left open is not enough for them. */
export const passwordField = {
  name: "password",
  label: "Your password",
  type: "password",
  autoComplete: "current-password",
} satisfies ActField;

const noFields: ActField[] = [];

/** One act of the desk: a form that folds up. An operator who may not do it does not see it. */
export function ActForm({ act, fields = noFields, needsReason = true, ...props }: ActFormProps) {
  const { desk } = useLoaderData<typeof loader>();
  if (!desk.operator || !mayDo(desk.operator.role, act)) return null;
  // An act that is done leaves its form folded up and as new.
  const key = desk.flash?.at;
  return <FoldedForm key={key} act={act} fields={needsReason ? [...fields, reasonField] : fields} {...props} />;
}

/**
 * The refusal of an act whose form is not on the page (any more): of an act that is named here, about none of the `subjects` that have a
 * form of it. Another operator may have been quicker.
 */
export function LostRefusal({ act, subjects }: { act: Act | "ask-parts"; subjects?: (string | number)[] }) {
  const answer = useActionData<DeskAnswer>();
  const isOfAct = answer !== undefined && (answer.form === act || answer.form.startsWith(`${act} `));
  const hasForm = subjects?.some((subject) => answer?.form === formNameOf(act, String(subject)));
  const refusal = isOfAct && !hasForm && "result" in answer ? answer.result : undefined;
  const box = useFocusOn<HTMLDivElement>(refusal);
  if (!refusal) return null;
  return (
    <ErrorBox ref={box}>
      {Object.values(refusal.error ?? {})
        .flat()
        .join(" ")}
    </ErrorBox>
  );
}

type FoldedFormProps = Omit<ActFormProps, "needsReason" | "fields"> & { fields: ActField[] };

function FoldedForm({ act, subject = "", title, button, pending, fields, note }: FoldedFormProps) {
  const name = formNameOf(act, String(subject));
  const { desk } = useLoaderData<typeof loader>();
  const answer = useActionData<DeskAnswer>();
  const unsent = desk.unsent?.form === name ? desk.unsent.values : undefined;
  const isRefused = answer?.form === name && "result" in answer;
  const [form, metadata] = useForm<Record<string, string>>({
    id: `${useId()}-${act}`,
    lastResult: lastResultOf(answer, name),
    defaultValue: Object.fromEntries(fields.map((field) => [field.name, unsent?.[field.name] ?? field.value ?? ""])),
  });
  const all = fields.map((field) => ({ field, metadata: metadata[field.name] as FieldMetadata<string> }));
  return (
    <details className={styles.act} open={isRefused || unsent !== undefined}>
      <summary>{title}</summary>
      <div className={styles.actBody}>
        {note && <p className={styles.note}>{note}</p>}
        <ErrorSummary form={form} fields={all.map((each) => each.metadata)} />
        <IntentForm
          intent={act}
          className={styles.form}
          replace
          preventScrollReset
          {...getFormProps(form, { ariaAttributes: false })}
        >
          {subject !== "" && <input type="hidden" name="subject" value={subject} />}
          {all.map((each) => (
            <ActInput key={each.field.name} {...each} />
          ))}
          <Submit intent={act} label={button} pending={pending} />
        </IntentForm>
      </div>
    </details>
  );
}

function ActInput({ field, metadata }: { field: ActField; metadata: FieldMetadata<string> }) {
  const { label, hint, type, autoComplete, isOptional, options, lines } = field;
  if (!options && !lines) {
    return (
      <Field
        field={metadata}
        label={label}
        hint={hint}
        required={!isOptional}
        {...(type && { type })}
        {...(autoComplete && { autoComplete })}
      />
    );
  }
  const { id, errors } = metadata;
  const isWrong = errors !== undefined && errors.length > 0;
  const describedBy = [hint && `${id}-description`, isWrong && `${id}-error`].filter(Boolean).join(" ");
  const props = {
    id,
    name: metadata.name,
    defaultValue: metadata.initialValue,
    required: !isOptional,
    "aria-invalid": isWrong,
    "aria-describedby": describedBy || undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-description`} className={styles.hint}>
          {hint}
        </p>
      )}
      {options ? (
        <select {...props}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <textarea {...props} rows={lines} maxLength={REASON_MAX_LENGTH} />
      )}
      {isWrong && <FieldErrors id={`${id}-error`} errors={errors} />}
    </div>
  );
}
