import type { ComponentProps, FormEvent, ReactNode, Ref } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../components/button.module.css";
import styles from "./intent-form.module.css";

type IntentFormProps = ComponentProps<typeof Form> & {
  intent: string;
  /** The id of the place on this page that a load without script shows. */
  place?: string;
};

/**
 * One of a screen's forms. The server alone checks it, and so names all errors at once and in our own words. It is not sent again while it
 * is under way. With `replace` the next page takes its place in history.
 */
export function IntentForm({ intent, place, onSubmit, children, ...form }: IntentFormProps) {
  const { pathname, search } = useLocation();
  // Where script runs, the focus moves to the answer instead.
  const isHydrated = useHydrated();
  return (
    <Form
      method="post"
      {...(place !== undefined && !isHydrated && { action: `${pathname}${search}#${place}` })}
      noValidate
      {...formStatusProps(useIsPending(intent))}
      onSubmit={(event) => {
        holdWhileBusy(event);
        if (!event.defaultPrevented) onSubmit?.(event);
      }}
      {...form}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

/**
 * Tells a screen reader that a form is under way, and nothing else. To browsers a form is invalid while a required field is
 * empty, and "invalid entry" would be said before anything was typed.
 */
export function formStatusProps(isPending: boolean): { "aria-busy": true } | { role: "none" } {
  return isPending ? { "aria-busy": true } : { role: "none" };
}

/** Whether the form with this intent is under way. */
export function useIsPending(intent: string): boolean {
  return useNavigation().formData?.get("intent") === intent;
}

/** Stops a second press while the first is under way. */
export function holdWhileBusy(event: FormEvent<HTMLFormElement>): void {
  if (event.currentTarget.ariaBusy === "true") event.preventDefault();
}

type SubmitProps = {
  intent: string;
  label: ReactNode;
  pending: string;
  look?: keyof typeof looks;
  /** The id of a form with several intents that this button sends, in place of one of its own around it. */
  form?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

const looks = { primary: buttons.button, quiet: buttons.quiet, plain: styles.plain };

/** The button of an `IntentForm`, with another label while the form is under way. */
export function Submit({ intent, label, pending, look = "primary", form, ref }: SubmitProps) {
  const isPending = useIsPending(intent);
  return (
    <button
      ref={ref}
      className={looks[look]}
      aria-disabled={isPending}
      {...(form !== undefined && { form, name: "intent", value: intent })}
    >
      {isPending ? pending : label}
    </button>
  );
}
