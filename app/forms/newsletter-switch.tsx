import type { NewsletterState } from "../../server/operations/newsletter/newsletter.ts";
import type { Refusal } from "./answer.ts";
import { SwitchForm } from "./switch-form.tsx";

type NewsletterSwitchProps = {
  state: NewsletterState;
  email: string;
  answer: Refusal<string> | object | undefined;
  anchor: string;
};

export function NewsletterSwitch({ state, email, answer, anchor }: NewsletterSwitchProps) {
  const isOn = state === "on";
  return (
    <SwitchForm
      intent="newsletter"
      anchor={anchor}
      isOn={isOn}
      label={isOn ? "Stop these emails" : "Email me once a month"}
      pending={isOn ? "Stopping..." : "Turning on..."}
      answer={answer}
    >
      {texts[state](email)}
    </SwitchForm>
  );
}

const texts: Record<NewsletterState, (email: string) => string> = {
  off: () =>
    "A short email once a month, only when there is something new. It never mentions what you watched. One click to stop.",
  on: (email) => `We email ${email} early each month, only when there is something new.`,
  returned: (email) =>
    `Our last email to ${email} came back, so we've stopped. If the address is right, turn it on again.`,
};
