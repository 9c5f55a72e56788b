import type { ComponentProps, FormEvent, ReactNode } from "react";
import { Form, useLocation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../ui/button.module.css";
import styles from "./intent-form.module.css";
import { useIsPending } from "./use-is-pending.ts";

type IntentFormProps = ComponentProps<typeof Form> & {
  intent: string;
  /** The id of the place on this page that a load without script shows. */
  place?: string;
};

/**
 * One of a screen's forms. It is checked by the server alone, which says everything at once and in our own words, and it is
 * not sent again while it is under way. From where it leads one can go back to it, unless it has `replace`.
 */
export function IntentForm({ intent, place, onSubmit, children, ...form }: IntentFormProps) {
  const { pathname, search } = useLocation();
  // Where script runs the focus goes where the answer is.
  const isHydrated = useHydrated();
  return (
    <Form
      method="post"
      {...(place !== undefined && !isHydrated && { action: `${pathname}${search}#${place}` })}
      noValidate
      aria-busy={useIsPending(intent)}
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

/** A second press while the first is under way asks for the same. */
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
};

const looks = { primary: buttons.button, quiet: buttons.quiet, plain: styles.plain };

/** The button of an `IntentForm`; it says what it does, and what is happening once it is pressed. */
export function Submit({ intent, label, pending, look = "primary", form }: SubmitProps) {
  const isPending = useIsPending(intent);
  return (
    <button
      className={looks[look]}
      aria-disabled={isPending}
      {...(form !== undefined && { form, name: "intent", value: intent })}
    >
      {isPending ? pending : label}
    </button>
  );
}
