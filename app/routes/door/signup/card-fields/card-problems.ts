import { useState } from "react";

import { cardFieldNames, type CardFieldName, type CardProblems } from "./card-fields.ts";

/** `found`: by the last press; `problems`: what of it is left. */
type Found = { found: object | undefined; problems: CardProblems };

const none: Found = { found: undefined, problems: {} };

/** The problems of a card, for its fields and for the summary of the form. */
export function useCardProblems() {
  const [{ found, problems }, setFound] = useState(none);

  /** Answers whether anything is wrong. */
  function show(wrong: CardProblems): boolean {
    const isWrong = Object.values(wrong).some((each) => each !== undefined);
    setFound(isWrong ? { found: wrong, problems: wrong } : none);
    return isWrong;
  }

  /** Forgets what was wrong with a field that has changed, and with the card as a whole. */
  function drop(name: CardFieldName): void {
    setFound((before) => ({ ...before, problems: { ...before.problems, [name]: undefined, card: undefined } }));
  }

  const errors = (["card", ...cardFieldNames] as const).flatMap((name) => {
    const problem = problems[name];
    return problem === undefined ? [] : [{ id: name === "card" ? "cardNumber" : name, name, errors: [problem] }];
  });
  return { found, problems, errors, show, drop };
}
