import { useState } from "react";

import { cardFieldNames, type CardFieldName, type CardProblems } from "./card-fields.ts";

/** `found`: by the last press; `problems`: what is left of it. */
type Found = { found: object | undefined; problems: CardProblems };

const none: Found = { found: undefined, problems: {} };

/** For the card's fields and the form's summary. */
export function useCardProblems() {
  const [{ found, problems }, setFound] = useState(none);

  function show(wrong: CardProblems): boolean {
    const isWrong = Object.values(wrong).some((each) => each !== undefined);
    setFound(isWrong ? { found: wrong, problems: wrong } : none);
    return isWrong;
  }

  /** Also drops the problem of the card as a whole. */
  function drop(name: CardFieldName): void {
    setFound((before) => ({ ...before, problems: { ...before.problems, [name]: undefined, card: undefined } }));
  }

  const errors = (["card", ...cardFieldNames] as const).flatMap((name) => {
    const problem = problems[name];
    return problem === undefined ? [] : [{ id: name === "card" ? "cardNumber" : name, name, errors: [problem] }];
  });
  return { found, problems, errors, show, drop };
}
