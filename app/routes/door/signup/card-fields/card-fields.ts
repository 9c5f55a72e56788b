import type { Ref } from "react";

import type { CardFields } from "../../../../../server/money/payments/card-gateway.ts";

/**
 * Card fields, for browsers with script, give the card to the gateway alone; our form has only the payment method's id.
 * Each gateway has a component with these props.
 */
export type CardFieldsProps = {
  /** Null until a card can be typed. */
  ref: Ref<CardFieldsHandle | null>;
  setting: CardFields;
  /** Called when the card is to be entered on the gateway's own page, or no longer. */
  onElsewhere: (isElsewhere: boolean) => void;
  problems: CardProblems;
  /** Called when a field changes; its problem is then outdated. */
  onChange: (field: CardFieldName) => void;
};

export type CardFieldsHandle = {
  /** Finds missing and wrong fields, as far as a page can. */
  check(): CardProblems;
  /** Gives the card to the gateway. Never throws. */
  prepare(payer: Payer): Promise<{ methodId: string } | { problems: CardProblems }>;
};

export type Payer = { name: string; email: string; postcode: string };

/** In the page's order; these are also the ids. */
export const cardFieldNames = ["cardNumber", "cardExpiry", "cardCvc"] as const;

export type CardFieldName = (typeof cardFieldNames)[number];

/** By field, or of the card as a whole. */
export type CardProblems = Partial<Record<CardFieldName | "card", string | undefined>>;
