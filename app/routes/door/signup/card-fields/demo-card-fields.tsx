import { useImperativeHandle, useRef } from "react";

import { cardDetails } from "../../../../../server/refusals.ts";
import { PlainField } from "../../../../forms/field.tsx";
import { href } from "../../../../frame/paths.ts";
import {
  cardFieldNames,
  type CardFieldName,
  type CardFieldsHandle,
  type CardFieldsProps,
  type CardProblems,
} from "./card-fields.ts";
import styles from "./demo-card-fields.module.css";

/** `name`: the gateway's own name for it. */
const fields = {
  cardNumber: { name: "number", label: "Card number", autoComplete: "cc-number", placeholder: "1234 1234 1234 1234" },
  cardExpiry: { name: "expiry", label: "Expiry", autoComplete: "cc-exp", placeholder: "MM / YY" },
  cardCvc: { name: "cvc", label: "CVC", autoComplete: "cc-csc", placeholder: "123" },
} as const;

/** Without names, so our form never sends them. */
export default function DemoCardFields({ ref, problems, onChange }: CardFieldsProps) {
  const group = useRef<HTMLDivElement>(null);
  const read = (id: CardFieldName) => group.current?.querySelector<HTMLInputElement>(`#${id}`)?.value ?? "";

  useImperativeHandle(ref, (): CardFieldsHandle => ({
    check: () =>
      Object.fromEntries(
        cardFieldNames
          .filter((id) => read(id).trim() === "")
          .map((id) => [id, cardDetails[`${fields[id].name}-missing`]]),
      ),
    prepare: () => makeMethod(new URLSearchParams(cardFieldNames.map((id) => [fields[id].name, read(id)]))),
  }));

  const field = (id: CardFieldName) => {
    const { name: _, ...look } = fields[id];
    const problem = problems[id];
    return (
      <PlainField
        id={id}
        {...look}
        inputMode="numeric"
        // Not `required`: to browsers the whole group would be invalid while they are empty.
        aria-required
        errors={problem === undefined ? undefined : [problem]}
        onInput={() => onChange(id)}
      />
    );
  };
  return (
    <div ref={group} className={styles.fields}>
      {field("cardNumber")}
      <div className={styles.pair}>
        {field("cardExpiry")}
        {field("cardCvc")}
      </div>
    </div>
  );
}

type Answer = { methodId: string } | { problems: { field: string; sentence: string }[] };

/** The demo gateway runs on our own host. */
async function makeMethod(card: URLSearchParams): Promise<{ methodId: string } | { problems: CardProblems }> {
  try {
    const response = await fetch(href("/demo-gateway/methods"), { method: "POST", body: card });
    const answer = (await response.json()) as Answer;
    if ("methodId" in answer) return answer;
    const sentences = new Map(answer.problems.map(({ field, sentence }) => [field, sentence]));
    return { problems: Object.fromEntries(cardFieldNames.map((id) => [id, sentences.get(fields[id].name)])) };
  } catch {
    return { problems: { card: cardDetails.unreached } };
  }
}
