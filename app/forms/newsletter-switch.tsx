import { getFormProps, useForm } from "@conform-to/react";

import type { NewsletterState } from "../../server/newsletter/newsletter.ts";
import { type Refusal, toLastResult } from "./answer.ts";
import { ErrorSummary } from "./error-summary.tsx";
import { IntentForm, Submit } from "./intent-form.tsx";

type NewsletterSwitchProps = {
  state: NewsletterState;
  /** Where the emails go. */
  email: string;
  answer: Refusal<string> | object | undefined;
  /** The id of its place on the page. */
  place: string;
};

/** A sentence about "New this month", and the one button that switches it on or off. */
export function NewsletterSwitch({ state, email, answer, place }: NewsletterSwitchProps) {
  const [form] = useForm({ id: "newsletter", lastResult: toLastResult(answer, "newsletter") });
  const isOn = state === "on";
  return (
    <>
      <p>{texts[state](email)}</p>
      <ErrorSummary form={form} />
      <IntentForm intent="newsletter" place={place} replace {...getFormProps(form, { ariaAttributes: false })}>
        <input type="hidden" name="wanted" value={isOn ? "off" : "on"} />
        <Submit
          intent="newsletter"
          label={isOn ? "Stop these emails" : "Send me New this month"}
          pending={isOn ? "Stopping..." : "Switching on..."}
          look="quiet"
        />
      </IntentForm>
    </>
  );
}

const texts: Record<NewsletterState, (email: string) => string> = {
  off: () =>
    "Once a month we can email you what is new here, and nothing at all when nothing is. It never says what you have watched or read, and one click stops it.",
  on: (email) => `In the first days of a month we email ${email} what was new in the month before, if anything was.`,
  returned: (email) =>
    `Our last email to you came back, so we have stopped. If ${email} is right, you can switch it on again.`,
};
