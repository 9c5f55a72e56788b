import type { ComponentProps, ReactNode } from "react";

import buttons from "../ui/button.module.css";
import styles from "./intent-form.module.css";
import { useIsPending } from "./use-is-pending.ts";
import { usePageAddress } from "./use-page-address.ts";

type IntentFormProps = ComponentProps<"form"> & {
  intent: string;
  /** The id of the place on this page that a load without script shows. */
  place?: string;
};

/**
 * One of a screen's forms. It is checked by the server alone, which says everything at once and in our own words, and it is
 * not sent again while it is under way. From where it leads one can go back to it.
 */
export function IntentForm({ intent, place, children, ...form }: IntentFormProps) {
  const address = usePageAddress();
  return (
    <form
      method="post"
      action={place === undefined ? address : `${address ?? ""}#${place}`}
      noValidate
      data-step=""
      aria-busy={useIsPending(intent)}
      {...form}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
    </form>
  );
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
