import type { NewsletterState } from "../../server/operations/newsletter/newsletter.ts";
import type { Refusal } from "./answer.ts";
import { SwitchForm } from "./switch-form.tsx";

type NewsletterSwitchProps = {
  state: NewsletterState;
  email: string;
  answer: Refusal<string> | object | undefined;
  place: string;
};

export function NewsletterSwitch({ state, email, answer, place }: NewsletterSwitchProps) {
  const isOn = state === "on";
  return (
    <SwitchForm
      intent="newsletter"
      place={place}
      isOn={isOn}
      label={isOn ? "Stop these emails" : "Send me New this month"}
      pending={isOn ? "Stopping..." : "Switching on..."}
      answer={answer}
    >
      {texts[state](email)}
    </SwitchForm>
  );
}

const texts: Record<NewsletterState, (email: string) => string> = {
  off: () =>
    "Once a month we can email you what is new here, and nothing at all when nothing is. It never says what you have watched or read, and one click stops it.",
  on: (email) => `In the first days of a month we email ${email} what was new in the month before, if anything was.`,
  returned: (email) =>
    `Our last email to you came back, so we have stopped. If ${email} is right, you can switch it on again.`,
};
