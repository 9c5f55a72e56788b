import type { ComponentProps } from "react";

type FieldsetProps = ComponentProps<"fieldset"> & {
  title: string;
  /** For a title that the page around it says already. */
  isTitleHidden?: boolean;
};

/** A group of fields under its title. A screen reader would read the name of the group and then the same words as its legend. */
export function Fieldset({ title, isTitleHidden = false, children, ...fieldset }: FieldsetProps) {
  return (
    <fieldset aria-label={title} {...fieldset}>
      <legend aria-hidden="true" className={isTitleHidden ? "visually-hidden" : undefined}>
        {title}
      </legend>
      {children}
    </fieldset>
  );
}
