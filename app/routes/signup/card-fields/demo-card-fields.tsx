import { useImperativeHandle, useRef, useState } from "react";

import { cards } from "../../../../server/refusals.ts";
import { PlainField } from "../../../forms/field.tsx";
import { href } from "../../../paths.ts";
import type { CardFieldsHandle, CardFieldsProps } from "./card-fields.ts";
import styles from "./demo-card-fields.module.css";

type Problem = { field: CardField | undefined; sentence: string };

const fields = {
  number: { id: "cardNumber", label: "Card number", autoComplete: "cc-number", placeholder: "1234 1234 1234 1234" },
  expiry: { id: "cardExpiry", label: "Expiry", autoComplete: "cc-exp", placeholder: "MM / YY" },
  cvc: { id: "cardCvc", label: "CVC", autoComplete: "cc-csc", placeholder: "123" },
} as const;

type CardField = keyof typeof fields;

const unreached: { problem: Problem } = { problem: { field: undefined, sentence: cards.unreached } };

/** The demo gateway's fields. They have no names, so our form never sends them. */
export default function DemoCardFields({ ref }: CardFieldsProps) {
  const group = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<Problem>();

  useImperativeHandle(ref, (): CardFieldsHandle => ({
    async prepare() {
      const answer = await makeMethod(group.current);
      setProblem("problem" in answer ? answer.problem : undefined);
      if ("methodId" in answer) return answer;
      const { field } = answer.problem;
      if (field) group.current?.querySelector<HTMLInputElement>(`#${fields[field].id}`)?.focus();
      return undefined;
    },
  }));

  const field = (name: CardField) => (
    <PlainField
      {...fields[name]}
      inputMode="numeric"
      // Not `required`: to browsers the whole group would be invalid while they are empty.
      aria-required
      errors={problem?.field === name ? [problem.sentence] : undefined}
    />
  );
  return (
    <div ref={group} className={styles.fields}>
      {problem && !problem.field && (
        <p className={styles.problem} role="alert">
          Error: {problem.sentence}
        </p>
      )}
      {field("number")}
      <div className={styles.pair}>
        {field("expiry")}
        {field("cvc")}
      </div>
    </div>
  );
}

/** Gives the card to the demo gateway, which runs on our own host. */
async function makeMethod(group: HTMLElement | null): Promise<{ methodId: string } | { problem: Problem }> {
  const card = new URLSearchParams();
  for (const [name, { id }] of Object.entries(fields)) {
    card.set(name, group?.querySelector<HTMLInputElement>(`#${id}`)?.value ?? "");
  }
  try {
    const response = await fetch(href("/demo-gateway/methods"), { method: "POST", body: card });
    const answer = (await response.json()) as { methodId: string } | { problem: Problem };
    return "methodId" in answer || "problem" in answer ? answer : unreached;
  } catch {
    return unreached;
  }
}
