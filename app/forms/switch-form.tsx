import type { ReactNode } from "react";

import type { Refusal } from "./answer.ts";
import { useCheckedForm } from "./checked-form.ts";
import { ErrorSummary } from "./error-summary.tsx";
import { IntentForm, Submit } from "./intent-form.tsx";

type SwitchFormProps = {
  intent: string;
  anchor: string;
  isOn: boolean;
  label: string;
  pending: string;
  answer: Refusal<string> | object | undefined;
  children: ReactNode;
};

/** A sentence about something that can be on or off, with a button that switches it: `wanted` is `on` or `off`. */
export function SwitchForm({ intent, anchor, isOn, label, pending, answer, children }: SwitchFormProps) {
  const [form] = useCheckedForm({ id: intent, answer });
  return (
    <>
      <p>{children}</p>
      <ErrorSummary form={form} />
      <IntentForm intent={intent} form={form} anchor={anchor} replace>
        <input type="hidden" name="wanted" value={isOn ? "off" : "on"} />
        <Submit intent={intent} label={label} pending={pending} look="quiet" />
      </IntentForm>
    </>
  );
}
