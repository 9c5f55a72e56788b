import { getFormProps, useForm, type FieldMetadata } from "@conform-to/react";
import { useId } from "react";
import { useActionData } from "react-router";

import type { ActName, ShownAct, ShownField } from "../../../server/acts/acts.ts";
import { useFocusOn } from "../../forms/focus-on.ts";
import { toLastResult } from "../../forms/answer.ts";
import { ErrorBox, ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldErrors } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import type { DeskAnswer } from "./acts.ts";
import { toFormName, useDesk } from "./use-desk.ts";
import styles from "./desk.module.css";

type ActFormProps = {
  act: ActName;
  /** The subject of the act, such as the number of an email, where a screen has several forms of it. */
  item?: string | number;
  /** For the `{names}` in the texts of the act; `{item}` is the item. */
  words?: Record<string, string>;
  /** The first values of the fields. */
  values?: Record<string, string>;
  /** The fields that are shown beside reason and password; without it, all. */
  only?: string[];
};

/** One act of the desk: a form that folds up. An operator who may not do it does not see it. */
export function ActForm({ act, item = "", words, values, only }: ActFormProps) {
  const desk = useDesk();
  const shown = desk.acts[act];
  if (!shown) return null;
  const { title, button, pending, note, fields } = shown;
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => words?.[name] ?? String(item));
  return (
    <FoldedForm
      // An act that is done leaves its form folded up and as new.
      key={desk.flash?.at}
      act={act}
      item={String(item)}
      title={fill(title)}
      button={fill(button)}
      pending={pending}
      note={note && fill(note)}
      fields={
        only ? fields.filter(({ name }) => name === "reason" || name === "password" || only.includes(name)) : fields
      }
      values={values}
    />
  );
}

/**
 * The refusal of an act whose form is not on the page (any more): of an act that is named here, about none of the `items` that have a form
 * of it. Another operator may have been quicker.
 */
export function LostRefusal({ act, items }: { act: ActName | "ask-parts"; items?: (string | number)[] }) {
  const answer = useActionData<DeskAnswer>();
  const isOfAct = answer !== undefined && (answer.form === act || answer.form.startsWith(`${act} `));
  const hasForm = items?.some((item) => answer?.form === toFormName(act, String(item)));
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

type FoldedFormProps = Omit<ShownAct, "note"> & {
  act: ActName;
  item: string;
  note: string | undefined;
  values: Record<string, string> | undefined;
};

function FoldedForm({ act, item, title, button, pending, fields, note, values }: FoldedFormProps) {
  const name = toFormName(act, item);
  const desk = useDesk();
  const answer = useActionData<DeskAnswer>();
  const unsent = desk.unsent?.form === name ? desk.unsent.values : undefined;
  const isRefused = answer?.form === name && "result" in answer;
  const [form, metadata] = useForm<Record<string, string>>({
    id: `${useId()}-${act.replaceAll(" ", "-")}`,
    lastResult: toLastResult(answer, name),
    defaultValue: Object.fromEntries(
      fields.map((field) => [
        field.name,
        unsent?.[field.name] ?? values?.[field.name] ?? field.options?.[0]?.value ?? "",
      ]),
    ),
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
          {item !== "" && <input type="hidden" name="item" value={item} />}
          {all.map((each) => (
            <ActInput key={each.field.name} {...each} />
          ))}
          <Submit intent={act} label={button} pending={pending} />
        </IntentForm>
      </div>
    </details>
  );
}

function ActInput({ field, metadata }: { field: ShownField; metadata: FieldMetadata<string> }) {
  const { label, hint, type, autoComplete, isOptional, options, lines, maxLength } = field;
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
        <textarea {...props} rows={lines} maxLength={maxLength} />
      )}
      {isWrong && <FieldErrors id={`${id}-error`} errors={errors} />}
    </div>
  );
}
