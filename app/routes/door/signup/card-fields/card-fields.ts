import type { Ref } from "react";

import type { CardFields } from "../../../../../server/money/payments/card-gateway.ts";

/**
 * Fields for a card, in a browser that runs script. They give the card to the gateway alone; our own form carries only the id of the
 * payment method. Each gateway has its own fields, a component with these props.
 */
export type CardFieldsProps = {
  /** Nothing until a card can be typed. */
  ref: Ref<CardFieldsHandle | null>;
  /** The gateway's own settings for its fields. */
  setting: CardFields;
  /** Called whenever it changes whether the card is entered on the gateway's own page. */
  onElsewhere: (isElsewhere: boolean) => void;
  /** Shown beside the fields. */
  problems: CardProblems;
  /** Called when a field changes, and with it what was wrong. */
  onChange: (field: CardFieldName) => void;
};

export type CardFieldsHandle = {
  /** Finds what is missing or wrong, as far as a page can know it. */
  check(): CardProblems;
  /** Gives the card to the gateway. Never throws. */
  prepare(payer: Payer): Promise<{ methodId: string } | { problems: CardProblems }>;
};

export type Payer = { name: string; email: string; postcode: string };

/** The fields in the order of the page, and their ids. */
export const cardFieldNames = ["cardNumber", "cardExpiry", "cardCvc"] as const;

export type CardFieldName = (typeof cardFieldNames)[number];

/** The errors: beside a field, or about the card as a whole. */
export type CardProblems = Partial<Record<CardFieldName | "card", string | undefined>>;
