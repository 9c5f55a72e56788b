import type { FieldMetadata } from "@conform-to/react";

import { Fieldset } from "../../forms/field.tsx";
import styles from "./choice.module.css";

type ChoiceProps<Value extends string> = {
  title: string;
  field: FieldMetadata<Value>;
  labels: Record<Value, string>;
};

/** One of few, each a card with its radio button. */
export function Choice<Value extends string>({ title, field, labels }: ChoiceProps<Value>) {
  return (
    <Fieldset title={title} className={styles.choice}>
      {Object.entries<string>(labels).map(([value, label]) => (
        <label key={value}>
          <Radio field={field} value={value} />
          {`${label} `}
        </label>
      ))}
    </Fieldset>
  );
}

/** A value of a Conform field. */
export function Radio({ field, value }: { field: FieldMetadata<string>; value: string }) {
  const { key, id, name, formId, initialValue } = field;
  return (
    <input
      key={key}
      type="radio"
      {...{ name, value }}
      id={`${id}-${value}`}
      form={formId}
      defaultChecked={initialValue === value}
    />
  );
}
