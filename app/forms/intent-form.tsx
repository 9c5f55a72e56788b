import type { FormMetadata } from "@conform-to/react";
import type { ComponentProps, FormEvent, ReactNode, Ref } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../components/button.module.css";
import styles from "./intent-form.module.css";

type IntentFormProps = Omit<ComponentProps<typeof Form>, "onSubmit"> & {
  intent: string;
  /** Conform's, where the form shows its errors. */
  form?: FormMetadata;
  /** The id of the element that a page load without script shows. */
  anchor?: string;
};

/**
 * One of a screen's forms. The server alone checks it, and names all errors at once in our words. Not sent again while
 * under way. With `replace` the next page takes its place in history. Without `getFormProps`, pages without fields need
 * no Conform.
 */
export function IntentForm({ intent, form, anchor, children, ...props }: IntentFormProps) {
  const { pathname, search } = useLocation();
  // With script, the focus moves to the answer instead.
  const isHydrated = useHydrated();
  return (
    <Form
      id={form?.id}
      method="post"
      {...(anchor !== undefined && !isHydrated && { action: `${pathname}${search}#${anchor}` })}
      noValidate
      {...formStatusProps(useIsPending(intent))}
      onSubmit={(event) => {
        holdWhileBusy(event);
        if (!event.defaultPrevented) form?.onSubmit(event);
      }}
      {...props}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

/**
 * Announces only that a form is under way. Browsers call a form with an empty required field invalid, and "invalid
 * entry" would be read before anything was typed.
 */
export function formStatusProps(isPending: boolean): { "aria-busy": true } | { role: "none" } {
  return isPending ? { "aria-busy": true } : { role: "none" };
}

export function useIsPending(intent: string): boolean {
  return useNavigation().formData?.get("intent") === intent;
}

export function holdWhileBusy(event: FormEvent<HTMLFormElement>): void {
  if (event.currentTarget.ariaBusy === "true") event.preventDefault();
}

type SubmitProps = {
  intent: string;
  label: ReactNode;
  pending: string;
  look?: keyof typeof looks;
  /** The id of the button's form, if it is outside of it. */
  form?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

const looks = { primary: buttons.button, quiet: buttons.quiet, plain: styles.plain };

export function Submit({ intent, label, pending, look = "primary", form, ref }: SubmitProps) {
  const isPending = useIsPending(intent);
  // Where a form has several buttons, none sends it while another does.
  const isBusy = useNavigation().formData !== undefined && form !== undefined;
  return (
    <button
      ref={ref}
      className={looks[look]}
      aria-disabled={isPending || isBusy}
      {...(form !== undefined && { form, name: "intent", value: intent })}
    >
      {isPending ? pending : label}
    </button>
  );
}
